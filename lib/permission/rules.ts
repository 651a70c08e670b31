// Who may do what. Rules are data in order, the last match wins, and a denial by rule is absolute: no grant, no mode and no click lifts it.
// Precedence: deny > explicit ask > grant > allow > ask by default.

export type Effect = 'allow' | 'ask' | 'deny';

/** `permission`: read, edit, bash, outside …; both fields are wildcards. An `ask` with a pattern other than `*` is explicit: asked every time. */
export interface Rule {
  permission: string;
  pattern: string;
  effect: Effect;
  /** Of a denial: told to the model. */
  reason?: string;
}

/**
 * What a call is judged by. `policy`: what the product and the person said; it binds every agent. `project`: what the repository says, and
 * `role`: what one agent is for; these narrow the policy and never widen it, because they may come with a repository.
 */
export interface RuleSet {
  policy: readonly Rule[];
  project?: readonly Rule[];
  role: readonly Rule[];
}

/** A remembered *always*. */
export interface Grant {
  id: string;
  permission: string;
  pattern: string;
  scope: 'turn' | 'session' | 'project';
  grantedAtMs: number;
  expiresAtMs?: number;
  /** The call whose question was answered with it, and who asked what. */
  callId: string;
  agent?: string;
  title?: string;
}

/** Facts of one permission: every one of them must be allowed. `always`: what a remembered answer would cover. */
export interface PermissionFacts {
  permission: string;
  patterns: string[];
  always: string[];
  /** They may be words and no commands: where a rule forbids one the person is asked, and nothing else follows from them. */
  maybe?: boolean;
}

/** What is judged: the main facts, and others that belong to the same call and the same question. */
export interface PermissionRequest extends PermissionFacts {
  also?: PermissionFacts[];
  /** Not understood: only an unrestricted `allow *` lets it pass, and no answer is remembered. */
  opaque?: boolean;
  /** The person must be asked even where rules and grants allow it. */
  mustAsk?: boolean;
}

export type Decision =
  | { effect: 'allow'; by: 'rule' | 'grant' }
  | { effect: 'ask'; facts: PermissionFacts[] }
  | { effect: 'deny'; permission: string; fact: string; rule: Rule };

const compiled = new Map<string, RegExp>();

/**
 * Anchored wildcard: `*` any run (also `/` and newline), `?` one character, `**` + `/` also nothing at all. A pattern that ends in ` *` also
 * matches without that tail, so `git *` covers `git` but not `gitk`.
 */
export function matchesWildcard(text: string, pattern: string, anyCase = false): boolean {
  const key = anyCase ? `i${pattern}` : `c${pattern}`;
  let expression = compiled.get(key);
  if (expression === undefined) {
    expression = new RegExp(`^${wildcardSource(pattern)}$`, anyCase ? 'sui' : 'su');
    if (compiled.size > 2000) compiled.clear();
    compiled.set(key, expression);
  }
  return expression.test(text);
}

/** The same as the source of an expression, for one that tests many patterns at once. */
export function wildcardSource(pattern: string): string {
  const tail = pattern.endsWith(' *');
  const source = (tail ? pattern.slice(0, -2) : pattern)
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replace(/\*\*\/|\*+|\?/g, (wild) => (wild === '?' ? '.' : wild === '**/' ? '(?:.*/)?' : '.*'));
  return `${source}${tail ? '(?: .*)?' : ''}`;
}

/** The last rule about this fact. What guards a file guards it in upper and lower case: `.ENV` is as secret as `.env`. */
export function lastRule(permission: string, fact: string, rules: readonly Rule[]): Rule | undefined {
  const isFile = permission === 'read' || permission === 'edit';
  return rules.findLast(
    (rule) =>
      matchesWildcard(permission, rule.permission) &&
      matchesWildcard(fact, rule.pattern, isFile && rule.effect !== 'allow'),
  );
}

/** Judges a request. `ask` lists only the facts that need the person. */
export function decide(
  request: PermissionRequest,
  { policy, project = [], role }: RuleSet,
  grants: readonly Grant[],
  nowMs = Date.now(),
): Decision {
  const asked: PermissionFacts[] = [];
  let byGrant = false;
  for (const facts of [request, ...(request.also ?? [])]) {
    const open: string[] = [];
    let explicit = false;
    for (const fact of facts.patterns) {
      const [first, second, third] = [policy, project, role].map((rules) => lastRule(facts.permission, fact, rules));
      const rule = stricter(stricter(first, second), third);
      if (facts.maybe) {
        if (rule?.effect !== 'deny') continue;
        open.push(fact);
        explicit = true;
        continue;
      }
      if (rule?.effect === 'deny') return { effect: 'deny', permission: facts.permission, fact, rule };
      if (request.mustAsk) {
        open.push(fact);
        explicit = true;
      } else if (request.opaque && facts === request) {
        if (!unrestricted(rule, [...policy, ...project, ...role])) open.push(fact);
      } else if (rule?.effect === 'ask' && rule.pattern !== '*') {
        open.push(fact);
        explicit = true;
      } else if (grantFor(facts.permission, fact, grants, nowMs)) byGrant = true;
      else if (rule?.effect !== 'allow') open.push(fact);
    }
    const always = explicit || request.opaque ? [] : facts.always;
    if (open.length > 0) asked.push({ permission: facts.permission, patterns: open, always });
  }
  if (asked.length > 0) return { effect: 'ask', facts: asked };
  return { effect: 'allow', by: byGrant ? 'grant' : 'rule' };
}

/** Of what the policy and the role say about one fact, what holds. A role that allows, or says nothing, leaves it to the policy. */
function stricter(policy: Rule | undefined, role: Rule | undefined): Rule | undefined {
  if (policy?.effect === 'deny' || role === undefined || role.effect === 'allow') return policy;
  if (role.effect === 'deny') return role;
  const isExplicit = policy?.effect === 'ask' && policy.pattern !== '*';
  return isExplicit ? policy : role;
}

/** Is every fact of this permission denied, so that a tool which needs it can be left out? */
export function isAlwaysDenied(permission: string, rules: RuleSet): boolean {
  const all = [...rules.policy, ...(rules.project ?? []), ...rules.role];
  const probes = ['*', ...all.map((rule) => rule.pattern)];
  return probes.every((fact) => decide({ permission, patterns: [fact], always: [] }, rules, []).effect === 'deny');
}

/** Does everything pass? What is not understood may do what any denial forbids, so one denial anywhere is enough to ask. */
function unrestricted(rule: Rule | undefined, rules: readonly Rule[]): boolean {
  return rule?.effect === 'allow' && rule.pattern === '*' && !rules.some((other) => other.effect === 'deny');
}

const clockDriftMs = 24 * 60 * 60 * 1000;

/** One that ends counts from when it was given: a clock that was far ahead then, or was set back since, does not make it last. */
export function isInForce({ expiresAtMs, grantedAtMs }: Grant, nowMs = Date.now()): boolean {
  return expiresAtMs === undefined || (expiresAtMs > nowMs && grantedAtMs <= nowMs + clockDriftMs);
}

function grantFor(permission: string, fact: string, grants: readonly Grant[], nowMs: number): boolean {
  return grants.some(
    (grant) =>
      isInForce(grant, nowMs) && matchesWildcard(permission, grant.permission) && matchesWildcard(fact, grant.pattern),
  );
}
