// What the model may see now: computed anew for every step from the model, the agent, the rules and the sources of tools, never kept. What is
// left out is named with the rule that left it out, so that a person can look it up.
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { toJSONSchema } from 'zod';
import { rulesFor } from '../permission/presets';
import { isAlwaysDenied, type Rule, type RuleSet } from '../permission/rules';
import { byName } from '../std/by-name';
import type { Tool } from '../tools/tool';
import type { Agent } from './agents';
import { type EditingStyle, type ModelTraits, modelTraits } from './model-traits';
import { normalisedSchema } from './schema-dialects';

/** Who asks. */
export interface RegistryRequest {
  /** `<provider>/<model>`, or `practice`. */
  model: string;
  agent: Agent;
  mode: 'ask' | 'edits' | 'auto';
  /** Rules of the person, after the shipped ones. */
  ownRules?: readonly Rule[];
  /** Rules of the project: they only narrow. */
  projectRules?: readonly Rule[];
  /** What hooks make of a tool before it is advertised; its name and kind stay. */
  adapt?(tool: Tool): Tool;
  sources: readonly ToolSource[];
  /** The person's word on how files are changed. */
  editing?: EditingStyle;
  /** Names of tools that the person turned off. */
  turnedOff?: readonly string[];
  /** 0 for the person's conversation, 1 for a sub-agent of it. */
  depth?: number;
}

/** Where tools come from. *Contract:* `offer` does not throw; what is broken is listed as absent with the reason. */
export interface ToolSource {
  /** For people: `Cloche`, `MCP server github`, `.opencode/tools/db.ts`. */
  name: string;
  offer(request: SourceRequest): SourceOffer;
}

/** What one source has now. */
export interface SourceOffer {
  tools: readonly Tool[];
  absent?: readonly { name: string; why: string }[];
  /** Whether its tools are for programs alone, where the model may write programs: `auto` when there are very many. Default `never`. */
  programsOnly?: 'always' | 'never' | 'auto';
}

/** A source with more tools than this is for programs alone, if nobody says otherwise: each definition costs room in every step. */
export const manyTools = 40;

/** What a source may know of the request. */
export interface SourceRequest extends RegistryRequest {
  rules: RuleSet;
  traits: ModelTraits;
  /** What the sources before it offer. */
  offered: readonly OfferedTool[];
}

/** A tool as it is advertised and as it is run: one snapshot, so a call always runs what was advertised. */
export interface OfferedTool {
  tool: Tool;
  source: string;
  definition: LanguageModelV4FunctionTool;
  /** As the tool's: set where the model is not told of it. */
  programsOnly?: string;
}

export interface AbsentTool {
  name: string;
  source: string;
  /** The rule that left it out, in words. */
  why: string;
}

/** Everything of one request, sorted by name, which keeps the provider's prompt cache warm. */
export interface RequestOffer {
  tools: readonly OfferedTool[];
  absent: readonly AbsentTool[];
  rules: RuleSet;
  traits: ModelTraits;
}

/** The rules alone, for judging a call between two steps. */
export function ruleSetFor({
  mode,
  ownRules = [],
  projectRules = [],
  agent,
}: Pick<RegistryRequest, 'mode' | 'ownRules' | 'projectRules' | 'agent'>): RuleSet {
  return { policy: rulesFor(mode, ownRules), project: projectRules, role: agent.rules };
}

/** The offer of one step. */
export function offerFor(request: RegistryRequest): RequestOffer {
  const rules = ruleSetFor(request);
  const traits = modelTraits(request.model, request.editing);
  const tools: OfferedTool[] = [];
  const sourceRequest: SourceRequest = { ...request, rules, traits, offered: tools };
  const absent: AbsentTool[] = [];
  const taken = new Map<string, string>();
  const wishes = new Map<string, SourceOffer['programsOnly']>();
  for (const source of request.sources) {
    const offer = source.offer(sourceRequest);
    if (offer.programsOnly !== undefined) wishes.set(source.name, offer.programsOnly);
    for (const one of offer.absent ?? []) absent.push({ ...one, source: source.name });
    for (const offered of offer.tools) {
      const tool = request.adapt?.(offered) ?? offered;
      const why = reasonAgainst(tool, source.name, taken, sourceRequest);
      const definition = why ?? definitionOf(tool, traits);
      if (typeof definition === 'string') absent.push({ name: tool.name, source: source.name, why: definition });
      else {
        taken.set(tool.name, source.name);
        tools.push({ tool, source: source.name, definition });
      }
    }
  }
  tools.sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  return { tools: tools.map((one) => withheld(one, tools, wishes.get(one.source))), absent, rules, traits };
}

