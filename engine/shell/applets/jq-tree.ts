// The syntax tree of jq.
/** Filters. */
export type Filter =
  | { type: 'identity' | 'recurse' | 'empty' }
  | { type: 'field'; source: Filter; name: Filter }
  | { type: 'slice'; source: Filter; from: Filter | undefined; to: Filter | undefined }
  | { type: 'iterate'; source: Filter }
  | { type: 'try'; body: Filter; handler: Filter | undefined }
  | { type: 'literal'; value: unknown }
  | { type: 'text'; format: string | undefined; parts: (string | Filter)[] }
  | { type: 'format'; name: string }
  | { type: 'array'; body: Filter | undefined }
  | { type: 'object'; entries: { key: Filter; value: Filter }[] }
  | { type: 'negate'; body: Filter }
  | { type: 'pipe' | 'comma' | 'and' | 'or' | 'alternative'; left: Filter; right: Filter }
  | { type: 'binary'; operator: string; left: Filter; right: Filter }
  | { type: 'update'; operator: string; left: Filter; right: Filter }
  | { type: 'if'; test: Filter; yes: Filter; no: Filter | undefined }
  | { type: 'reduce'; source: Filter; pattern: Pattern; start: Filter; step: Filter }
  | { type: 'foreach'; source: Filter; pattern: Pattern; start: Filter; step: Filter; extract: Filter | undefined }
  | { type: 'bind'; source: Filter; patterns: Pattern[]; body: Filter }
  | { type: 'define'; name: string; parameters: string[]; body: Filter; rest: Filter }
  | { type: 'call'; name: string; args: Filter[] }
  | { type: 'variable'; name: string }
  | { type: 'label'; name: string; body: Filter }
  | { type: 'break'; name: string };

/** What `as` binds. */
export type Pattern =
  | { type: 'name'; name: string }
  | { type: 'array'; items: Pattern[] }
  | { type: 'object'; entries: { key: Filter; name: string | undefined; value: Pattern | undefined }[] };
