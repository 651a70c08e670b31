// What nobody can know here: the environment that a project's configuration refers to. Trying again would not help.
import { type McpServerConfig, wantedVariables } from './server-config';

/** Not worth another try. */
export class UnknowableError extends Error {}

/** *Throws* an UnknowableError that names the variables. */
export function refuseUnknowable(config: McpServerConfig): void {
  const wanted = wantedVariables(config);
  if (wanted.length > 0)
    throw new UnknowableError(
      `Its configuration refers to environment variables (${wanted.join(', ')}), which a project can't read here. Add the server yourself, with the values.`,
    );
}
