// Slash commands of a project: a template, and what becomes of it with the words that were typed. Every placeholder is replaced in one pass over
// the template, so nothing that was typed is ever read as a placeholder.
import { commandWords } from './command-words';
import { type ConfigProblem, membersOf } from './problems';

/** One command as data. */
export interface Command {
  /** What is typed after the slash. */
  name: string;
  description: string;
  template: string;
  agent?: string;
  model?: string;
  /** It runs as a task of its own. */
  subtask?: boolean;
  /** Where it comes from, for people. */
  source: string;
}

/** `from`: front matter or the `command` section; undefined and a problem when it has no template. */
export function readCommand(
  name: string,
  from: Record<string, unknown>,
  path: string,
  where: string,
  problems: ConfigProblem[],
): Command | undefined {
  const { text, flag, reportUnknown } = membersOf(from, path, where, problems);
  reportUnknown(['template', 'description', 'agent', 'model', 'subtask', 'name']);
  const template = text('template');
  if (template === undefined || template.trim() === '') {
    problems.push({ path, message: `${where}template is missing: the command /${name} would say nothing.` });
    return undefined;
  }
  const [agent, model, subtask] = [text('agent'), text('model'), flag('subtask')];
  return {
    name,
    description: text('description') ?? '',
    template,
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(subtask === undefined ? {} : { subtask }),
    source: path,
  };
}

/** A command with its words put in. */
export interface ExpandedCommand {
  text: string;
  /** What stood in `` !`…` ``, in order: to be run through the bash tool and its permission. */
  shell: string[];
  /** What stood after an `@`: paths or names of agents. */
  mentions: string[];
}

const placeholder = /!`([^`\n]+)`|\$ARGUMENTS|\$(\d+)|(?<![\w`])@([\w./~-]*[\w/-])/g;

/** Puts the words in. The highest `$n` takes all words that are left; a template without placeholders gets the words at its end. */
export function expandCommand(template: string, typed: string): ExpandedCommand {
  const args = typed.trim();
  const words = commandWords(args);
  const numbers = [...template.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])).filter((one) => one > 0);
  const highest = Math.max(0, ...numbers);
  const word = (at: number) => (at === highest ? words.slice(at - 1).join(' ') : (words[at - 1] ?? ''));
  const filled = (text: string) =>
    text.replace(/\$ARGUMENTS|\$(\d+)/g, (all, digits?: string) =>
      digits === undefined ? args : Number(digits) > 0 ? word(Number(digits)) : all,
    );
  const shell: string[] = [];
  const mentions: string[] = [];
  let text = template.replace(placeholder, (all, command?: string, _digits?: string, mention?: string) => {
    if (command !== undefined) {
      shell.push(filled(command));
      return `(the output of \`${shell.at(-1)}\`, below)`;
    }
    if (mention !== undefined) {
      mentions.push(mention);
      return all;
    }
    return filled(all);
  });
  if (numbers.length === 0 && !template.includes('$ARGUMENTS') && args !== '') text = `${text.trimEnd()}\n\n${args}`;
  return { text: text.trim(), shell, mentions };
}