/** The same, or only for programs. */
function withheld(
  one: OfferedTool,
  all: readonly OfferedTool[],
  wish: SourceOffer['programsOnly'] = 'never',
): OfferedTool {
  if (wish === 'never' || !all.some(({ tool }) => tool.name === 'execute')) return one;
  const count = all.filter(({ source }) => source === one.source).length;
  if (wish === 'auto' && count <= manyTools) return one;
  const why =
    wish === 'always'
      ? `The settings of ${one.source} say so.`
      : `${one.source} has ${count} tools; with more than ${manyTools} they are for programs alone, if its settings don’t say otherwise.`;
  return { ...one, tool: { ...one.tool, programsOnly: why }, programsOnly: why };
}

function reasonAgainst(
  tool: Tool,
  source: string,
  taken: ReadonlyMap<string, string>,
  { rules, traits, editing, turnedOff, agent }: SourceRequest,
): string | undefined {
  const other = taken.get(tool.name);
  if (other !== undefined) return `${other} has a tool of this name already.`;
  if (tool.name === 'execute' && source !== 'Cloche') return 'This name is kept for programs over tools.';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.name)) return 'Its name is not one that every provider takes.';
  if (turnedOff?.includes(tool.name)) return 'You turned it off.';
  const style = editingStyles[tool.name];
  if (style !== undefined && style !== traits.editing) {
    const by = editing === undefined ? 'This model changes' : 'You chose to change';
    return traits.editing === 'patch' ? `${by} files with apply_patch.` : `${by} files with edit, multiedit and write.`;
  }
  const permission = permissionOf(tool);
  if (isAlwaysDenied(permission, { policy: rules.policy, role: [] })) return `A rule denies ${permission}: *.`;
  const byName = rules.project?.findLast((rule) => rule.permission === tool.name && rule.pattern === '*');
  if (byName?.effect === 'deny' || isAlwaysDenied(permission, { ...rules, role: [] }))
    return 'A rule of this project denies it.';
  const byRole = rules.role.findLast((rule) => rule.permission === tool.name && rule.pattern === '*');
  if (byRole?.effect === 'deny') return `It is not part of the role of ${agent.name}.`;
  if (isAlwaysDenied(permission, rules)) return `It is not part of the role of ${agent.name} (${permission}: denied).`;
  return undefined;
}

const editingStyles: Record<string, EditingStyle> = byName({
  apply_patch: 'patch',
  edit: 'replace',
  multiedit: 'replace',
  write: 'replace',
});

/** By tool and dialect: a tool never changes, and its schema is asked for in every step. */
const definitions = new WeakMap<Tool, Map<ModelTraits['schema'], LanguageModelV4FunctionTool | string>>();

/** The definition, or why this model can't be told of the tool: a bad schema costs its own tool and not the request. */
function definitionOf(tool: Tool, traits: ModelTraits): LanguageModelV4FunctionTool | string {
  const known = definitions.get(tool) ?? new Map();
  definitions.set(tool, known);
  const definition = known.get(traits.schema) ?? makeDefinition(tool, traits);
  known.set(traits.schema, definition);
  return definition;
}

function makeDefinition(tool: Tool, traits: ModelTraits): LanguageModelV4FunctionTool | string {
  const { name, description } = tool;
  try {
    const schema = tool.jsonSchema ?? (toJSONSchema(tool.input, { io: 'input' }) as Record<string, unknown>);
    const inputSchema = normalisedSchema(schema, traits.schema) as LanguageModelV4FunctionTool['inputSchema'];
    return { type: 'function', name, description, inputSchema };
  } catch (error) {
    return `Its schema can't be told to this model: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Which permission decides whether a tool is there at all. */
export function permissionOf(tool: Tool): string {
  if (tool.permission !== undefined) return tool.permission;
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
