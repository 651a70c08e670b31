// Where a model's programs run (code mode): a hidden frame of the sandbox's site whose own policy takes every origin from it, with one worker in
// it. A frame per program: removing it ends whatever the program does.

/** A place where one program runs. */
export interface ProgramPlace {
  /** Hands the program over; what it says comes out of the port. Once. */
  start(message: object): MessagePort;
  /** Ends it, at once and for good. */
  end(): void;
}

const readyWord = 'cloche-program-ready';
const readyTimeoutMs = 15_000;

/** Loads the page. Rejects when it does not come, when it has an origin after all, or when the signal aborts. */
export async function startProgramFrame(pageUrl: string, signal: AbortSignal): Promise<ProgramPlace> {
  signal.throwIfAborted();
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = 'A program of the agent';
  // Its own answer takes the origin too. Here that would take its service worker from it, which answers when the server is gone.
  frame.sandbox.value = 'allow-scripts allow-same-origin';
  frame.src = pageUrl;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(readyTimeoutMs)]);
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(signal.aborted ? signal.reason : new Error(`${pageUrl} did not answer.`));
      limit.addEventListener('abort', fail, { once: true });
      addEventListener(
        'message',
        (event) => {
          if (event.source !== frame.contentWindow || event.data !== readyWord) return;
          // A server that leaves the policy out would run the program with the sandbox's storage.
          if (event.origin === 'null') resolve();
          else
            reject(
              new Error(`${pageUrl} came without the policy that isolates it: a program would run as ${event.origin}.`),
            );
        },
        { signal: limit },
      );
      document.body.append(frame);
    });
  } catch (error) {
    frame.remove();
    throw error;
  }
  return {
    start(message) {
      const { port1, port2 } = new MessageChannel();
      frame.contentWindow!.postMessage(message, '*', [port2]);
      return port1;
    },
    end: () => frame.remove(),
  };
}
