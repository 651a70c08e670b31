// What the model reads about job.

export const jobPrompt = {
  description: `Looks after commands that run in the background (those that bash started with background, or that the person let go of).

- action: list, log, wait, write or kill.
- id: which job, as bash named it; not for list.
- offset: log: the first line to show, 1-based; negative counts from the end (default -100).
- limit: log: how many lines (default 100).
- port: wait: until it listens on this port.
- pattern: wait: until this regular expression matches what it printed.
- timeoutMs: wait: how long at most (default 30000).
- input: write: text for its standard input; end a line with a newline.`,
  beyond: (offset: number, total: number) => `(offset ${offset} is beyond the end: it has printed ${total} lines)`,
  none: 'Nothing runs in the background.',
  unknown: (id: string, ids: string[]) =>
    `There is no job ${id}. ${ids.length === 0 ? 'Nothing runs in the background.' : `The jobs are: ${ids.join(', ')}.`}`,
  missing: (action: string, what: string) => `${action} needs ${what}.`,
  badPattern: (pattern: string, why: string) => `${pattern} can’t be used as a regular expression: ${why}.`,
  notYours: (id: string) =>
    `${id} was started by an agent that may change files, and you may only look: you can read its log and wait for it, not type into it.`,
  inputClosed: (id: string) => `The standard input of ${id} is closed.`,
  waited: { port: 'It listens.', pattern: 'The pattern matched.', ended: 'It has ended.', timeout: 'Not yet.' },
};
