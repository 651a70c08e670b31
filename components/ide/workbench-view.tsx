// The workbench on screen: bars around the area of panels. Makes the workbench when it mounts and ends it when it goes.
'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import type { Project } from '../../lib/project/projects';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { ConfigSheet } from '../chat/config-sheet';
import { OwnSheet } from '../chat/own-sheet';
import { KeepOffline } from '../offline/offline-status';
import { Picker } from '../search/picker';
import { useSeenArea } from '../ui/use-seen-area';
import { ActivityBar } from './activity-bar';
import { BootWait } from './boot-wait';
import { type Command, createCommands } from './commands';
import { openFirstFiles } from './first-files';
import { afterEditor, editorHasOpened } from './first-output';
import { KeysSheet } from './keys-sheet';
import { PanelArea } from './panel-area';
import { PhoneBar } from './phone-bar';
import { SettingsSheet } from './settings-sheet';
import { StatusBar } from './status-bar';
import { StorageNotice } from './storage-notice';
import { TopBar } from './top-bar';
import { commandFor, useCommandKeys } from './use-keys';
import { createWorkbench, type Workbench } from './workbench';
import { WorkbenchContext } from './workbench-context';

interface WorkbenchViewProps {
  sandbox: Sandbox;
  project: Project;
  firstFile?: string;
  narrow: boolean;
}

/** Owns the sandbox from here on. */
export function WorkbenchView({ sandbox, project, firstFile, narrow }: WorkbenchViewProps) {
  const [scope, setScope] = useState<{ workbench: Workbench; commands: Command[] }>();
  const [isShown, setIsShown] = useState(false);
  const live = useRef<{ sandbox: Sandbox; workbench: Workbench; leaving?: ReturnType<typeof setTimeout> }>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: one workbench per sandbox; the other values are read once.
  useEffect(() => {
    if (live.current?.sandbox === sandbox) clearTimeout(live.current.leaving);
    else {
      let commands: Command[] = [];
      const isIdeKey = (event: KeyboardEvent) => commandFor(event, commands) !== undefined;
      const workbench = createWorkbench({ sandbox, project, isIdeKey });
      commands = createCommands(workbench);
      live.current = { sandbox, workbench };
      setScope({ workbench, commands });
      void openFirstFiles(workbench, firstFile).finally(editorHasOpened);
    }
    const current = live.current;
    return () => {
      // Later, not now: in development React leaves and comes back at once, and the computer must still be there.
      current.leaving = setTimeout(() => void current.workbench.dispose());
    };
  }, [sandbox]);

  const keyboard = useSeenArea(narrow);
  useEffect(() => void afterEditor().then(() => setIsShown(true)), []);

  const none = useMemo(() => [], []);
  useCommandKeys(scope?.commands ?? none);
  if (!scope) return <BootWait />;
  return (
    <WorkbenchContext value={scope}>
      <div className="ide" data-narrow={narrow} data-keyboard={keyboard}>
        <TopBar narrow={narrow} />
        <StorageNotice narrow={narrow} />
        <div className="ide-middle">
          {!narrow && <ActivityBar />}
          <PanelArea narrow={narrow} />
          {narrow && <PhoneBar />}
        </div>
        {!narrow && <StatusBar />}
        {isShown && <KeepOffline />}
        <Picker />
        <SettingsSheet />
        <KeysSheet />
        <ConfigSheet />
        <OwnSheet />
      </div>
    </WorkbenchContext>
  );
}
