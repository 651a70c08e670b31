// What the model reads about task.

export const taskPrompt = {
  description: (
    agents: readonly { name: string; description: string }[],
  ) => `Gives a task to a sub-agent and waits for its answer. Several calls in one step run in parallel.

- agent: which one:
${agents.map((agent) => `  - ${agent.name}: ${agent.description}`).join('\n')}
- description: the task in three to five words, for the person.
- prompt: everything that the sub-agent needs to know. It does not see this conversation; say what you want to get back.
- taskId: to go on with an earlier task, the id that its result named.

Use it for searches over many files and for work that stands on its own. For one file that you know, read it yourself.`,
  unknownAgent: (name: string, names: string[]) =>
    `There is no sub-agent named ${name}. The sub-agents are: ${names.join(', ')}.`,
  stopped: (taskId: string, why: string, said: string) =>
    `The sub-agent was stopped before it was done: ${why}${said === '' ? '' : ` What it had said by then: ${said}`}\nTo go on with it, call task with taskId ${taskId}.`,
  silent: (taskId: string, minutes: number, said: string) =>
    `The sub-agent gave no sign of life for ${minutes} minutes and was stopped.${said === '' ? '' : ` What it had said by then: ${said}`}\nTo go on with it, call task with taskId ${taskId}; or do without it.`,
  result: (taskId: string, text: string) => `${text}\n\n(task ${taskId})`,
};
