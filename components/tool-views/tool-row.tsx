// A tool call as one compact row that opens to all of its input and output. What matters without a click stays in view: a diff, the end of a
// command that runs or failed.
'use client';

import {
  BookOpen,
  Braces,
  ChevronRight,
  FilePen,
  FilePlus,
  FileSearch,
  Files,
  FileText,
  FolderSearch,
  Globe,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestionMark,
  SquareTerminal,
  Users,
  Wrench,
} from 'lucide-react';
import { memo, type ReactNode, useId, useState } from 'react';
import type { ToolPart } from '../../lib/session/messages';
import { byName } from '../../lib/std/by-name';
import { steadyNow } from '../../lib/std/steady';
import type { KeptFile } from '../../lib/tools/tool';
import { useConversations } from '../chat/chat-context';
import { useStore } from '../ui/store';
import { CommandTime } from './command-time';
import { DiffView, fileDiffsOf } from './diff-view';
import { KeptFiles } from './kept-files';
import { KeptOutput } from './kept-output';
import { type OutputLooks, OutputView } from './output-view';
import { RunningTime } from './running-time';
import { ToolInput } from './tool-input';
import { showDuration, spokenLine, toolLine } from './tool-line';
import { useUndoHunk } from './use-undo-hunk';

const icons: Record<string, LucideIcon> = byName({
  bash: SquareTerminal,
  read: FileText,
  write: FilePlus,
  edit: FilePen,
  grep: FileSearch,
  glob: FolderSearch,
  multiedit: Files,
  apply_patch: Files,
  todo: ListTodo,
  question: MessageCircleQuestionMark,
  task: Users,
  lsp: Braces,
  job: SquareTerminal,
  webfetch: Globe,
  websearch: Globe,
  codesearch: Globe,
  execute: Braces,
  skill: BookOpen,
});

interface ToolRowProps {
  part: ToolPart;
  /** Opens a file of the project in the editor. */
  openFile: (path: string) => void;
  /** The question about this call. */
  children?: ReactNode;
}

/** One call in any state. */
export const ToolRow = memo(function ToolRow({ part, openFile, children }: ToolRowProps) {
  const line = toolLine(part);
  const [open, setOpen] = useState(false);
  const id = useId();
  const Icon = icons[part.tool] ?? Wrench;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, a section would be a landmark.
    <div className="tool" role="group" data-tone={line.tone} data-tool={part.tool} aria-label={spokenLine(line)}>
      <div className="tool-line">
        <button
          type="button"
          className="tool-toggle"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={14} aria-hidden="true" className="tool-chevron" />
          <Icon size={16} aria-hidden="true" />
          <span className="tool-verb">{line.verb}</span>
          {!line.file && <span className="tool-object mono">{line.object}</span>}
        </button>
        {line.file && (
          <button type="button" className="tool-object tool-file mono" onClick={() => openFile(line.file!)}>
            {line.file}
          </button>
        )}
        <span className="tool-gap" />
        {line.state && <span className="tool-state">{line.state}</span>}
        <span className="tool-time">
          {line.durationMs !== undefined
            ? showDuration(line.durationMs)
            : part.state === 'running' && <RunningTime startedAtMs={part.startedAtMs ?? steadyNow()} />}
        </span>
      </div>
      {children || <AlwaysShown part={part} open={open} />}
      {part.attachments && <Attachments files={part.attachments} />}
      <div id={id}>{open && <Whole part={part} openFile={openFile} />}</div>
    </div>
  );
});

/** What the tool showed to the model. */
function Attachments({ files }: { files: readonly KeptFile[] }) {
  const session = useStore(useConversations().current);
  return <KeptFiles files={files} load={session.file} />;
}

/** What is seen without opening the row. */
function AlwaysShown({ part, open }: { part: ToolPart; open: boolean }) {
  const undoHunk = useUndoHunk(part);
  const diffs = fileDiffsOf(part.meta);
  if (diffs.length > 0 && part.state === 'done')
    return diffs.map((diff) => (
      <DiffView
        key={diff.path}
        diff={diff}
        isOneOfSeveral={diffs.length > 1}
        {...(undoHunk && diff.change === 'changed' ? { undoHunk: (hunk) => undoHunk(diff.path, hunk) } : {})}
      />
    ));
  if (open) return null;
  if (part.tool === 'bash' && part.state === 'running')
    return (
      <>
        {part.output !== undefined && <OutputView text={part.output} looks={looksOf(part)} lines={8} from="end" />}
        <CommandTime callId={part.callId} />
      </>
    );
  const failed =
    (part.state === 'error' && part.tool !== 'question') || (part.tool === 'bash' && toolLine(part).tone === 'bad');
  if (part.output && failed) return <OutputView text={part.output} looks={looksOf(part)} lines={8} from="end" />;
  return null;
}

function looksOf({ meta }: ToolPart): OutputLooks | undefined {
  return meta?.looks as OutputLooks | undefined;
}

/** Input and output, whole. */
function Whole({ part, openFile }: Pick<ToolRowProps, 'part' | 'openFile'>) {
  return (
    <div className="tool-whole">
      <ToolInput part={part} />
      {part.repairs?.map((repair) => (
        <p key={repair} className="diff-note">{`Mended: ${repair}`}</p>
      ))}
      {part.output ? (
        <>
          <h3>{part.state === 'error' ? 'Why not' : 'What the agent was told'}</h3>
          <OutputView text={part.output} looks={looksOf(part)} lines={200} from="start" />
          <KeptOutput part={part} openFile={openFile} />
        </>
      ) : (
        <p className="diff-note">No output.</p>
      )}
    </div>
  );
}
