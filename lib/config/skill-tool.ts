// Skills: instructions that the model loads when it needs them. Only their names and descriptions are always in its context.
import { z } from 'zod';
import { lastRule, type RuleSet } from '../permission/rules';
import type { ToolSource } from '../registry/registry';
import { joinPath, parentPath } from '../std/paths';
import { type Tool, ToolError } from '../tools/tool';
import { type ConfigProblem, membersOf } from './problems';
import { skillPrompt } from './skill-tool.prompt';

/** One skill. */
export interface Skill {
  name: string;
  /** Without one it is not advertised, but can be loaded. */
  description: string;
  body: string;
  /** Of SKILL.md, below the project; empty for one of the person's own, which has no folder. */
  path: string;
  /** The texts that one of the person's own brings, by path. */
  files?: Readonly<Record<string, string>>;
}

const knownKeys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/** A skill from its file. The folder names one that has no `name`. */
export function readSkill(
  { head, body }: { head: Record<string, unknown>; body: string },
  path: string,
  folderName: string,
  problems: ConfigProblem[],
): Skill {
  const { text, reportUnknown } = membersOf(head, path, '', problems);
  reportUnknown(knownKeys);
  return { name: text('name') ?? folderName, description: text('description') ?? '', body, path };
}

/** Those that the rules do not forbid, sorted by name. */
export function allowedSkills(skills: readonly Skill[], { policy, project = [], role }: RuleSet): Skill[] {
  return skills
    .filter(({ name }) => [policy, project, role].every((rules) => lastRule('skill', name, rules)?.effect !== 'deny'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const input = z.object({ name: z.string().min(1).describe('Which skill') });
const inputWithFile = input.extend({
  file: z.string().min(1).optional().describe('One of the files that the skill named, to read that'),
});
const sampleSize = 10;

/** The `skill` tool; absent where there is no skill. */
export function skillSource(skills: () => readonly Skill[]): ToolSource {
  return {
    name: 'Skills',
    offer({ rules }) {
      if (skills().length === 0) return { tools: [] };
      const allowed = allowedSkills(skills(), rules);
      if (allowed.length === 0) return { tools: [], absent: [{ name: 'skill', why: 'A rule denies every skill.' }] };
      return { tools: [skillTool(allowed)] };
    },
  };
}

function skillTool(skills: readonly Skill[]): Tool<z.infer<typeof inputWithFile>> {
  // Only then is there something that read can't reach.
  const hasFiles = skills.some((skill) => Object.keys(skill.files ?? {}).length > 0);
  return {
    name: 'skill',
    kind: 'control',
    description: skillPrompt.description,
    input: hasFiles ? inputWithFile : input,
    example: { name: skills[0]!.name },
    async execute({ name, file }, { sandbox, ask, update }) {
      update({ title: name });
      const skill = skills.find((one) => one.name === name);
      const names = skills.map((one) => one.name);
      if (skill === undefined) throw new ToolError(skillPrompt.unknown(name, names));
      await ask({ permission: 'skill', patterns: [name], always: [name], title: `Load the skill ${name}` });
      if (skill.path === '') {
        const own = skill.files ?? {};
        if (file !== undefined && !Object.hasOwn(own, file))
          throw new ToolError(skillPrompt.unknownFile(name, file, Object.keys(own)));
        if (file !== undefined) return { title: `${name}: ${file}`, output: own[file]!, meta: {} };
        return { title: name, output: skillPrompt.own(name, skill.body, Object.keys(own).sort()), meta: {} };
      }
      if (file !== undefined)
        throw new ToolError(skillPrompt.fileOfProject(name, joinPath(parentPath(skill.path), file)));
      const folder = joinPath(sandbox.workdir, parentPath(skill.path));
      const found = await sandbox.search.files({ path: folder, pattern: '**', maxResults: sampleSize + 1 });
      const files = found.paths.map((path) => path.slice(folder.length + 1)).filter((path) => path !== 'SKILL.md');
      const output = skillPrompt.content(name, skill.body, folder, files.sort().slice(0, sampleSize));
      return { title: name, output, meta: { path: skill.path } };
    },
  };
}
