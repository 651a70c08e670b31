// The todo tool: the agent's list of what is to do. It lives in the session and not in the transcript, so no summary can lose it.
import { z } from 'zod';
import { todoPrompt } from './todo.prompt';
import type { Tool } from './tool';

const todo = z.object({
  content: z.string().min(1),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
  priority: z.enum(['high', 'medium', 'low']).optional(),
});
const input = z.object({ todos: z.array(todo).max(200).optional().describe('The whole new list') });

/** One thing to do. */
export type Todo = z.infer<typeof todo>;

/** The list of one session. */
export interface TodoList {
  get(): readonly Todo[];
  /** Resolves when it is kept. */
  set(todos: Todo[]): Promise<void>;
}

/** The tool on a session's list. */
export function todoTool(list: TodoList): Tool<z.infer<typeof input>> {
  return {
    name: 'todo',
    kind: 'control',
    description: todoPrompt.description,
    input,
    example: { todos: [{ content: 'Write the failing test', status: 'in_progress' }] },
    async execute({ todos }) {
      if (todos !== undefined) await list.set(todos);
      const now = list.get();
      const open = now.filter((one) => one.status === 'pending' || one.status === 'in_progress').length;
      return {
        title: `${open} of ${now.length} to do`,
        output: todoText(now) || todoPrompt.empty,
        meta: { todos: now },
      };
    },
  };
}

const marks: Record<Todo['status'], string> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]',
};

/** The list as text for the model; empty when nothing is on it. */
export function todoText(todos: readonly Todo[]): string {
  return todos
    .map(
      ({ content, status, priority }) => `${marks[status]} ${content}${priority === undefined ? '' : ` (${priority})`}`,
    )
    .join('\n');
}
