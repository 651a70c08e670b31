// What a question asks, in one line: the words of the tool, a command as code.
import { visibleText } from '../../lib/std/visible-text';

/** A command is shown as what is typed. */
export function AskTitle({ title, command }: { title: string; command: string | undefined }) {
  const first = command?.split('\n')[0];
  if (first === undefined || title !== `Run ${first}`) return `${visibleText(title)}?`;
  return (
    <>
      Run <code>{visibleText(first)}</code>?
    </>
  );
}
