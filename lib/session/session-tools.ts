// The tools that belong to one conversation: its list, its questions to the person, its sub-agents.
import { lastRule } from '../permission/rules';
import { type Agent, subagentsOf } from '../registry/agents';
import type { ToolSource } from '../registry/registry';
import { type AskQuestions, questionTool } from '../tools/question';
import { taskTool } from '../tools/task';
import { type TodoList, todoTool } from '../tools/todo';

interface SessionToolsOptions {
  todos: TodoList;
  askQuestions: AskQuestions;
  agents(): readonly Agent[];
  maxDepth(): number;
}

/** A source of tools for one conversation. */
export function sessionTools({ todos, askQuestions, agents, maxDepth }: SessionToolsOptions): ToolSource {
  return {
    name: 'Cloche',
    offer({ depth = 0, rules }) {
      const tools = [todoTool(todos), questionTool(askQuestions)];
      if (depth >= maxDepth())
        return { tools, absent: [{ name: 'task', why: `Sub-agents start others only ${maxDepth()} deep.` }] };
      const allowed = subagentsOf(agents()).filter(({ name }) =>
        [rules.policy, rules.project ?? [], rules.role].every(
          (list) => lastRule('task', name, list)?.effect !== 'deny',
        ),
      );
      if (allowed.length === 0) return { tools, absent: [{ name: 'task', why: 'No sub-agent is allowed.' }] };
      return { tools: [...tools, taskTool(allowed)] };
    },
  };
}
