// A call that its server runs as a task (tool.execution.taskSupport is `required`): it is asked for until it is over, and taken back when the call
// is stopped. Seen from outside it is a call like any other.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { z } from 'zod';

const ttlMs = 12 * 3_600_000;

/** Resolves to the answer as the server sent it. Rejects as a plain call does. `onLife`: the task is still there. */
export async function callAsTask(
  client: Client,
  params: { name: string; arguments: Record<string, unknown> },
  options: RequestOptions,
  onLife: () => void,
): Promise<unknown> {
  let taskId: string | undefined;
  const stream = client.experimental.tasks.requestStream({ method: 'tools/call', params }, z.looseObject({}), {
    ...options,
    task: { ttl: ttlMs },
  });
  const takeBack = () => {
    if (taskId !== undefined) void client.experimental.tasks.cancelTask(taskId).catch(() => {});
  };
  options.signal?.addEventListener('abort', takeBack, { once: true });
  try {
    for await (const message of stream) {
      options.signal?.throwIfAborted();
      switch (message.type) {
        case 'taskCreated':
          taskId = message.task.taskId;
          break;
        case 'taskStatus':
          onLife();
          break;
        case 'result':
          return message.result;
        case 'error':
          throw message.error;
      }
    }
    throw new Error('The task ended without an answer.');
  } finally {
    options.signal?.removeEventListener('abort', takeBack);
  }
}
