// The syntax tree of awk.
/** Expressions of awk. */
export type Expression =
  | { type: 'number'; value: number }
  | { type: 'string'; value: string }
  | { type: 'regex'; regex: RegExp }
  | { type: 'name'; name: string }
  | { type: 'field'; index: Expression }
  | { type: 'element'; name: string; keys: Expression[] }
  | { type: 'in'; name: string; keys: Expression[] }
  | { type: 'assign'; operator: string; target: Expression; value: Expression }
  | { type: 'binary'; operator: string; left: Expression; right: Expression }
  | { type: 'unary'; operator: string; operand: Expression }
  | { type: 'step'; operator: '++' | '--'; prefix: boolean; target: Expression }
  | { type: 'ternary'; test: Expression; yes: Expression; no: Expression }
  | { type: 'match'; negated: boolean; text: Expression; pattern: Expression }
  | { type: 'call'; name: string; args: Expression[] }
  | { type: 'builtin'; name: string; args: Expression[] }
  | { type: 'group'; items: Expression[] }
  | {
      type: 'getline';
      from: 'main' | 'file' | 'command';
      source: Expression | undefined;
      target: Expression | undefined;
    };

/** Statements of awk. */
export type Statement =
  | { type: 'block'; body: Statement[] }
  | { type: 'expression'; value: Expression }
  | {
      type: 'print';
      formatted: boolean;
      args: Expression[];
      to: { kind: '>' | '>>' | '|'; name: Expression } | undefined;
    }
  | { type: 'if'; test: Expression; yes: Statement; no: Statement | undefined }
  | { type: 'while'; test: Expression; body: Statement }
  | { type: 'do'; test: Expression; body: Statement }
  | {
      type: 'for';
      start: Statement | undefined;
      test: Expression | undefined;
      step: Statement | undefined;
      body: Statement;
    }
  | { type: 'forIn'; name: string; array: string; body: Statement }
  | { type: 'delete'; name: string; keys: Expression[] | undefined }
  | { type: 'jump'; kind: 'break' | 'continue' | 'next' | 'nextfile' }
  | { type: 'exit' | 'return'; value: Expression | undefined };

/** A rule: a pattern (or BEGIN, END) with its action; no action prints. */
export interface Rule {
  kind: 'begin' | 'end' | 'main';
  from: Expression | undefined;
  to: Expression | undefined;
  body: Statement | undefined;
}

/** A whole program. */
export interface Program {
  rules: Rule[];
  functions: Map<string, { parameters: string[]; body: Statement }>;
}
