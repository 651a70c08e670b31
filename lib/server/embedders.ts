// Whose pages may boot the engine by the WebContainer protocol besides the IDE's own. Nobody, unless the deployment names them.
import { z } from 'zod';
import { type Environment, originList, readEnvironment } from './environment';

const schema = z.object({ CLOCHE_EMBEDDERS: originList });

/** From CLOCHE_EMBEDDERS, comma-separated origins. Throws an Error that names the variable when one of them is none. */
export function readEmbedders(env: Environment): string[] {
  return readEnvironment(schema, env).CLOCHE_EMBEDDERS;
}
