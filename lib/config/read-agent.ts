// Agents of a project: Markdown files and the `agent` section. They come with the repository, so what they say narrows and never widens.
import { type Agent, builtInAgents } from '../registry/agents';
import { isRecord } from '../std/json';
import { permissionsOf, rulesOf, toolRulesOf } from './config-rules';
import { isUnresolved } from './named-files';
import { type ConfigProblem, membersOf, shown } from './problems';

const known = [
  'description',
  'mode',
  'model',
  'prompt',
  'permission',
  'tools',
  'steps',
  'maxSteps',
  'disable',
  'name',
  'budget',
  'writable',
  'temperature',
  'top_p',
  // OpenCode 2.
  'permissions',
  'system',
];
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
    problems.push({
      path,
      message: `${where}mode must be primary, subagent or all, and it is ${mode}: taken as all.`,
      key: `${where}mode`,
    });
  const prompt = text('prompt') || text('system');
  const written = text('model');
  // One that comes from the environment is not said here, as for OpenCode where it is not set.
  const [model, variant] = written === undefined || isUnresolved(written) ? [] : written.split('#');
  if (variant !== undefined)
    problems.push({
      path,
      message: `${where}model: the variant ${variant} is not used; the model is.`,
      key: `${where}model`,
    });
  const temperature = within(number('temperature'), 2, `${where}temperature`, path, problems);
  const topP = within(number('top_p'), 1, `${where}top_p`, path, problems);
  const steps = number('steps') ?? number('maxSteps');
  const costUsd = costOf(from.budget, path, where, problems);
  const writable = placesOf(from.writable, path, where, problems);
  const builtIn = builtInAgents.find((agent) => agent.name === name);
  const own = [
    ...toolRulesOf(from.tools, path, `${where}tools`, problems),
    ...rulesOf(from.permission, path, `${where}permission`, problems),
    ...permissionsOf(from.permissions, path, `${where}permissions`, problems),
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
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(writable === undefined || builtIn?.readOnly ? {} : { writable }),
    origin: 'project',
  };
}

/** A number from 0 to `max`; others are reported and left out. */
function within(
  value: number | undefined,
  max: number,
  key: string,
  path: string,
  problems: ConfigProblem[],
): number | undefined {
  if (value === undefined || (value >= 0 && value <= max)) return value;
  problems.push({ path, message: `${key} must be from 0 to ${max}, and it is ${value}: left out.`, key });
  return undefined;
}

/** `budget: { cost: 0.5 }`: what one turn of it may cost, in US dollars. */
function costOf(value: unknown, path: string, where: string, problems: ConfigProblem[]): number | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) {
    problems.push({
      path,
      message: `${where}budget must be an object, and it is ${shown(value)}: left out.`,
      key: `${where}budget`,
    });
    return undefined;
  }
  const members = membersOf(value, path, `${where}budget.`, problems);
  members.reportUnknown(['cost']);
  return members.positive('cost');
}

/** `writable: ["src", "docs"]`: folders of the project, the only ones that it and its commands may write to. */
function placesOf(value: unknown, path: string, where: string, problems: ConfigProblem[]): string[] | undefined {
  if (value === undefined) return undefined;
  const isPlace = (one: unknown): one is string =>
    typeof one === 'string' && /^(?!\/|~|.*(^|\/)\.\.(\/|$)).*\S/.test(one);
  if (Array.isArray(value) && value.every(isPlace)) return value.map((one) => one.replace(/^\.\/|\/+$/g, ''));
  problems.push({
    path,
    message: `${where}writable must be a list of folders of the project, and it is ${shown(value)}: taken as none.`,
    key: `${where}writable`,
  });
  // A limit that nobody can read is taken as the strictest one.
  return [];
}
