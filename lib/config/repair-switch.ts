// `repair`: which tools get their arguments as the model wrote them. `false` for all, or an object of tools (with `*`) and true or false.
import { isRecord } from '../std/json';
import { type ConfigProblem, shown } from './problems';

/** Patterns of the tools whose arguments are not mended; undefined when nothing is said. */
export function unrepairedOf(value: unknown, path: string, problems: ConfigProblem[]): string[] | undefined {
  if (value === undefined || value === true) return undefined;
  if (value === false) return ['*'];
  if (!isRecord(value)) {
    const message = `repair must be true, false or an object of tools, and it is ${shown(value)}: left out.`;
    problems.push({ path, message, key: 'repair' });
    return undefined;
  }
  return Object.entries(value).flatMap(([tool, one]) => {
    if (one === false) return [tool];
    if (one !== true)
      problems.push({
        path,
        message: `repair.${tool} must be true or false, and it is ${shown(one)}: left out.`,
        key: `repair.${tool}`,
      });
    return [];
  });
}
