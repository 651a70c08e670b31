// What a question asks, in one line: the words of the tool, a command as code. A command that is no line stands below, where it can be read.
import { visibleText } from '../../lib/std/visible-text';

/** More than this wraps to several lines even on a wide screen. */
const lineChars = 72;

/** Whether it is too much for the title: the card shows it whole, as a block. */
export function isLongCommand(command: string | undefined): command is string {
  return command !== undefined && (command.includes('\n') || command.length > lineChars);
}

/** A command is shown as what is typed. */
export function AskTitle({ title, command }: { title: string; command: string | undefined }) {
  const first = command?.split('\n')[0];
  if (first === undefined || title !== `Run ${first}`) return `${visibleText(title)}?`;
  if (isLongCommand(command)) return 'Run this command?';
  return (
    <>
      Run <code>{visibleText(first)}</code>?
    </>
  );
}
