// Which hooks of OpenCode's plugins are called. What is not here is named to the person: nothing is ignored in silence.

/** In the order in which they are listed. */
export const calledHooks = [
  'config',
  'event',
  'chat.message',
  'tool.definition',
  'tool.execute.before',
  'tool.execute.after',
  'permission.evaluate',
  'permission.ask',
  'chat.params',
  'shell.env',
  'experimental.chat.system.transform',
  'experimental.session.compacting',
];

/** Members of what a plugin returns that are no hooks and are used. */
export const otherMembers = ['tool', 'dispose'];
