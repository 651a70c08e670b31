// How the last answer ended, when it did not end by itself, and what can be done about it.
'use client';

import { useEffect, useState } from 'react';
import type { Message, MessagePart, RunError } from '../../lib/session/messages';
import { steadyNow } from '../../lib/std/steady';
import { Failure } from '../ui/failure';
import { useConversations, useCurrent } from './chat-context';
import { KeyForm } from './key-form';

/** Nothing after an answer that is complete and says or does something. */
export function TurnFoot({ message }: { message: Message }) {
  const { session, state } = useCurrent();
  const { status } = state;
  const retry = () => void session.retry();
  if (status.kind === 'retrying') return <Retrying message={status.message} nextAtMs={status.nextAtMs} />;
  if (status.kind === 'running') return null;
  const error = status.kind === 'failed' ? status.error : message.error;
  if (error) return <Failed error={error} modelId={message.model ?? state.model} retry={retry} />;
  if (message.end === 'stopped' || message.end === 'interrupted')
    return (
      <p className="turn-end">
        {message.end === 'stopped' ? 'Stopped.' : 'This answer was cut when the tab closed.'}
        <button type="button" className="button" onClick={retry}>
          Go on
        </button>
      </p>
    );
  if (message.end === 'done' && !message.parts.some(isSeen))
    return <p className="turn-end">The model answered nothing. Say it again, or choose another model.</p>;
  return null;
}

function isSeen(part: MessagePart): boolean {
  return part.type === 'step' ? false : part.type === 'text' ? part.text.trim() !== '' : true;
}

function Failed({ error, modelId, retry }: { error: RunError; modelId: string; retry: () => void }) {
  const { models } = useConversations();
  const provider = modelId.split('/')[0]!;
  const choice = models.get().providers.find((one) => one.id === provider);
  if (error.kind === 'key' && choice)
    return (
      <section className="ask" aria-label="A key is needed">
        <p>{error.message}</p>
        <KeyForm provider={choice} done={(kept) => kept && retry()} />
        <div className="row">
          <button type="button" className="button" onClick={retry}>
            Try again
          </button>
        </div>
      </section>
    );
  const what: Record<RunError['kind'], string> = {
    network: 'The connection broke',
    provider: 'The model’s provider refused',
    key: 'The key was refused',
    limit: 'Paused at a limit',
    bug: 'Something broke',
  };
  const tone = error.kind === 'limit' ? 'warning' : 'error';
  return <Failure what={what[error.kind]} error={error.message} retry={retry} tone={tone} />;
}

function Retrying({ message, nextAtMs }: { message: string; nextAtMs: number }) {
  const [nowMs, setNowMs] = useState(() => steadyNow());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(steadyNow()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((nextAtMs - nowMs) / 1000));
  return <p className="turn-end">{`${message} Tries again ${seconds === 0 ? 'now' : `in ${seconds} s`}.`}</p>;
}
