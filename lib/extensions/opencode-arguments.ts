// Hooks are written for OpenCode's tools, some of whose arguments have other names there. A hook finds both names, and what it changes under
// either counts.

import { byName } from '../std/by-name';
import { isRecord } from '../std/json';

/** By tool: OpenCode's name → ours. */
const otherNames: Record<string, Record<string, string>> = byName<Record<string, string>>({
  read: { filePath: 'path' },
  edit: { filePath: 'path' },
  write: { filePath: 'path' },
  bash: { timeout: 'timeoutMs' },
  task: { subagent_type: 'agent' },
  apply_patch: { patchText: 'patch' },
});

/** Ours with OpenCode's names beside them. */
export function withOpencodeNames(tool: string, args: unknown): unknown {
  const names = Object.hasOwn(otherNames, tool) ? otherNames[tool]! : {};
  if (!isRecord(args)) return args;
  const added = Object.entries(names).filter(([, ours]) => args[ours] !== undefined);
  return { ...args, ...Object.fromEntries(added.map(([theirs, ours]) => [theirs, args[ours]])) };
}

/** Ours alone. `before`: what `withOpencodeNames` was given; where the two names differ, the one that was changed counts. */
export function withoutOpencodeNames(tool: string, before: unknown, after: unknown): unknown {
  const names = Object.hasOwn(otherNames, tool) ? otherNames[tool]! : {};
  if (!isRecord(after) || !isRecord(before)) return after;
  const out = { ...after };
  for (const [theirs, ours] of Object.entries(names)) {
    if (out[theirs] !== undefined && (out[ours] === undefined || out[theirs] !== before[ours])) out[ours] = out[theirs];
    delete out[theirs];
  }
  return out;
}
