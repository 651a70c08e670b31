// Globs as in .gitignore and ripgrep: `*` stays within a segment, `**` crosses them, `{a,b}` alternates, `[a-z]` is a class.

/**
 * A test for `/`-separated relative paths. A pattern without a slash matches the last segment at any depth; with one it is anchored.
 * A leading `./` or `/` is dropped. An unclosed bracket or brace is literal.
 */
export function globMatcher(pattern: string, options: { ignoreCase?: boolean } = {}): (path: string) => boolean {
  const expression = globExpression(pattern, options);
  return (path) => expression.test(path);
}

/** The same test as a regular expression, for where a function cannot go (another worker). */
export function globExpression(pattern: string, options: { ignoreCase?: boolean } = {}): RegExp {
  const anchored = pattern.replace(/^\.?\//, '');
  const source = globSource(anchored);
  const anyDepth = anchored === pattern && !anchored.includes('/');
  return new RegExp(`^${anyDepth ? '(?:.*/)?' : ''}${source}$`, options.ignoreCase ? 'isu' : 'su');
}

/** Escapes so that the glob matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{}!]/g, '\\$&');
}

function globSource(glob: string): string {
  let source = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at]!;
    if (char === '\\' && at + 1 < glob.length) source += escapeRegExp(glob[++at]!);
    else if (char === '*') {
      if (glob[at + 1] !== '*') source += '[^/]*';
      else {
        while (glob[at + 1] === '*') at++;
        if (glob[at + 1] === '/') {
          source += '(?:.*/)?';
          at++;
        } else source += '.*';
      }
    } else if (char === '?') source += '[^/]';
    else if (char === '[') {
      const close = glob.indexOf(']', at + 2);
      if (close < 0) source += '\\[';
      else {
        const body = glob.slice(at + 1, close).replace(/^!/, '^');
        source += `[${body.replace(/\\/g, '\\\\').replace(/(?!^)\^|[[\]&~|]/g, '\\$&')}]`;
        at = close;
      }
    } else if (char === '{' && closesBrace(glob, at)) {
      source += '(?:';
      braces++;
    } else if (char === '}' && braces > 0) {
      source += ')';
      braces--;
    } else if (char === ',' && braces > 0) source += '|';
    else source += escapeRegExp(char);
  }
  return source;
}

function closesBrace(glob: string, open: number): boolean {
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    if (glob[at] === '\\') at++;
    else if (glob[at] === '{') depth++;
    else if (glob[at] === '}' && --depth === 0) return true;
  }
  return false;
}

/** Text as a regular expression source that matches exactly it (also under the `u` flag). */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
