// The IDE of one project: finds it, boots its computer, then shows the workbench. Loaded without server rendering: nothing here means
// anything before there is a browser.
'use client';

import { Tooltip } from 'radix-ui';
import { useEffect, useState } from 'react';
import { findProject, type Project, updateProject } from '../../lib/project/projects';
import { FailurePage } from '../ui/failure';
import { Mark } from '../ui/mark';
import { loadTheme } from '../ui/theme';
import { ToastList } from '../ui/toast-list';
import { useNarrow } from '../ui/use-narrow';
import type { BootSandbox } from './boot';
import { BootWait } from './boot-wait';
import { ProjectGuard } from './project-guard';
import { SandboxProvider } from './sandbox-provider';
import { loadSettings } from './settings';
import { WorkbenchView } from './workbench-view';
import './ide.css';

interface IdeProps {
  projectId: string;
  /** A file to open at the first start, relative to the project. */
  firstFile?: string;
  boot: BootSandbox;
}

/** Shows the project of that id, or says that this browser has none. */
export function Ide({ projectId, firstFile, boot }: IdeProps) {
  const [project, setProject] = useState<Project | 'loading' | 'missing' | { error: unknown }>('loading');
  const narrow = useNarrow();

  useEffect(() => {
    loadTheme();
    loadSettings();
    findProject(projectId)
      .then(async (found) => {
        setProject(found ?? 'missing');
        if (found) await updateProject(projectId, { openedAtMs: Date.now() });
      })
      .catch((error: unknown) => setProject({ error }));
  }, [projectId]);

  useEffect(() => {
    if (typeof project === 'object' && 'name' in project) document.title = `${project.name} – Cloche`;
  }, [project]);

  if (project === 'loading') return <BootWait />;
  if (project === 'missing') return <MissingProject id={projectId} />;
  if ('error' in project)
    return (
      <FailurePage what="The list of projects can’t be read" error={project.error} retry={() => location.reload()} />
    );
  return (
    <Tooltip.Provider delayDuration={500} skipDelayDuration={200}>
      <ProjectGuard projectId={project.id} name={project.name}>
        <SandboxProvider project={project} boot={boot}>
          {(sandbox) => (
            <WorkbenchView key={project.id} sandbox={sandbox} project={project} firstFile={firstFile} narrow={narrow} />
          )}
        </SandboxProvider>
      </ProjectGuard>
      <ToastList />
    </Tooltip.Provider>
  );
}

function MissingProject({ id }: { id: string }) {
  return (
    <main className="boot">
      <div className="boot-card">
        <Mark size={32} />
        <h1>There is no such project in this browser</h1>
        <p>
          Projects live in the browser that made them. <span className="mono">{id}</span> is not one of this browser’s,
          or it was deleted.
        </p>
        <a className="button" data-tone="primary" href="/">
          All projects
        </a>
      </div>
    </main>
  );
}
