// Agents of a project: Markdown files and the `agent` section. They come with the repository, so what they say narrows and never widens.
import { type Agent, builtInAgents } from '../registry/agents';
import { rulesOf, toolRulesOf } from './config-rules';
import { type ConfigProblem, membersOf } from './problems';

const known = ['description', 'mode', 'model', 'prompt', 'permission', 'tools', 'steps', 'maxSteps', 'disable', 'name'];
/** Of the terminal program alone. */
const looks = ['color', 'hidden'];

/** One agent as data. `prompt`: the file's text. Undefined for one that is disabled. `where`: its key, for problems. */
export function readAgent(
  name: string,
  from: Record<string, unknown>,
  path: string,
  where: string,
  problems: ConfigProblem[],
): Agent | undefined {
  const { text, flag, number, reportUnknown } = membersOf(from, path, where, problems);
  reportUnknown([...known, ...looks]);
  if (flag('disable') === true) return undefined;
  const mode = text('mode') ?? 'all';
  if (mode !== 'primary' && mode !== 'subagent' && mode !== 'all')
    problems.push({ path, message: `${where}mode must be primary, subagent or all, and it is ${mode}: taken as all.` });
  const prompt = text('prompt');
  const model = text('model');
  const steps = number('steps') ?? number('maxSteps');
  const builtIn = builtInAgents.find((agent) => agent.name === name);
  const own = [
    ...toolRulesOf(from.tools, path, `${where}tools`, problems),
    ...rulesOf(from.permission, path, `${where}permission`, problems),
  ];
  return {
    // A shipped agent keeps its role; the project may only add to it.
    ...builtIn,
    name,
    description: text('description') ?? builtIn?.description ?? '',
    mode: builtIn?.mode ?? (mode === 'primary' || mode === 'subagent' ? mode : 'all'),
    ...(prompt === undefined || prompt === ''
      ? {}
      : { prompt: [builtIn?.prompt, prompt].filter(Boolean).join('\n\n') }),
    ...(model === undefined ? {} : { model }),
    rules: builtIn === undefined ? own : [...builtIn.rules, ...own.filter((rule) => rule.effect !== 'allow')],
    ...(steps === undefined || steps < 1 ? {} : { maxSteps: Math.floor(steps) }),
    origin: 'project',
  };
}
