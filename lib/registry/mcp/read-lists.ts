// What a server offers, all of it at once. Without its tools a server is of no use; a list of the others that can't be read costs that list.
import type { ProtocolClient } from './protocol-client';
import { type McpServerState, reasonOf } from './server-state';

/** Rejects when the tools can't be read. What else goes wrong is logged. */
export async function readLists(
  from: ProtocolClient,
  log: (line: string) => void,
): Promise<Pick<McpServerState, 'tools' | 'resources' | 'resourceTemplates' | 'prompts'>> {
  type What = Parameters<ProtocolClient['list']>[0];
  const list = (what: What, isOffered: boolean) => (isOffered ? from.list(what) : Promise.resolve([]));
  const optional = (what: What, isOffered: boolean) =>
    list(what, isOffered).catch((error: unknown) => {
      log(`${what}: ${reasonOf(error)}`);
      return [];
    });
  const { offers } = from;
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    list('tools', offers.tools),
    optional('resources', offers.resources),
    optional('resourceTemplates', offers.resources),
    optional('prompts', offers.prompts),
  ]);
  return { tools, resources, resourceTemplates, prompts };
}
