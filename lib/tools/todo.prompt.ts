// What the model reads about todo.

export const todoPrompt = {
  description: `Keeps your list of what is to do. The person sees it and may change it.

- todos: the whole new list, in order; each has content (what is to do), status (pending, in_progress, completed or cancelled) and optionally priority (high, medium or low). Leave todos out to read the list.

Use it for work of three or more steps. Keep one item in_progress, and set it completed as soon as it is.`,
  empty: 'The list is empty.',
};
