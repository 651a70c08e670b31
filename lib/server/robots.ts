// What a site's robots.txt says about us (RFC 9309): the group that names us, else the one for all; the longest matching rule wins, and
// of two that are equally long the one that allows.

interface RobotsRule {
  allows: boolean;
  path: string;
}

/** Whether `path` (with its query, percent-encoded) may be fetched by a crawler whose product token is `token`. */
export function robotsAllow(robots: string, token: string, path: string): boolean {
  if (path === '/robots.txt') return true;
  const groups = parseRobots(robots);
  const own = groups.filter(({ agents }) => agents.includes(token.toLowerCase()));
  const rules = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (one) => one.rules,
  );
  let best: RobotsRule | undefined;
  for (const rule of rules) {
    if (rule.path === '' || !matchesPath(path, rule.path)) continue;
    const isBetter =
      best === undefined ||
      rule.path.length > best.path.length ||
      (rule.path.length === best.path.length && rule.allows);
    if (isBetter) best = rule;
  }
  return best?.allows ?? true;
}

function parseRobots(robots: string): { agents: string[]; rules: RobotsRule[] }[] {
  const groups: { agents: string[]; rules: RobotsRule[] }[] = [];
  let isNaming = false;
  for (const line of robots.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const match = /^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*(?:#.*)?$/.exec(line);
    if (match === null) continue;
    const key = match[1].toLowerCase();
    const value = match[2];
    if (key === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [] });
      isNaming = true;
      // A name may come with a version: only the product counts.
      groups.at(-1)!.agents.push(value === '*' ? '*' : (/^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? ''));
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false;
      groups.at(-1)?.rules.push({ allows: key === 'allow', path: value });
    }
  }
  return groups;
}

/** `*` is any run of characters, `$` at the end is the end. No regular expression: the pattern is a stranger's. */
function matchesPath(path: string, pattern: string): boolean {
  const isAnchored = pattern.endsWith('$');
  const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = pieces[0];
  if (!path.startsWith(first)) return false;
  if (pieces.length === 1) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (const piece of pieces.slice(1, isAnchored ? -1 : undefined)) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = pieces.at(-1)!;
  return !isAnchored || (path.length - last.length >= at && path.endsWith(last));
}
