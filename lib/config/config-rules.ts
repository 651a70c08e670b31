// `permission` and the older `tools` of OpenCode as rules. Whoever wrote the project wrote them: as part of a narrowing layer they deny and ask,
// and what they allow is only an exception from their own denials.
import type { Effect, Rule } from '../permission/rules';
import { byName } from '../std/by-name';
import { isRecord } from '../std/json';
import { isUnresolved } from './named-files';
import { type ConfigProblem, shown } from './problems';

/** OpenCode's names of permissions that have another one here. */
const otherNames: Record<string, string> = byName({
  external_directory: 'outside',
  todowrite: 'todo',
  todoread: 'todo',
  write: 'edit',
  multiedit: 'edit',
  patch: 'edit',
  apply_patch: 'edit',
  list: 'glob',
  // OpenCode 2.
  shell: 'bash',
  subagent: 'task',
});

/** No permission has a longer one; it is taken as everything, which is the strictest. */
const maxPatternChars = 1000;

const isEffect = (value: unknown): value is Effect => value === 'allow' || value === 'ask' || value === 'deny';

/** The rules in their order. `where`: the key, for problems. */
export function rulesOf(value: unknown, path: string, where: string, problems: ConfigProblem[]): Rule[] {
  if (value === undefined) return [];
  if (isEffect(value)) return [{ permission: '*', pattern: '*', effect: value }];
  if (!isRecord(value)) {
    problems.push({
      path,
      message: `${where} must be allow, ask, deny or an object, and it is ${shown(value)}.`,
      key: where,
    });
    return [];
  }
  return Object.entries(value).flatMap(([key, member]): Rule[] => {
    const permission = otherNames[key] ?? key;
    if (isEffect(member)) return [{ permission, pattern: '*', effect: member }];
    if (isRecord(member))
      return Object.entries(member).flatMap(([pattern, effect]): Rule[] => {
        if (isEffect(effect) && !isUnresolved(pattern)) return [{ permission, pattern, effect }];
        // Nobody knows what the variable says: a denial and a question hold for whatever it is.
        if (isEffect(effect)) {
          const known = pattern.length > maxPatternChars ? '*' : pattern.replace(/\{[^}]*\}/g, '*');
          return effect === 'allow' ? [] : [{ permission, pattern: known, effect }];
        }
        problems.push({
          path,
          message: `${where}.${key}.${pattern} must be allow, ask or deny: ${shown(effect)}.`,
          key: `${where}.${key}.${pattern}`,
        });
        // A rule that nobody can read is taken as the strictest one.
        return [{ permission, pattern, effect: 'deny' }];
      });
    problems.push({
      path,
      message: `${where}.${key} must be allow, ask, deny or an object: ${shown(member)}.`,
      key: `${where}.${key}`,
    });
    return [{ permission, pattern: '*', effect: 'deny' }];
  });
}

/** OpenCode 2: `permissions: [{action, resource, effect}]`, in their order; what is written there as `permission` has it counts as that. */
export function permissionsOf(value: unknown, path: string, where: string, problems: ConfigProblem[]): Rule[] {
  if (!Array.isArray(value)) return rulesOf(value, path, where, problems);
  return value.map((one: unknown): Rule => {
    const { action, resource = '*', effect } = isRecord(one) ? one : {};
    const permission = typeof action === 'string' ? (otherNames[action] ?? action) : '*';
    if (typeof action === 'string' && typeof resource === 'string' && isEffect(effect))
      return { permission, pattern: resource, effect };
    problems.push({
      path,
      message: `${where} must hold {action, resource, effect}, with allow, ask or deny: ${shown(one)}.`,
      key: where,
    });
    // As above: what nobody can read is taken as the strictest, of as much as can be read.
    return { permission, pattern: typeof resource === 'string' ? resource : '*', effect: 'deny' };
  });
}

/** `tools: {write: false}`: what is false is denied; `true` takes an earlier denial of the same list back. */
export function toolRulesOf(value: unknown, path: string, where: string, problems: ConfigProblem[]): Rule[] {
  if (value === undefined) return [];
  if (!isRecord(value)) {
    problems.push({
      path,
      message: `${where} must be an object of true and false, and it is ${shown(value)}.`,
      key: where,
    });
    return [];
  }
  return Object.entries(value).flatMap(([key, member]): Rule[] => {
    if (typeof member !== 'boolean') {
      problems.push({
        path,
        message: `${where}.${key} must be true or false, and it is ${shown(member)}.`,
        key: `${where}.${key}`,
      });
      return [];
    }
    return [{ permission: otherNames[key] ?? key, pattern: '*', effect: member ? 'allow' : 'deny' }];
  });
}
