// modules: package.json lookups, as src/node_modules.cc answers them, cached by inode version.
import type { Binding, ProcessEnvironment } from '../process/environment';
import { FILE_TYPE } from '../tree/types';

/** `[name, main, type, imports, exports, file path]`: JSON text for what lib parses itself. */
type PackageConfig = [string | undefined, string | undefined, string, string | undefined, string | undefined, string];

export const modules: Binding = (environment) => {
  const packages = new PackageReader(environment);
  const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const pathOfUrl = (url: string): string => decodeURIComponent(new environment.browser.URL(url).pathname);

  /** The closest package.json above a file. */
  const nearest = (path: string): PackageConfig | undefined => {
    for (let directory = directoryOf(path); ; directory = directoryOf(directory)) {
      const found = packages.read(`${directory}/package.json`);
      if (found || directory === '') return found;
    }
  };
  /** As the ESM resolver walks: stops at a node_modules folder; the path that it would have read when there is none. */
  const scope = (url: string): PackageConfig | string => {
    let directory = directoryOf(pathOfUrl(url));
    for (; !directory.endsWith('/node_modules'); directory = directoryOf(directory)) {
      const found = packages.read(`${directory}/package.json`);
      if (found) return found;
      if (directory === '') break;
    }
    return `${directory}/package.json`;
  };
  const { compileCacheStatus } = environment.dumped('modules');

  return Object.assign(environment.dumped('modules'), {
    readPackageJSON: (path: string, isESM: boolean, base?: string, specifier?: string) =>
      packages.read(path, isESM, base, specifier),
    getNearestParentPackageJSON: nearest,
    getNearestParentPackageJSONType: (path: string) => nearest(path)?.[2] ?? 'none',
    getPackageScopeConfig: scope,
    getPackageType(url: string) {
      const found = scope(url);
      return Array.isArray(found) && found[2] !== 'none' ? found[2] : undefined;
    },
    // The browser offers no code cache for eval: enabling it is refused in the way that lib reports to the caller.
    enableCompileCache: () => [compileCacheStatus.indexOf('DISABLED')],
    getCompileCacheDir: () => undefined,
    flushCompileCache() {},
    getCompileCacheEntry: () => undefined,
    saveCompileCacheEntry() {},
    setLazyPathHelpers(meta: Record<string, unknown>, url: string) {
      const filename = pathOfUrl(url);
      meta.dirname = directoryOf(filename) || '/';
      meta.filename = filename;
    },
  });
};

class PackageReader {
  private readonly environment: ProcessEnvironment;
  private readonly cache = new Map<string, { ino: number; version: number; config: PackageConfig }>();

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
  }

  read(path: string, isESM = false, base?: string, specifier?: string): PackageConfig | undefined {
    const { tree } = this.environment;
    const ino = tree.lookup(path);
    if (ino < 0 || tree.typeOf(ino) !== FILE_TYPE.file) return undefined;
    const version = tree.versionOf(ino);
    const cached = this.cache.get(path);
    if (cached?.ino === ino && cached.version === version) return cached.config;
    const config = this.parse(path, tree.readText(ino), isESM, base, specifier);
    this.cache.set(path, { ino, version, config });
    return config;
  }

  private parse(path: string, text: string, isESM: boolean, base?: string, specifier?: string): PackageConfig {
    let json: any;
    try {
      json = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
      if (json === null || typeof json !== 'object') throw new SyntaxError('not an object');
    } catch (cause) {
      const origin =
        base === undefined
          ? ''
          : isESM && specifier !== undefined
            ? ` while importing "${specifier}" from ${base}`
            : ` while importing ${base}`;
      throw Object.assign(new Error(`Invalid package config ${path}${origin}.`), {
        code: 'ERR_INVALID_PACKAGE_CONFIG',
        cause,
      });
    }
    const string = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
    const { imports, exports } = json;
    return [
      string(json.name),
      string(json.main),
      json.type === 'module' || json.type === 'commonjs' ? json.type : 'none',
      imports !== null && typeof imports === 'object' ? JSON.stringify(imports) : undefined,
      exports === undefined || exports === null ? undefined : (string(exports) ?? JSON.stringify(exports)),
      path,
    ];
  }
}
