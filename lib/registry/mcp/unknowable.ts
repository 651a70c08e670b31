// What nobody can know here: the environment that a project's configuration refers to. Trying again would not help.
import type { McpServerConfig } from './server-config';

/** Not worth another try. */
export class UnknowableError extends Error {}

/** *Throws* an UnknowableError that names the variables. */
export function refuseUnknowable(config: McpServerConfig): void {
  const wanted = wantedVariables(config);
  if (wanted.length > 0)
    throw new UnknowableError(
      `Its configuration refers to what a project can't read here (${wanted.join(', ')}). Add the server yourself, with the values.`,
    );
}

/** What the configuration refers to and nobody has put in: `{env:NAME}`, `${NAME}`, `{file:PATH}`. Nobody's environment is given to it. */
export function wantedVariables(server: McpServerConfig): string[] {
  const values =
    server.kind === 'local'
      ? [...server.command, ...Object.values(server.environment)]
      : [server.url, ...Object.values(server.headers)];
  const found = values.flatMap((text) =>
    [...text.matchAll(/\{env:(\w+)\}|\$\{(\w+)\}|\{file:([^}]+)\}/g)].map((m) => m[1] ?? m[2] ?? m[3]!),
  );
  return [...new Set(found)];
}
