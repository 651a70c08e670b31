// What the rules about `read` say of single files, for those who show many at once (searches, globs of the shell) or start programs: a question
// about a directory must not answer for a file in it that has a rule of its own.
import { lastRule, matchesWildcard, type Rule, type RuleSet, wildcardSource } from './rules';

const isAboutReading = (rule: Rule): boolean => matchesWildcard('read', rule.permission);

/** Does a rule ask about, or forbid, this very file, as it is named for rules? What holds for all files is none of it. */
export function guardedFiles(rules: RuleSet): (shown: string) => boolean {
  const layers = [rules.policy, rules.project ?? [], rules.role].map((layer) => layer.filter(isAboutReading));
  const special = layers.flat().filter((rule) => rule.pattern !== '*' && rule.effect !== 'allow');
  if (special.length === 0) return () => false;
  // Nearly every file passes this one test.
  const suspect = new RegExp(`^(?:${special.map((rule) => wildcardSource(rule.pattern)).join('|')})$`, 'sui');
  return (shown) =>
    suspect.test(shown) &&
    layers.some((layer) => {
      const rule = lastRule('read', shown, layer);
      return rule !== undefined && rule.effect !== 'allow' && rule.pattern !== '*';
    });
}

/**
 * The names that a process must not see, as globs of a `FilePolicy`: those that rules forbid to read, or with `asked` also those that they ask
 * about. Rules about a place (`secrets/*`) can't be told by names and are left to the questions.
 */
export function hiddenNames(rules: RuleSet, { asked }: { asked: boolean }): string[] {
  const names: string[] = [];
  // What a layer allows is no word on what another one forbids.
  for (const layer of [rules.policy, rules.project ?? [], rules.role]) {
    const own: string[] = [];
    for (const rule of layer.filter(isAboutReading)) {
      if (rule.pattern === '*') {
        if (rule.effect === 'allow') own.length = 0;
        continue;
      }
      const name = rule.pattern.replace(/^\*\*\//, '');
      if (name === '' || name.includes('/')) continue;
      const isHidden = rule.effect === 'deny' || (asked && rule.effect === 'ask');
      if (isHidden) own.push(name);
      else if (own.length > 0) own.push(`!${name}`);
    }
    names.push(...own);
  }
  return names;
}
