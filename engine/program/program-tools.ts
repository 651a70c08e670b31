// `tools` as a program sees it: one function per tool under its own name, whatever that is, and a search.
import type { ProgramStart } from './words';

/** `call` answers with the tool's value. A name that is no tool's throws at once, since `undefined is not a function` helps nobody. */
export function programTools(
  offered: ProgramStart['tools'],
  call: (tool: string, input: unknown) => Promise<unknown>,
): object {
  // No prototype: tools may be called `constructor` or `__proto__`.
  const functions: Record<PropertyKey, unknown> = Object.create(null);
  for (const { name } of offered)
    Object.defineProperty(functions, name, { value: (input: unknown = {}) => call(name, input), enumerable: true });
  // No tool has a name with a dollar sign.
  Object.defineProperty(functions, '$find', { value: (query: unknown) => find(offered, String(query)) });
  Object.freeze(functions);
  return new Proxy(functions, {
    get(target, name) {
      // Whoever awaits or prints it looks for these.
      if (name in target || typeof name === 'symbol' || name === 'then' || name === 'toJSON') return target[name];
      throw new TypeError(
        `There is no tool ${JSON.stringify(name)} for programs. tools.$find("words") searches; Object.keys(tools) lists.`,
      );
    },
  });
}

const maxFound = 10;

/** Those whose name or declaration has most of the words. */
function find(offered: ProgramStart['tools'], query: string): ProgramStart['tools'] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scored = offered.map((tool) => {
    const [name, text] = [tool.name.toLowerCase(), tool.declaration.toLowerCase()];
    const score = words.reduce((sum, word) => sum + (name.includes(word) ? 3 : text.includes(word) ? 1 : 0), 0);
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ tool }) => tool);
}
