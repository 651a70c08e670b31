// AGENTS.md and its kin: the root's are in the system prompt, those of a folder are told when a file below it is read, once per conversation.
import { estimateTokens } from '../std/bound-text';
import { displayPath, parentPath } from '../std/paths';
import { outputScheme } from '../tools/kept-outputs';
import type { Tool } from '../tools/tool';
import type { BroughtFile } from './scan-project';

/** What all instructions of the system prompt may take, and those of one folder. Estimates. */
export const instructionTokens = { root: 8000, folder: 3000 };

/** The files for the system prompt: the root's own, then those that `instructions` of the configuration names. */
export function rootInstructions(files: readonly BroughtFile[]): BroughtFile[] {
  return files.filter((file) => file.kind === 'instructions' && (!file.path.includes('/') || file.name === 'named'));
}

/** How much of the budget each file takes. */
export function instructionSizes(
  files: readonly BroughtFile[],
  budget = instructionTokens.root,
): { path: string; tokens: number; isCut: boolean }[] {
  let left = budget;
  return files.map(({ path, text }) => {
    const tokens = estimateTokens(cutToTokens(text, left));
    const isCut = tokens < estimateTokens(text);
    left -= tokens;
    return { path, tokens, isCut };
  });
}

/** As one text within the budget, each with its origin; what does not fit is named. */
export function instructionText(files: readonly BroughtFile[], budget = instructionTokens.root): string | undefined {
  let left = budget;
  const blocks = files.map(({ path, text }) => {
    const fitting = cutToTokens(text, left);
    left -= estimateTokens(fitting);
    const cut = fitting.length < text.length ? `\n(The rest of ${path} is left out here; read the file.)` : '';
    return `Instructions from ${path}:\n${fitting.trim()}${cut}`;
  });
  return blocks.length === 0 ? undefined : blocks.join('\n\n');
}

function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low);
}

/** The read tool that also tells what the folders of the file say. `told`: what this conversation knows already; it is added to. */
export function tellingFolders(tool: Tool, files: () => readonly BroughtFile[], told: Set<string>): Tool {
  return {
    ...tool,
    async execute(input: { path: string }, context) {
      const result = await tool.execute(input, context);
      // A kept output lies in no folder.
      if (input.path.startsWith(outputScheme)) return result;
      const path = displayPath(await context.sandbox.fs.realpath(absolute(input.path, context.cwd)), context.cwd);
      const folders = files().filter(
        (file) =>
          file.path.includes('/') &&
          file.path !== path &&
          `${path}/`.startsWith(`${parentPath(file.path)}/`) &&
          !told.has(`${file.path} ${file.hash}`),
      );
      for (const file of folders) told.add(`${file.path} ${file.hash}`);
      const text = instructionText(folders, instructionTokens.folder);
      if (text === undefined) return result;
      return {
        ...result,
        output: `${result.output}\n\n${text}`,
        meta: { ...result.meta, instructions: folders.map((file) => file.path) },
      };
    },
  };
}

function absolute(path: string, cwd: string): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`;
}
