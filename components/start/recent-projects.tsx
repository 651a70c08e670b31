// The projects of this browser: open, rename, duplicate, delete with undo.
'use client';

import { useCallback, useEffect, useState } from 'react';
import { copyProject, listProjects, type Project, purgeProjects, updateProject } from '../../lib/project/projects';
import { Failure } from '../ui/failure';
import { showError, showToast } from '../ui/toasts';
import { ProjectRow } from './project-row';

/** A page that was closed before its notice went leaves deleted projects behind; after this they can't be wanted back. */
const undoMs = 60_000;

/** Reads the list again when another tab may have changed it. */
export function RecentProjects() {
  const [projects, setProjects] = useState<Project[] | { error: unknown }>();
  const load = useCallback(() => listProjects().then(setProjects, (error: unknown) => setProjects({ error })), []);
  useEffect(() => {
    void load();
    void purgeProjects({ deletedBeforeMs: Date.now() - undoMs }).catch(() => {});
    window.addEventListener('focus', load);
    window.addEventListener('pageshow', load);
    return () => {
      window.removeEventListener('focus', load);
      window.removeEventListener('pageshow', load);
    };
  }, [load]);

  const rename = async (project: Project, name: string) => {
    await updateProject(project.id, { name }).catch((error: unknown) => showError('Could not rename', error));
    await load();
  };
  const remove = async (project: Project) => {
    try {
      await updateProject(project.id, { deletedAtMs: Date.now() });
    } catch (error) {
      return showError(`Could not delete ${project.name}`, error);
    }
    await load();
    const bringBack = async () => {
      await updateProject(project.id, { deletedAtMs: undefined });
      await load();
    };
    showToast(`Deleted ${project.name}`, {
      action: {
        label: 'Undo',
        run: () => void bringBack().catch((error) => showError(`Could not bring ${project.name} back`, error)),
      },
      settle: () => void purgeProjects({ id: project.id }).catch(() => {}),
    });
  };
  const duplicate = async (project: Project) => {
    try {
      await copyProject(project.id);
      await load();
    } catch (error) {
      showError(`Could not copy ${project.name}`, error);
    }
  };

  return (
    <section aria-labelledby="start-projects">
      <h2 id="start-projects">Your projects</h2>
      {projects === undefined && <div className="projects-none" aria-busy="true" />}
      {projects !== undefined && 'error' in projects && (
        <Failure what="The projects of this browser can’t be read" error={projects.error} retry={() => void load()} />
      )}
      {Array.isArray(projects) && projects.length === 0 && (
        <p className="projects-none">What you start is listed here, with its files, until you delete it.</p>
      )}
      {Array.isArray(projects) && projects.length > 0 && (
        <ul className="projects">
          {projects.map((project) => (
            <ProjectRow key={project.id} project={project} rename={rename} duplicate={duplicate} remove={remove} />
          ))}
        </ul>
      )}
    </section>
  );
}
