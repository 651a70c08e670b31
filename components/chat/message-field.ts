// The field in which the person writes, alike in the composer and in what stands in its place while a conversation is opened.

/** What both have in common. */
export const messageField = {
  'data-panel-focus': true,
  className: 'composer-text',
  dir: 'auto',
  rows: 1,
  'aria-label': 'Message to the agent',
} as const;
