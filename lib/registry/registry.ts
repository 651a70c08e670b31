// What the model may see now: computed anew for every step from the mode, the project's rules and the tools, never kept.
import { rulesFor } from '../permission/presets';
import { matchesWildcard, type Rule } from '../permission/rules';
import { builtInTools } from '../tools/built-in';
import type { Tool } from '../tools/tool';

export interface RegistryRequest {
  mode: 'ask' | 'edits' | 'auto';
  /** The project's own rules, after the shipped ones. */
  ownRules?: readonly Rule[];
  tools?: readonly Tool[];
}

/** The tools of one request, sorted by name, and the rules by which its calls are judged. */
export interface RequestOffer {
  tools: readonly Tool[];
  rules: readonly Rule[];
}

/** A tool that every call of would be denied is not offered; two tools of one name are a mistake and throw. */
export function offerFor({ mode, ownRules = [], tools = builtInTools }: RegistryRequest): RequestOffer {
  const rules = rulesFor(mode, ownRules);
  const offered = tools.filter((tool) => {
    const last = rules.findLast((rule) => matchesWildcard(permissionOf(tool), rule.permission));
    return !(last?.effect === 'deny' && last.pattern === '*');
  });
  const names = new Set(offered.map((tool) => tool.name));
  if (names.size !== offered.length) throw new Error('Two tools have the same name.');
  return { tools: [...offered].sort((a, b) => (a.name < b.name ? -1 : 1)), rules };
}

function permissionOf(tool: Tool): string {
  switch (tool.kind) {
    case 'read':
      return 'read';
    case 'write':
      return 'edit';
    case 'run':
    case 'net':
    case 'control':
      return tool.name;
  }
}
