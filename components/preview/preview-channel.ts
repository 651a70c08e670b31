// A preview in its own browser tab is a page on the IDE's origin that holds the frame. It asks the tab that runs the project for the address, so
// that no link can make it frame anything else.
import type { OpenPort } from '../../lib/sandbox/sandbox';

interface Question {
  ask: 'url';
  port: number;
}

interface Answer {
  port: number;
  /** Undefined: nothing listens there. */
  url?: string;
}

const channelName = (projectId: string) => `cloche-preview-${projectId}`;

/** In the tab of the project: answers until the returned function is called. */
export function answerPreviewPages(projectId: string, ports: () => readonly OpenPort[]): () => void {
  const channel = new BroadcastChannel(channelName(projectId));
  channel.onmessage = ({ data }: MessageEvent<Question>) => {
    if (data.ask !== 'url') return;
    channel.postMessage({
      port: data.port,
      url: ports().find((open) => open.port === data.port)?.url,
    } satisfies Answer);
  };
  return () => channel.close();
}

/** In the preview's tab: the address of the port; `silent` when no tab runs the project, `closed` when nothing listens. */
export function askForPreview(
  projectId: string,
  port: number,
  timeoutMs = 2000,
): Promise<{ url: string } | 'silent' | 'closed'> {
  const channel = new BroadcastChannel(channelName(projectId));
  return new Promise<{ url: string } | 'silent' | 'closed'>((resolve) => {
    setTimeout(() => resolve('silent'), timeoutMs);
    channel.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.port === port) resolve(data.url === undefined ? 'closed' : { url: data.url });
    };
    channel.postMessage({ ask: 'url', port } satisfies Question);
  }).finally(() => channel.close());
}
