// The agent's list of what is to do, above the composer: one line that opens to the whole list, which the person may change too.
'use client';

import { ChevronRight, ListTodo } from 'lucide-react';
import { useState } from 'react';
import type { Todo } from '../../lib/session/messages';
import { useCurrent } from './chat-context';
import { NewTodo, TodoItem } from './todo-item';

/** Nothing while the list is empty. */
export function TodoStrip() {
  const { session, state } = useCurrent();
  const [open, setOpen] = useState(false);
  const { todos } = state;
  if (todos.length === 0) return null;
  const done = todos.filter((todo) => todo.status === 'completed' || todo.status === 'cancelled').length;
  const now = todos.find((todo) => todo.status === 'in_progress') ?? todos.find((todo) => todo.status === 'pending');
  const change = (at: number, todo: Todo | undefined) =>
    session.setTodos(todos.flatMap((one, index) => (index !== at ? [one] : todo === undefined ? [] : [todo])));
  return (
    <section className="chat-strip" aria-label="What is to do">
      <button type="button" className="strip-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden="true" className="tool-chevron" />
        <ListTodo size={14} aria-hidden="true" />
        <span className="strip-text">{now === undefined ? 'All done' : now.content}</span>
        <span className="tool-state">{`${done} of ${todos.length}`}</span>
      </button>
      {open && (
        <ul className="todo-list">
          {todos.map((todo, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place in the list.
            <TodoItem key={at} todo={todo} change={(to) => change(at, to)} />
          ))}
          <NewTodo add={(content) => session.setTodos([...todos, { content, status: 'pending' }])} />
        </ul>
      )}
    </section>
  );
}
