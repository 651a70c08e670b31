// The input of a call, whole: a command as it would be typed, everything else member by member.
'use client';

import type { ToolPart } from '../../lib/session/messages';

/** Text only; while it still arrives, the raw JSON. */
export function ToolInput({ part }: { part: ToolPart }) {
  const { input, inputText } = part;
  if (typeof input !== 'object' || input === null)
    return inputText ? <pre className="tool-input">{inputText}</pre> : null;
  const { command, code, ...rest } = input as Record<string, unknown>;
  const members = Object.entries(rest).filter(([, value]) => value !== undefined);
  return (
    <>
      {typeof code === 'string' && <pre className="tool-input">{code}</pre>}
      {typeof command === 'string' && <pre className="tool-input">{`$ ${command}`}</pre>}
      {members.length > 0 && (
        <dl className="tool-members">
          {members.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
