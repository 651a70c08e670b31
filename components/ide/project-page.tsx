// Brings the IDE into a page: its code is loaded apart from the page's, and never on the server.
'use client';

import dynamic from 'next/dynamic';
import { bootProject } from './boot-project';
import { BootWait } from './boot-wait';

const loadIde = () => import('./ide').then((module) => module.Ide);
// Beside what comes before it is drawn: the project is looked for, or made.
if (typeof window !== 'undefined') loadIde().catch(() => {});

const Ide = dynamic(loadIde, { ssr: false, loading: () => <BootWait /> });

/** The project of that id. */
export function ProjectPage({ projectId }: { projectId: string }) {
  return <Ide projectId={projectId} boot={bootProject} />;
}
