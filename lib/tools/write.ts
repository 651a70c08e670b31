// The write tool: a whole file at once. It never replaces a version of a file that the model has not seen.

import { z } from 'zod';
import { byteLength } from '../std/bound-text';
import { counted } from '../std/counted';
import { mainLineEnding, splitLines, withLineEnding } from '../std/line-endings';
import type { DecodedText } from '../std/text-file';
import { changeFiles, metaOf } from './change-set';
import { fileDiff, shortDiff } from './file-diff';
import { type Located, locate } from './locate';
import { readTextTarget } from './text-target';
import { type Tool, type ToolContext, ToolError } from './tool';
import { writePrompt } from './write.prompt';

const input = z.object({
  path: z.string().min(1).describe('The file to create or replace'),
  content: z.string().describe('The whole new content'),
  createOnly: z.boolean().optional().describe('Refuse if the file exists'),
});

/** Creates or replaces a file. */
export const writeTool: Tool<z.infer<typeof input>> = {
  name: 'write',
  kind: 'write',
  description: writePrompt.description,
  input,
  example: { path: 'src/hello.ts', content: "export const hello = 'world';\n" },
  async execute({ path, content, createOnly = false }, context) {
    const place = await locate(context, path);
    if (!content.isWellFormed())
      throw new ToolError('content holds half of a surrogate pair, which no file can. Send it again without.');
    context.update({ title: place.shown });
    const first = await known(place, createOnly, context);
    if (first?.text === shaped(content, first))
      return { title: place.shown, output: writePrompt.unchanged(place.shown) };
    const title = `${first === undefined ? 'Create' : 'Replace'} ${place.shown}`;
    const { diffs, note, remark } = await changeFiles(context, title, async () => {
      const before = await known(place, createOnly, context);
      const text = shaped(content, before);
      return { changes: [{ kind: 'write', place, before, text }], note: text };
    });
    const size = `${counted(splitLines(note).length, 'line')}, ${counted(byteLength(note), 'byte')}`;
    const output =
      diffs[0]!.change === 'created'
        ? `Created ${place.shown} (${size}).`
        : `${remark || `Replaced ${place.shown} (${size}).`}\n${shortDiff(diffs[0]!)}`;
    return { title: place.shown, output, meta: metaOf(diffs) };
  },
};

/** What is there, when the model knows it; ToolErrors when it does not. */
async function known(place: Located, createOnly: boolean, context: ToolContext): Promise<DecodedText | undefined> {
  const file = await readTextTarget(context.sandbox, place);
  if (file === undefined) return undefined;
  if (createOnly) throw new ToolError(writePrompt.exists(place.shown));
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
