// What nobody can know here: the environment that a project's configuration refers to. Trying again would not help.
import type { McpServerConfig } from './server-config';

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

/** Names of environment variables that the configuration refers to: `{env:NAME}`, `${NAME}`. Nobody's environment is given to it. */
export function wantedVariables(server: McpServerConfig): string[] {
  const values =
    server.kind === 'local'
      ? [...server.command, ...Object.values(server.environment)]
      : [server.url, ...Object.values(server.headers)];
  const found = values.flatMap((text) => [...text.matchAll(/\{env:(\w+)\}|\$\{(\w+)\}/g)].map((m) => m[1] ?? m[2]!));
  return [...new Set(found)];
}
