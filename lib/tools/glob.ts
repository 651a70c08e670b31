// The glob tool: paths by name, the same ignore rules everywhere, and an honest count of what those rules hid.
import { z } from 'zod';
import { displayPath, pathInLine } from '../std/paths';
import { globPrompt } from './glob.prompt';
import { askToRead, locate } from './locate';
import { nearNames } from './near-names';
import { readPrompt } from './read.prompt';
import { searchWithLimits } from './search-limits';
import { type Tool, ToolError } from './tool';

const skippedCountLimit = 1000;

const input = z.object({
  pattern: z.string().min(1).describe('A glob such as src/**/*.ts'),
  path: z.string().min(1).optional().describe('Directory; default the project'),
  ignored: z.boolean().optional().describe('Find ignored files too'),
  limit: z.number().int().positive().max(1000).optional().describe('How many paths'),
});

/** Finds files by name. */
export const globTool: Tool<z.infer<typeof input>> = {
  name: 'glob',
  kind: 'read',
  description: globPrompt.description,
  returns: '{ paths: string[]; more: boolean }',
  input,
  example: { pattern: 'src/**/*.test.ts' },
  async execute({ pattern, path, ignored, limit = 100 }, context) {
    const place = await locate(context, path ?? '.');
    context.update({ title: path ? `${pattern} in ${place.shown}` : pattern });
    await askToRead(context, [place]);
    const stat = await context.sandbox.fs.stat(place.path).catch(async (error: { code?: string }) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
      throw new ToolError(readPrompt.missing(place.shown, await nearNames(context.sandbox, place.path)));
    });
    if (stat.kind !== 'directory') throw new ToolError(globPrompt.notDirectory(place.shown));
    const search = (respectIgnore: boolean, maxResults: number, newestFirst: boolean) =>
      searchWithLimits(context.signal, globPrompt.timedOut, (signal) =>
        context.sandbox.search.files({ path: place.path, pattern, respectIgnore, maxResults, newestFirst, signal }),
      );
    // What was changed last is what one works on.
    const found = await search(!ignored, limit, true);
    const lines = found.paths.map((file) => pathInLine(displayPath(file, context.sandbox.workdir)));
    if (lines.length === 0) lines.push(globPrompt.none(pattern));
    if (found.truncated) lines.push(globPrompt.more(limit));
    let skipped = 0;
    if (!ignored && !found.truncated) {
      const more = await search(false, found.paths.length + skippedCountLimit, false);
      skipped = more.paths.filter((file) => !file.includes('/.git/')).length - found.paths.length;
      if (skipped > 0) lines.push(globPrompt.skipped(skipped, more.truncated));
    }
    const meta = { matches: found.paths.length, truncated: found.truncated, skipped: Math.max(0, skipped) };
    const value = () => ({
      paths: found.paths.map((file) => displayPath(file, context.sandbox.workdir)),
      more: found.truncated,
    });
    return { title: pattern, output: lines.join('\n'), meta, value };
  },
};
