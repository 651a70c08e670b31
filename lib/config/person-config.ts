// The person's own opencode.json, for all projects: the same reader as a project's, but what it allows counts, and it may say how agents work.
import { closest } from '../std/closest';
import { withLines } from './config-lines';
import type { ConfigProblem } from './problems';
import { personPath, readCustoms } from './read-customs';

/** Where it is kept in the browser's localStorage. */
export const personConfigKey = 'cloche:opencode';

/** Permissions that something of Cloche asks for; servers and custom tools have more. */
const permissions =
  '* read edit bash task todo question skill lsp webfetch websearch codesearch outside external_directory doom_loop job glob grep list write todowrite todoread patch multiedit apply_patch execute model sampling mcp_resource'.split(
    ' ',
  );

/** What is wrong with it, with lines, in their order. `isBroken`: it is no JSON object, so nothing of it would count. */
export async function checkPersonConfig(text: string): Promise<{ problems: ConfigProblem[]; isBroken: boolean }> {
  if (text.trim() === '') return { problems: [], isBroken: false };
  const { problems, personRules } = await readCustoms([], text);
  const isBroken = problems.some((problem) => problem.isBroken);
  const unknown = new Set(personRules.map((rule) => rule.permission).filter((name) => !permissions.includes(name)));
  const hints = [...unknown].flatMap((name): ConfigProblem[] => {
    const [near] = /[*?_]/.test(name) ? [] : closest(name, permissions, 1);
    const message = `permission.${name}: nothing asks for ${name}. Did you mean ${near}?`;
    return near === undefined ? [] : [{ path: personPath, message, key: `permission.${name}` }];
  });
  const placed = await withLines(text, [...problems, ...hints]);
  return { problems: placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)), isBroken };
}
