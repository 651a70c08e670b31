// What the language service is told about what it cannot see: the packages in node_modules and Node's own names. Every bare import is `any`
// rather than red, while a relative path that leads nowhere, or a name that nobody declared, is an error as it should be.

/** Beginnings of a package's name; a pattern may hold only one star, and one that starts with a dot would also hide wrong relative paths. */
const packages = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#~_'];
/** What bundlers take as modules. */
const assets = ['css', 'scss', 'less', 'svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'woff2', 'wasm']
  .concat(['html', 'txt', 'md', 'mdx', 'vue', 'svelte', 'astro', 'graphql', 'node'])
  .map((ending) => `*.${ending}`)
  .concat(['*?raw', '*?url', '*?inline', '*?worker']);

const globals = `
declare var process: any;
declare var global: any;
declare var require: any;
declare var module: any;
declare var exports: any;
declare var __dirname: string;
declare var __filename: string;
declare function setImmediate(callback: (...args: any[]) => void, ...args: any[]): any;
declare function clearImmediate(immediate: any): void;
declare class Buffer extends Uint8Array {
  static from(...args: any[]): Buffer;
  static alloc(size: number, ...args: any[]): Buffer;
  static concat(list: readonly Uint8Array[], totalLength?: number): Buffer;
  static byteLength(text: any, encoding?: string): number;
  static isBuffer(value: unknown): value is Buffer;
  static [name: string]: any;
  [name: string]: any;
}
declare namespace NodeJS {
  type Timeout = any;
  type Immediate = any;
  type Platform = string;
  type Signals = any;
  type ProcessEnv = Record<string, string | undefined>;
  type ErrnoException = Error & { code?: string; errno?: number; path?: string; syscall?: string };
  type ReadableStream = any;
  type WritableStream = any;
}
interface ImportMeta {
  dirname: string;
  filename: string;
  url: string;
  resolve(specifier: string): string;
  readonly env: any;
  readonly hot: any;
}
`;

/** One declaration file. */
export const ambientTypes = `${globals}
${[...packages.map((start) => `${start}*`), ...assets].map((name) => `declare module '${name}';`).join('\n')}
`;
