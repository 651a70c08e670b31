// What a project and the person bring to the agent, once the person has said yes to it: read anew before each answer, so that a change of a file
// counts in the next answer, and a file that nobody has seen never does.
import type { Rule, RuleSet } from '../permission/rules';
import { type Agent, builtInAgents } from '../registry/agents';
import type { ToolSource } from '../registry/registry';
import type { Sandbox } from '../sandbox/sandbox';
import type { Tool } from '../tools/tool';
import type { Command } from './command';
import { instructionText, rootInstructions, tellingFolders } from './instructions';
import { namedPlugins } from './named-plugins';
import { namedInstructions, namedSkills } from './named-texts';
import { emptyConfig, type ProjectConfig } from './read-config';
import { type Customs, readCustoms, type Workings } from './read-customs';
import { type BroughtFile, scanProject } from './scan-project';
import { allowedSkills, skillSource } from './skill-tool';
import { skillPrompt } from './skill-tool.prompt';
import { judge, type TrustStore, withDecisions } from './trust';

/** Immutable: every look makes a new object. */
export interface CustomsState extends Customs {
  /** Everything that the project brings. */
  files: readonly BroughtFile[];
  /** What the person said yes to. */
  used: readonly BroughtFile[];
  /** What the person was not asked about yet. */
  open: readonly BroughtFile[];
  /** The person's own rules. */
  personRules: readonly Rule[];
  /** How agents work: the person's word, and the project's where it is stricter. */
  workings: Workings;
}

/** The customs of one open project. */
export interface ProjectCustoms {
  state(): CustomsState;
  subscribe(listener: () => void): () => void;
  /** Reads the files anew. */
  look(): Promise<void>;
  /** The person's word on files as they were shown. */
  decide(decisions: readonly { file: Pick<BroughtFile, 'path' | 'hash'>; use: boolean }[]): Promise<void>;
  agents(): readonly Agent[];
  commands(): readonly Command[];
  /** The project's `mcp` and the like, of trusted files only. */
  config(): ProjectConfig;
  projectRules(): readonly Rule[];
  ownRules(): readonly Rule[];
  sources(): readonly ToolSource[];
  /** For `SessionOptions`: looks first. */
  instructions(rules: RuleSet): Promise<string | undefined>;
  adaptTool(tool: Tool, sessionId: string): Tool;
  /** What the `config` hooks of plugins that are loaded add, each as the text of a configuration; resolves when it counts. */
  takeAdded(configs: readonly AddedConfig[]): Promise<void>;
  /** What folders say is told again in this conversation. */
  forget(sessionId: string): void;
}

/** What a plugin adds to the project's configuration. */
export interface AddedConfig {
  /** The plugin's, below the project. */
  path: string;
  text: string;
}

export interface CustomsOptions {
  sandbox: Sandbox;
  trust: TrustStore;
  /** The text of the person's own configuration, for every project. */
  personConfig?(): string;
}

/** Nothing is read before the first look. */
export function createProjectCustoms({ sandbox, trust, personConfig }: CustomsOptions): ProjectCustoms {
  const listeners = new Set<() => void>();
  const told = new Map<string, Set<string>>();
  let state: CustomsState = {
    files: [],
    used: [],
    open: [],
    config: emptyConfig,
    rules: [],
    personRules: [],
    workings: {},
    agents: [...builtInAgents],
    commands: [],
    skills: [],
    problems: [],
  };
  let seen = '';
  let added: readonly BroughtFile[] = [];
  let looking: Promise<void> = Promise.resolve();
  /** A look that has not begun. */
  let queued: Promise<void> | undefined;

  async function lookNow(): Promise<void> {
    const { files, problems } = await scanProject(sandbox);
    const skills = await namedSkills(sandbox, files, problems);
    const named = await namedInstructions(sandbox, [...files, ...added], problems);
    const plugins = await namedPlugins(sandbox, files, problems);
    const all = [...files, ...skills, ...plugins, ...named];
    const { used, open } = judge(all, trust.load());
    const person = personConfig?.() ?? '';
    const now = JSON.stringify([
      all.map((file) => [file.path, file.hash]),
      used.map((file) => file.path),
      open.length,
      added.map((file) => [file.path, file.text]),
      person,
      problems,
    ]);
    if (now === seen) return;
    const customs = await readCustoms([...used, ...added], person, sandbox.home);
    state = { ...customs, files: all, used, open, problems: [...problems, ...customs.problems] };
    seen = now;
    for (const listener of [...listeners]) listener();
  }

  /**
   * One after the other, so that an older look never overwrites a newer one. One that has not begun sees what all see who ask by then: each program
   * of a project asks twice, and a look at a large project takes a second.
   */
  function look(): Promise<void> {
    queued ??= looking
      .catch(() => {})
      .then(() => {
        queued = undefined;
        return lookNow();
      });
    looking = queued;
    return looking;
  }

  const skills = skillSource(() => state.skills);
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look,
    async decide(decisions) {
      trust.save(withDecisions(trust.load(), decisions));
      await look();
    },
    takeAdded(configs) {
      const isSame = JSON.stringify(configs) === JSON.stringify(added.map(({ path, text }) => ({ path, text })));
      if (isSame) return Promise.resolve();
      added = configs.map(({ path, text }) => ({ kind: 'config', path, name: path, text, hash: '' }));
      return look();
    },
    agents: () => state.agents,
    commands: () => state.commands,
    config: () => state.config,
    projectRules: () => state.rules,
    ownRules: () => state.personRules,
    sources: () => [skills],
    async instructions(rules) {
      await look();
      const advertised = allowedSkills(state.skills, rules).filter((skill) => skill.description !== '');
      const blocks = [
        instructionText(rootInstructions(state.used)),
        advertised.length === 0 ? undefined : skillPrompt.advertised(advertised),
      ].filter((block) => block !== undefined);
      return blocks.length === 0 ? undefined : blocks.join('\n\n');
    },
    forget: (sessionId) => told.get(sessionId)?.clear(),
    adaptTool(tool, sessionId) {
      if (tool.name !== 'read') return tool;
      const known = told.get(sessionId) ?? new Set();
      told.set(sessionId, known);
      return tellingFolders(tool, () => state.used.filter((file) => file.kind === 'instructions'), known);
    },
  };
}
