// Names that a CommonJS module exports, from the lexer that Node embeds.
import { initSync, parse } from 'cjs-module-lexer';
import type { Binding } from '../process/environment';

export const cjsLexer: Binding = () => {
  let ready = false;
  return {
    parse(source: string): [exports: Set<string>, reexports: string[]] {
      if (!ready) initSync();
      ready = true;
      const { exports, reexports } = parse(source);
      return [new Set(exports), [...reexports]];
    },
  };
};
