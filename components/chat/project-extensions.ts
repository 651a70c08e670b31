// The programs that the open project brings (its tools and plugins): those that the person said yes to, held in processes of the sandbox.
import type { ProjectCustoms } from '../../lib/config/project-customs';
import { type ExtensionHooks, extensionHooks } from '../../lib/extensions/extension-hooks';
import { createExtensions, type ExtensionFile, type Extensions } from '../../lib/extensions/extensions';
import type { FilePolicy, Sandbox } from '../../lib/sandbox/sandbox';

/** Made once for the open project. */
export interface ProjectExtensions {
  programs: Extensions;
  hooks: ExtensionHooks;
  /** Resolves when all are loaded or have failed, and what they add to the configuration counts. */
  ready(): Promise<void>;
  dispose(): Promise<void>;
}

const programUrl = '/engine/extension-host.js';

/** Follows what is trusted: a program starts after its yes, and ends when it is changed or refused. */
export function createProjectExtensions(
  sandbox: Sandbox,
  customs: ProjectCustoms,
  policy: () => FilePolicy | undefined,
): ProjectExtensions {
  let text: Promise<string> | undefined;
  const programs = createExtensions({
    sandbox,
    loadProgram() {
      text ??= fetchProgram();
      text.catch(() => {
        text = undefined;
      });
      return text;
    },
    policy,
    config: () => {
      const { agent, command, mcp, instructions, plugin } = customs.config();
      return { agent, command, mcp, instructions, plugin };
    },
    async isUnchanged({ path, hash }) {
      await customs.look();
      return customs.state().used.some((file) => file.path === path && file.hash === hash);
    },
  });
  let wanted = '';
  const follow = () => {
    const files = customs.state().used.filter((file): file is typeof file & ExtensionFile => {
      return file.kind === 'tool' || file.kind === 'plugin';
    });
    const now = JSON.stringify(files.map((file) => [file.path, file.hash]));
    if (now === wanted) return;
    wanted = now;
    programs.want(files);
  };
  follow();
  const stopFollowing = customs.subscribe(follow);
  const takeAdded = () =>
    customs.takeAdded(
      programs.states().flatMap(({ file: { path }, status }) => {
        const config = status.kind === 'running' ? status.loaded.config : undefined;
        return config === undefined ? [] : [{ path, text: JSON.stringify(config, null, 2) }];
      }),
    );
  const stopHearing = programs.subscribe(() => void takeAdded().catch(() => {}));
  return {
    programs,
    hooks: extensionHooks(programs),
    async ready() {
      await programs.ready();
      await takeAdded();
    },
    async dispose() {
      stopFollowing();
      stopHearing();
      await programs.dispose();
    },
  };
}

/** Text for the sandbox; nothing of it runs on this page. */
async function fetchProgram(): Promise<string> {
  const response = await fetch(programUrl).catch(() => undefined);
  if (response?.ok !== true)
    throw new Error(
      `the program that holds tools and plugins could not be loaded (${response === undefined ? 'no network' : `HTTP ${response.status}`})`,
    );
  return response.text();
}
