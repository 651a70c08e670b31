// The settings: few, applied at once, kept in this browser.
'use client';

import { useId } from 'react';
import { AgentLimits } from '../chat/agent-limits';
import { mcpSheet } from '../chat/chat-sheets';
import { SearchKey } from '../chat/search-key';
import { Sheet } from '../ui/sheet';
import { useStore } from '../ui/store';
import { chooseTheme, type ThemeChoice, themeChoice } from '../ui/theme';
import { openAgentSheet } from './commands';
import { type ComputerChoice, changeSettings, chooseComputer, type Settings, settings } from './settings';
import { useWorkbench } from './workbench-context';

/** Opens by command or from the activity bar. */
export function SettingsSheet() {
  const workbench = useWorkbench();
  const { sheet } = workbench;
  const open = useStore(sheet) === 'settings';
  const now = useStore(settings);
  const theme = useStore(themeChoice);
  return (
    <Sheet title="Settings" open={open} close={() => sheet.set(null)}>
      <div className="settings">
        <h3>Look and typing</h3>
        <Choice
          label="Colours"
          value={theme}
          options={{ system: 'As the system', light: 'Light', dark: 'Dark' }}
          choose={(value) => chooseTheme(value as ThemeChoice)}
        />
        <FontSize now={now} />
        <Switch
          label="Save while typing"
          hint="Otherwise only ⌘S / Ctrl+S saves."
          value={now.autosave}
          set={(autosave) => changeSettings({ autosave })}
        />
        <Switch label="Wrap long lines" value={now.wordWrap} set={(wordWrap) => changeSettings({ wordWrap })} />
        <Switch
          label="Terminal for screen readers"
          hint="Keeps the output as text that a screen reader can walk through."
          value={now.screenReader}
          set={(screenReader) => changeSettings({ screenReader })}
        />
        <h3>Where projects run</h3>
        <Choice
          label="Computer"
          hint={computerHints[now.computer]}
          value={now.computer}
          options={{ cloche: 'Cloche’s own engine', webcontainer: 'WebContainers (StackBlitz; needs their servers)' }}
          choose={(value) => chooseComputer(value as ComputerChoice)}
        />
        <h3>Agent</h3>
        <BannedCommands now={now} />
        <Switch
          label="Hide files with keys from the agent’s programs"
          hint=".env, private keys, .npmrc and the like: its commands, MCP servers, tools and plugins that start from now on don’t see them. Without this it asks before it reads one."
          value={now.hideSecrets}
          set={(hideSecrets) => changeSettings({ hideSecrets })}
        />
        <Switch
          label="Leave out keys"
          hint="What looks like a key is replaced before a model sees it. The agent then can’t edit the lines that hold it."
          value={now.redactKeys}
          set={(redactKeys) => changeSettings({ redactKeys })}
        />
        <Switch
          label="Programs over tools"
          hint="Instead of making many calls one by one, the agent may write a small program that makes them, and reads only its result. Each of these calls asks you when it would by itself."
          value={now.programs}
          set={(programs) => changeSettings({ programs })}
        />
        <AgentLimits />
        <SearchKey />
        <SheetSetting
          title="MCP servers"
          hint="More tools for the agent: programs of the sandbox, and servers of the web."
          show={() => openAgentSheet(workbench, mcpSheet)}
        />
        <SheetSetting
          title="Your skills, agents and commands"
          hint="Instructions, roles and slash commands of your own, for every project."
          show={() => sheet.set('own')}
        />
        <SheetSetting
          title="Your opencode.json"
          hint="Rules for every project, in OpenCode’s format. The limits, skills, agents and commands above are kept there too."
          show={() => sheet.set('config')}
        />
        <h3>Keyboard</h3>
        <SheetSetting title="Shortcuts" show={() => sheet.set('keys')} />
      </div>
    </Sheet>
  );
}

/** What has a sheet of its own. */
function SheetSetting(props: { title: string; hint?: string; show(): void }) {
  return (
    <div className="setting">
      <span>
        {props.title}
        {props.hint !== undefined && <small>{props.hint}</small>}
      </span>
      <button type="button" className="button" aria-label={`See and change… ${props.title}`} onClick={props.show}>
        See and change…
      </button>
    </div>
  );
}

const computerHints: Record<ComputerChoice, string> = {
  cloche:
    'What runs your projects. It comes from this site and needs nobody else. A change counts when a project is opened next.',
  webcontainer:
    'Loaded from StackBlitz’s servers under StackBlitz’s terms, which ask companies for a licence. Not offline; blockers of third-party frames, cookies or storage can stop it. The project’s files are kept in this browser as ever, node_modules is not. A change counts when a project is opened next.',
};

function FontSize({ now }: { now: Settings }) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>Size of code, in pixels</label>
      <input
        id={id}
        className="field"
        type="number"
        min={10}
        max={24}
        value={now.fontSize}
        onChange={(event) => {
          const fontSize = event.currentTarget.valueAsNumber;
          if (fontSize >= 10 && fontSize <= 24) changeSettings({ fontSize });
        }}
      />
    </div>
  );
}

function BannedCommands({ now }: { now: Settings }) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>
        Commands that the agent never runs
        <small>One a line, by their first words: npm publish. It is told that you banned them.</small>
      </label>
      <textarea
        id={id}
        className="field"
        rows={3}
        defaultValue={now.bannedCommands.join('\n')}
        onChange={(event) => {
          const lines = event.currentTarget.value.split('\n').map((line) => line.trim());
          changeSettings({ bannedCommands: lines.filter((line) => line !== '') });
        }}
      />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  hint?: string;
  value: string;
  options: Record<string, string>;
  choose: (value: string) => void;
}

function Choice({ label, hint, value, options, choose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>
        {label}
        {hint && <small>{hint}</small>}
      </label>
      <select id={id} className="field" value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Switch({
  label,
  hint,
  value,
  set,
}: {
  label: string;
  hint?: string;
  value: boolean;
  set: (value: boolean) => void;
}) {
  return (
    <label className="setting">
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <input type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} />
    </label>
  );
}
