// The preview before there is a server: one sentence, one action.
'use client';

import { useEffect, useState } from 'react';
import { planRun, type RunPlan } from '../../lib/project/run-command';
import { joinPath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { useStore } from '../ui/store';

/** Says which command would start one, as package.json has it. */
export function NothingListens({ port }: { port: number | undefined }) {
  const workbench = useWorkbench();
  const { sandbox, terminals } = workbench;
  const running = useStore(terminals.running);
  const [plan, setPlan] = useState<RunPlan | 'unknown'>();
  useEffect(() => {
    let gone = false;
    const read = async () => {
      const packageJson = await sandbox.fs.readText(joinPath(sandbox.workdir, 'package.json')).catch(() => undefined);
      const files = (await sandbox.fs.list(sandbox.workdir)).map((entry) => entry.name);
      if (!gone) setPlan(planRun({ packageJson, hasNodeModules: true, files }));
    };
    read().catch(() => !gone && setPlan('unknown'));
    const stop = sandbox.fs.watch(joinPath(sandbox.workdir, 'package.json'), () => void read().catch(() => {}));
    return () => {
      gone = true;
      stop();
    };
  }, [sandbox]);

  if (running)
    return (
      <div className="empty" role="status">
        <p>Running. The page appears here as soon as something listens on a port.</p>
      </div>
    );
  // Not before all of it is known: it would move while it is read.
  if (plan === undefined) return <div className="empty" aria-busy="true" />;
  return (
    <div className="empty">
      <p>
        {port === undefined ? 'Nothing is listening yet.' : `Nothing is listening on port ${port} any more.`}
        {plan !== 'unknown' && plan.kind === 'run' && (
          <>
            {' '}
            Run <code className="mono">{plan.title}</code> to start.
          </>
        )}
      </p>
      <button type="button" className="button" data-tone="primary" onClick={() => void workbench.runOrStop()}>
        Run
      </button>
    </div>
  );
}
