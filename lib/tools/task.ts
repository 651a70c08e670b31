// The task tool: another agent, in a conversation of its own, whose last words are the result.
import { z } from 'zod';
import { taskPrompt } from './task.prompt';
import { type Tool, ToolError } from './tool';

const input = z.object({
  agent: z.string().min(1).describe('Which sub-agent'),
  description: z.string().min(1).max(80).describe('The task in a few words'),
  prompt: z.string().min(1).describe('Everything that it needs to know'),
  taskId: z.string().min(1).optional().describe('Go on with this task'),
});

/** The tool with these sub-agents, sorted by name. */
export function taskTool(agents: readonly { name: string; description: string }[]): Tool<z.infer<typeof input>> {
  return {
    name: 'task',
    kind: 'control',
    description: taskPrompt.description(agents),
    input,
    example: {
      agent: agents[0]?.name ?? 'explore',
      description: 'Find the config loader',
      prompt: 'Where is the configuration read? Name files and lines.',
    },
    async execute(request, context) {
      context.update({ title: request.description });
      if (!agents.some((agent) => agent.name === request.agent))
        throw new ToolError(
          taskPrompt.unknownAgent(
            request.agent,
            agents.map((agent) => agent.name),
          ),
        );
      await context.ask({
        permission: 'task',
        patterns: [request.agent],
        always: ['*'],
        title: `Give a task to ${request.agent}: ${request.description}`,
      });
      return context.runAgent(request);
    },
  };
}
