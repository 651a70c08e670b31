// What a server may ask in the middle of a call: a form, an address to be visited, an answer of the model. All of it goes to the person of the
// conversation whose call runs, and nowhere when no call does.
import { abortError } from '../../std/signals';
import type { AskQuestions } from '../../tools/question';
import { type Sample, SampleRefused } from '../../tools/sample';
import type { CallDeadline } from './call-deadline';
import { type ElicitAnswer, type ElicitForm, elicitAnswer, elicitQuestions } from './elicitation';
import { readSampling, type SamplingParams, samplingAnswer } from './sampling';
import { judgeAddress, type VisitRequest } from './visit';

/** Asked by a server; `signal` aborts when it takes the question back. */
export interface ServerAsks {
  elicit(form: ElicitForm, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Resolves when the person has opened the page, or would rather not. Rejects for an address that nobody is shown. */
  visit(request: VisitRequest, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Resolves when the person says that they are done there, or `finished` aborts. False: they give up. */
  untilVisited(request: VisitRequest, signal: AbortSignal, finished: AbortSignal): Promise<boolean>;
  /** Rejects with SampleRefused, or an Error that the server may read. */
  sample(params: SamplingParams, signal: AbortSignal): Promise<Record<string, unknown>>;
}

/** What of a conversation servers may use. Without `sample` no server gets an answer of a model. */
export interface McpConversation {
  askQuestions: AskQuestions;
  sample?: Sample;
}

/** Each costs the person a look. */
const maxSamplesPerCall = 20;

/** The asks of one call. */
export function asksOfCall({ askQuestions, sample }: McpConversation, server: string, callId: string): ServerAsks {
  let samples = 0;
  let refused = false;
  return {
    async elicit(form, signal) {
      const asked = elicitQuestions(server, form);
      if (asked === undefined) return { action: 'decline' };
      let { questions } = asked;
      let given: string[][] | undefined;
      for (;;) {
        const context = { callId, signal, from: server, ...(given === undefined ? {} : { given }) };
        const said = await askQuestions(questions, context);
        const answer = elicitAnswer(asked, said);
        if (typeof answer !== 'string') return answer;
        // The server would refuse it; the person can still say it right.
        const [first, ...rest] = asked.questions;
        questions = [{ ...first!, question: `${answer}\n${first!.question}` }, ...rest];
        given = said.kind === 'answered' ? said.answers : undefined;
      }
    },
    async visit({ message, url }, signal) {
      const address = judgeAddress(url);
      const question = { question: message, header: address.host.slice(0, 30), options: [], custom: false };
      const said = await askQuestions([question], { callId, signal, from: server, address });
      if (said.kind === 'answered') return { action: 'accept' };
      return { action: said.kind === 'dismissed' && said.message !== undefined ? 'decline' : 'cancel' };
    },
    async untilVisited({ url }, signal, finished) {
      const { host } = judgeAddress(url);
      const question = {
        question: `Go on when you are done at ${host}. It goes on by itself when the server says so.`,
        header: host.slice(0, 30),
        options: [{ label: 'I am done' }],
        custom: false,
      };
      const both = AbortSignal.any([signal, finished]);
      try {
        const said = await askQuestions([question], { callId, signal: both, from: server, given: [['I am done']] });
        return said.kind === 'answered';
      } catch (error) {
        if (finished.aborted && !signal.aborted) return true;
        throw error;
      }
    },
    async sample(params, signal) {
      if (sample === undefined) throw new SampleRefused('Nobody is there who could allow it.');
      if (refused) throw new SampleRefused('The person does not want this server to ask the model in this call.');
      if (++samples > maxSamplesPerCall)
        throw new SampleRefused(`A call may ask the model at most ${maxSamplesPerCall} times.`);
      const request = readSampling(params);
      try {
        return samplingAnswer(params, await sample(request, { callId, signal, from: server }));
      } catch (error) {
        refused ||= error instanceof SampleRefused;
        throw error;
      }
    },
  };
}

/** The calls of one server that run. While one of them asks, no call's time runs. */
export interface RunningCalls {
  /** `asks`: of that call alone. */
  begin(asks: ServerAsks, deadline: CallDeadline): { asks: ServerAsks; end(): void };
  /** What the server asks without a word which call it is about: the one that began last; nobody when none runs. */
  readonly asks: ServerAsks;
}

/** None yet. */
export function createRunningCalls(): RunningCalls {
  const running: { asks: ServerAsks; deadline: CallDeadline }[] = [];
  async function held<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw abortError(signal);
    const goOns = running.map(({ deadline }) => deadline.hold());
    try {
      return await ask();
    } finally {
      for (const goOn of goOns) goOn();
    }
  }
  const through = (of: () => ServerAsks): ServerAsks => ({
    elicit: (form, signal) => held(signal, () => of().elicit(form, signal)),
    visit: (request, signal) => held(signal, () => of().visit(request, signal)),
    untilVisited: (request, signal, finished) => held(signal, () => of().untilVisited(request, signal, finished)),
    sample: (params, signal) => held(signal, () => of().sample(params, signal)),
  });
  return {
    begin(asks, deadline) {
      const one = { asks, deadline };
      running.push(one);
      return { asks: through(() => asks), end: () => void running.splice(running.indexOf(one), 1) };
    },
    asks: through(() => running.at(-1)?.asks ?? nobodyAsks),
  };
}

/** No call of the server runs. */
const nobodyAsks: ServerAsks = {
  elicit: () => Promise.resolve({ action: 'decline' }),
  visit: () => Promise.resolve({ action: 'decline' }),
  untilVisited: () => Promise.resolve(false),
  sample: () => Promise.reject(new SampleRefused('No call of this server runs.')),
};
