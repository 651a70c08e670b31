// Boots the project's computer and hands it on ready. A boot that fails or hangs can be tried again without reloading the page.
'use client';

import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { Project } from '../../lib/project/projects';
import { bringIn } from '../../lib/project/waiting-files';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { type BootProgress, type BootSandbox, bootTimeoutMs } from './boot';
import { BootScreen } from './boot-screen';

type BootState =
  | { kind: 'booting'; progress: BootProgress }
  | { kind: 'ready'; sandbox: Sandbox }
  | { kind: 'failed'; error: unknown };

interface SandboxProviderProps {
  project: Project;
  boot: BootSandbox;
  children: (sandbox: Sandbox) => ReactNode;
}

/** For so many the last hundredths of the bar are most of the wait. */
const manyFiles = 2000;

/** Shows progress until the sandbox is there; disposes one that arrives after it was given up. Whoever gets the sandbox disposes it. */
export function SandboxProvider({ project, boot, children }: SandboxProviderProps) {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<BootState>({ kind: 'booting', progress: { step: 'Starting', fraction: 0 } });
  const retry = useCallback(() => setAttempt((now) => now + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is what starts another one; a renamed project is no reason to.
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    let ready = false;
    const show = (progress: BootProgress) => {
      // The engine goes on unpacking after it is ready; that must not bring the boot screen back.
      if (signal.aborted || ready) return;
      clearTimeout(timer);
      timer = setTimeout(
        () => fail(new Error(`It did not start: nothing happened for ${bootTimeoutMs / 1000} seconds.`)),
        bootTimeoutMs,
      );
      setState({ kind: 'booting', progress });
    };
    const start = async () => {
      const sandbox = await boot(project, show, signal);
      try {
        signal.throwIfAborted();
        await bringIn(sandbox, project.id, (done, all) =>
          show({
            step:
              all < manyFiles
                ? 'Writing files'
                : `Writing file ${done.toLocaleString('en')} of ${all.toLocaleString('en')},`,
            fraction: 0.95 + (0.05 * done) / all,
          }),
        );
        signal.throwIfAborted();
      } catch (error) {
        void sandbox.dispose();
        throw error;
      }
      clearTimeout(timer);
      ready = true;
      setState({ kind: 'ready', sandbox });
    };
    const fail = (error: unknown) => {
      if (signal.aborted) return;
      stopped.abort();
      clearTimeout(timer);
      setState({ kind: 'failed', error });
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    show({ step: 'Starting', fraction: 0 });
    start().catch(fail);
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [attempt, boot, project.id]);

  if (state.kind === 'ready') return children(state.sandbox);
  return (
    <BootScreen
      projectName={project.name}
      progress={state.kind === 'booting' ? state.progress : undefined}
      error={state.kind === 'failed' ? state.error : undefined}
      retry={retry}
    />
  );
}
