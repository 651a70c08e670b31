// What happens to a conversation, as events for the hooks of a project. Told from its state, so nothing can happen that is not told.
import type { SessionHooks } from './session-hooks';
import type { Session } from './types';

/** From now on, for as long as the session lives. */
export function tellEvents(session: Pick<Session, 'id' | 'state' | 'subscribe'>, { onEvent }: SessionHooks): void {
  if (onEvent === undefined) return;
  const sessionID = session.id;
  const countSummaries = () =>
    session
      .state()
      .messages.reduce((count, { parts }) => count + parts.filter((one) => one.type === 'summary').length, 0);
  let before = session.state().status;
  let summaries = countSummaries();
  const say = (status: object) => onEvent({ type: 'session.status', properties: { sessionID, status } });
  session.subscribe(() => {
    const { status } = session.state();
    if (status === before) return;
    before = status;
    const count = countSummaries();
    if (count > summaries) onEvent({ type: 'session.compacted', properties: { sessionID } });
    summaries = count;
    switch (status.kind) {
      case 'running':
        return say({ type: 'busy' });
      case 'retrying':
        return say({ type: 'retry', attempt: status.attempt, message: status.message, next: status.nextAtMs });
      case 'failed': {
        const { message } = status.error;
        onEvent({
          type: 'session.error',
          properties: { sessionID, error: { name: 'UnknownError', data: { message } } },
        });
        say({ type: 'idle' });
        return onEvent({ type: 'session.idle', properties: { sessionID } });
      }
      case 'idle':
        say({ type: 'idle' });
        return onEvent({ type: 'session.idle', properties: { sessionID } });
    }
  });
}
