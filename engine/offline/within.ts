// How long a service worker waits for a server that may be gone, and when an answer means "gone".

/** A network that is there but dead must not keep a person waiting for what lies beside it. */
export const NETWORK_MS = 4000;

/** The response, or undefined when it fails, comes too late, or says that there is no server behind the proxy. */
export async function answerInTime(response: Promise<Response>, limitMs = NETWORK_MS): Promise<Response | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined);
  });
  const got = await Promise.race([response.catch(() => undefined), late]);
  clearTimeout(timer);
  return got && ![502, 503, 504].includes(got.status) ? got : undefined;
}
