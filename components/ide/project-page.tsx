// Brings the IDE into a page: its code is loaded apart from the page's, and never on the server.
'use client';

import dynamic from 'next/dynamic';
import { bootProject } from './boot-project';

const Ide = dynamic(() => import('./ide').then((module) => module.Ide), {
  ssr: false,
  loading: () => <main className="boot" aria-busy="true" />,
});

/** The project of that id. */
export function ProjectPage({ projectId }: { projectId: string }) {
  return <Ide projectId={projectId} boot={bootProject} />;
}
