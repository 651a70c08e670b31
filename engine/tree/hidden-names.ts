// Which names a process does not see: globs for one name (`*` and `?`), each of which also hides what lies below; `!` in front shows again,
// upper and lower case are the same.
// Names and not paths, because secrets are called the same wherever they are.

/** Decides by names alone; nothing is looked up. */
export interface HiddenNames {
  /** Is any name of this path hidden? */
  isHidden(path: string): boolean;
  isHiddenName(name: string): boolean;
}

const { apply } = Reflect;
const { exec } = RegExp.prototype;
const { split } = String.prototype;
// A guest's replacement of `test` must not show what is hidden.
const matches = (pattern: RegExp, text: string): boolean => apply(exec, pattern, [text]) !== null;

/** The last glob that matches a name decides. */
export function hiddenNames(globs: readonly string[]): HiddenNames {
  const rules: { pattern: RegExp; hides: boolean }[] = [];
  for (const glob of globs) {
    const hides = !glob.startsWith('!');
    rules.push({ pattern: new RegExp(`^${sourceOf(hides ? glob : glob.slice(1))}$`, 'si'), hides });
  }
  const hiding = globs.filter((glob) => !glob.startsWith('!')).map(sourceOf);
  // Nearly every path passes this one test.
  const suspect = new RegExp(`(?:^|/)(?:${hiding.join('|')})(?:/|$)`, 'si');

  const isHiddenName = (name: string): boolean => {
    for (let at = rules.length - 1; at >= 0; at--) if (matches(rules[at].pattern, name)) return rules[at].hides;
    return false;
  };
  return {
    isHiddenName,
    isHidden(path) {
      if (hiding.length === 0 || !matches(suspect, path)) return false;
      const names = apply(split, path, ['/']) as string[];
      for (let at = 0; at < names.length; at++) if (isHiddenName(names[at])) return true;
      return false;
    },
  };
}

function sourceOf(glob: string): string {
  return glob
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}
