// The write tool: a whole file at once. It never replaces a version of a file that the model has not seen.
import { z } from 'zod';
import { byteLength } from '../std/bound-text';
import { mainLineEnding, splitLines, withLineEnding } from '../std/line-endings';
import { type DecodedText, encodeText } from '../std/text-file';
import { fileDiff, shortDiff } from './file-diff';
import { type Located, locate, outsideFacts } from './locate';
import { readTextTarget, withFileLock } from './text-target';
import { type Tool, type ToolContext, ToolError } from './tool';
import { writePrompt } from './write.prompt';

const input = z.object({
  path: z.string().min(1).describe('The file to create or replace'),
  content: z.string().describe('The whole new content'),
});

/** Creates or replaces a file. */
export const writeTool: Tool<z.infer<typeof input>> = {
  name: 'write',
  kind: 'write',
  description: writePrompt.description,
  input,
  example: { path: 'src/hello.ts', content: "export const hello = 'world';\n" },
  async execute({ path, content }, context) {
    const place = await locate(context, path);
    if (!content.isWellFormed())
      throw new ToolError('content holds half of a surrogate pair, which no file can. Send it again without.');
    context.update({ title: place.shown });
    const before = await known(place, context);
    const planned = shaped(content, before);
    if (before?.text === planned) return { title: place.shown, output: writePrompt.unchanged(place.shown) };
    await context.ask({
      permission: 'edit',
      patterns: [place.shown],
      always: ['*'],
      title: `${before === undefined ? 'Create' : 'Replace'} ${place.shown}`,
      also: outsideFacts([place]),
      meta: { ...fileDiff(place.shown, before?.text, planned) },
    });
    return withFileLock(context.sandbox, place.path, async () => {
      const now = await known(place, context);
      context.signal.throwIfAborted();
      const text = shaped(content, now);
      await context.sandbox.fs.write(place.path, encodeText(text, now ?? { encoding: 'utf-8', bom: false }));
      context.seen.set(place.path, text);
      const diff = fileDiff(place.shown, now?.text, text);
      const size = `${splitLines(text).length} lines, ${byteLength(text)} bytes`;
      const output =
        now === undefined
          ? `Created ${place.shown} (${size}).`
          : `Replaced ${place.shown} (${size}).\n${shortDiff(diff)}`;
      return { title: place.shown, output, meta: { ...diff } };
    });
  },
};

/** What is there, when the model knows it; ToolErrors when it does not. */
async function known(place: Located, context: ToolContext): Promise<DecodedText | undefined> {
  const file = await readTextTarget(context.sandbox, place);
  if (file === undefined) return undefined;
  const base = context.seen.get(place.path);
  if (base === undefined && file.text !== '') throw new ToolError(writePrompt.unread(place.shown));
  if (base !== undefined && base !== file.text)
    throw new ToolError(writePrompt.moved(place.shown, shortDiff(fileDiff(place.shown, base, file.text))));
  return file;
}

/** A file of CRLF lines stays one, unless the new content says otherwise itself. */
function shaped(content: string, before: DecodedText | undefined): string {
  const keepsCrlf =
    before?.text.includes('\r\n') && mainLineEnding(before.text) === '\r\n' && !content.includes('\r\n');
  return keepsCrlf ? withLineEnding(content, '\r\n') : content;
}
