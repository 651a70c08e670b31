// Whose pages may boot the engine by the WebContainer protocol besides the IDE's own. Nobody, unless the deployment names them.

/** From CLOCHE_EMBEDDERS, comma-separated origins. Throws an Error that names the one that is none. */
export function readEmbedders(env: Readonly<Record<string, string | undefined>>): string[] {
  return (env.CLOCHE_EMBEDDERS ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
    .map((origin) => {
      const parsed = URL.parse(origin);
      if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.origin !== origin || origin.includes('*'))
        throw new Error(
          `CLOCHE_EMBEDDERS must list origins like "https://example.org", without a path or wildcard: ${origin}`,
        );
      return origin;
    });
}
