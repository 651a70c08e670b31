// One project of the list.
'use client';

import { Copy, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Project } from '../../lib/project/projects';
import { RenameField } from '../ui/rename-field';
import { showSize, showTime } from '../ui/show-size';
import { TitledButton } from '../ui/titled-button';
import { OpeningLink } from './opening-link';

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
        <OpeningLink href={`/p/${id}`}>{name}</OpeningLink>
      )}
      <span className="project-facts">
        <span title={new Date(openedAtMs).toLocaleString('en')}>{showTime(openedAtMs)}</span>
        <span>{showSize(sizeBytes)}</span>
      </span>
      <TitledButton icon={Pencil} label={`Rename ${name}`} title="Rename" onClick={() => setRenaming(true)} />
      <TitledButton icon={Copy} label={`Duplicate ${name}`} title="Duplicate" onClick={() => void duplicate(project)} />
      <TitledButton icon={Trash2} label={`Delete ${name}`} title="Delete" onClick={() => void remove(project)} />
    </li>
  );
}
