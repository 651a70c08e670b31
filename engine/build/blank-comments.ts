// Lib's sources are a third comments, which every first visit would fetch and every worker copy and skip. Lines that hold nothing else become empty; a line
// with code stays as it is, because reports of errors quote it, and so do the positions in stack traces.
import { type Comment, parse } from 'acorn';

/** `source` without the text of comments that have their lines to themselves; as many lines, and all others unchanged. Throws acorn's SyntaxError. */
export function blankComments(source: string): string {
  const comments: Comment[] = [];
  parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowHashBang: true,
    onComment: comments,
  });
  let text = '';
  let at = 0;
  for (const { start, end } of comments) {
    const lineStart = source.lastIndexOf('\n', start - 1) + 1;
    const lineEnd = source.indexOf('\n', end) < 0 ? source.length : source.indexOf('\n', end);
    if (source.slice(lineStart, start).trim() !== '' || source.slice(end, lineEnd).trim() !== '') continue;
    text += source.slice(at, lineStart) + source.slice(start, end).replace(/[^\n]+/g, '');
    at = lineEnd;
  }
  return text + source.slice(at);
}
