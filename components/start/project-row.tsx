// One project of the list.
'use client';

import { Copy, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Project } from '../../lib/project/projects';
import { RenameField } from '../ui/rename-field';
import { showSize, showTime } from '../ui/show-size';

interface ProjectRowProps {
  project: Project;
  rename: (project: Project, name: string) => Promise<void>;
  duplicate: (project: Project) => Promise<void>;
  remove: (project: Project) => Promise<void>;
}

/** Its name is the link; the buttons stand beside it. */
export function ProjectRow({ project, rename, duplicate, remove }: ProjectRowProps) {
  const [renaming, setRenaming] = useState(false);
  const { id, name, openedAtMs, sizeBytes } = project;
  const finish = (typed: string) => {
    setRenaming(false);
    if (typed.trim() !== '' && typed !== name) void rename(project, typed);
  };
  return (
    <li className="project">
      {renaming ? (
        <RenameField name={name} label={`New name of ${name}`} finish={finish} cancel={() => setRenaming(false)} />
      ) : (
        <a href={`/p/${id}`}>{name}</a>
      )}
      <span className="project-facts">
        <span title={new Date(openedAtMs).toLocaleString('en')}>{showTime(openedAtMs)}</span>
        <span>{showSize(sizeBytes)}</span>
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={`Rename ${name}`}
        title="Rename"
        onClick={() => setRenaming(true)}
      >
        <Pencil size={16} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Duplicate ${name}`}
        title="Duplicate"
        onClick={() => void duplicate(project)}
      >
        <Copy size={16} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={() => void remove(project)}
      >
        <Trash2 size={16} />
      </button>
    </li>
  );
}
