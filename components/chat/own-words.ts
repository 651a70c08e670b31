// What the person's own skills, agents and commands are called, and what their forms say.
import type { EntryKind } from '../../lib/config/own-entries';

/** Words of one kind. */
interface KindWords {
  one: string;
  title: string;
  /** What it is for. */
  about: string;
  description: string;
  text: string;
  hint: string;
}

/** By kind. */
export const kindWords: Record<EntryKind, KindWords> = {
  skill: {
    one: 'skill',
    title: 'Skills',
    about:
      'Instructions for a kind of task. The model sees their names and descriptions, and loads one when it needs it.',
    description: 'When to use it',
    text: 'Instructions',
    hint: 'Without this the model does not know that it is there.',
  },
  agent: {
    one: 'agent',
    title: 'Agents',
    about: 'Roles with a prompt of their own: to talk to, or for the agent to give tasks to.',
    description: 'What it is good for',
    text: 'Prompt',
    hint: 'The agent that gives out tasks reads this.',
  },
  command: {
    one: 'command',
    title: 'Commands',
    about: 'What you say often, behind a slash.',
    description: 'What it does',
    text: 'What it says',
    hint: 'Shown when you type the slash.',
  },
};

/** What may stand in a command. */
export const commandHint =
  '$ARGUMENTS and $1, $2 … are what you type after it, @path brings a file, !`command` what a command prints (it asks first).';
