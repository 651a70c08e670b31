// The parts that install-build.ts uses of three packages that lie in npm's own folder.
declare module 'pacote' {
  const pacote: { extract(spec: string, folder: string, options: Record<string, unknown>): Promise<unknown> };
  export default pacote;
}
declare module 'proc-log' {
  export const log: Record<'notice' | 'warn', (prefix: string, text: string) => void>;
}
declare module 'semver' {
  const semver: { satisfies(version: string, range: string, options: { includePrerelease: boolean }): boolean };
  export default semver;
}
