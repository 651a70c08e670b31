// A guest that answers a page's request with an error and nothing else would leave the preview white: nobody could tell it from a page that is
// still to come. As browsers do, the preview says then what the server said.
import { failurePage } from './failure-page';

/** `answer`, or a page in its place when it is an error without a single byte. Waits for the first byte. */
export async function orFailurePage(answer: Response): Promise<Response> {
  if (answer.status < 400) return answer;
  const { status, statusText, headers, body } = answer;
  if (body === null) return saying(status, statusText);
  const reader = body.getReader();
  const first = await reader.read();
  if (first.done) return saying(status, statusText);
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first.value),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(whole, { status, statusText, headers });
}

function saying(status: number, reason: string): Response {
  const title = `The server answered ${status}${reason === '' ? '' : ` (${reason})`}`;
  // It is an answer: asking again and again is for servers that are not there yet.
  return failurePage(status, title, 'It sent no page with it. What went wrong may stand in the terminal.', false);
}
