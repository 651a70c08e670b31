import a from './a.cjs'; export const b = a;
