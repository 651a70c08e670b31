// How views reach the workbench of the page.
'use client';

import { createContext, use } from 'react';
import type { Command } from './commands';
import type { Workbench } from './workbench';

export interface WorkbenchScope {
  workbench: Workbench;
  commands: readonly Command[];
}

/** Given by the IDE once the sandbox is ready. */
export const WorkbenchContext = createContext<WorkbenchScope | null>(null);

/** The workbench; throws outside an open project. */
export function useWorkbench(): Workbench {
  return useScope().workbench;
}

/** All commands of the palette. */
export function useCommands(): readonly Command[] {
  return useScope().commands;
}

function useScope(): WorkbenchScope {
  const scope = use(WorkbenchContext);
  if (!scope) throw new Error('This view needs an open project.');
  return scope;
}
