// Hooks that add: to what the person said, to the system prompt, to what a summary keeps, to a command's environment. They add and take nothing
// away: what the person said stays as it was said, and what stands beside it is shown with the file that it comes from.
import { loadsCode } from '../permission/bash-meaning';
import { isRecord } from '../std/json';
import type { ExtensionState } from './extensions';

/** A text, and the file that added it. */
export interface AddedText {
  text: string;
  from: string;
}

/** The step or message that something is added to. */
export interface AddedTo {
  sessionId: string;
  agent: string;
  model: string;
}

/** What fails is told with its file and adds nothing; none of these rejects but for the signal. */
export interface AddingHooks {
  addToSaid(to: AddedTo & { messageId: string }, text: string, signal: AbortSignal): Promise<AddedText[]>;
  addToSystem(to: AddedTo, system: string, signal: AbortSignal): Promise<AddedText[]>;
  /** What a summary must keep. */
  addToSummary(sessionId: string, signal: AbortSignal): Promise<AddedText[]>;
  /** Variables for a command. */
  environment(
    call: { callId: string; sessionId: string; directory: string },
    signal: AbortSignal,
  ): Promise<Record<string, string>>;
}

interface Asking {
  /** One hook of each plugin that has it, in their order. */
  eachOf(
    hook: string,
    signal: AbortSignal,
    ask: (run: (input: unknown, output: unknown) => Promise<unknown>, state: ExtensionState) => Promise<void>,
  ): Promise<void>;
  note(state: ExtensionState, problem: string): void;
}

const maxTextUnits = 50_000;
const maxVariables = 100;
const maxVariableUnits = 10_000;

/** The hooks `chat.message`, `experimental.chat.system.transform`, `experimental.session.compacting` and `shell.env`. */
export function addingHooks({ eachOf, note }: Asking): AddingHooks {
  /** What is not in `given`, cut to what a prompt can bear. */
  function added(
    hook: string,
    state: ExtensionState,
    given: readonly string[],
    answer: readonly unknown[],
  ): AddedText[] {
    return newTexts(given, answer).map((text) => {
      if (text.length > maxTextUnits)
        note(state, `${hook} added ${text.length} characters; ${maxTextUnits} were taken.`);
      return { text: text.slice(0, maxTextUnits), from: state.file.path };
    });
  }

  return {
    async addToSaid({ sessionId, messageId, agent, model }, text, signal) {
      const all: AddedText[] = [];
      const about = { sessionID: sessionId, messageID: messageId };
      await eachOf('chat.message', signal, async (run, state) => {
        const input = { ...about, agent, model: modelNames(model) };
        const parts = [text, ...all.map((one) => one.text)].map((part, at) => ({
          id: `${messageId}_${at}`,
          type: 'text',
          text: part,
          ...about,
        }));
        const message = { id: messageId, role: 'user', agent, model: modelNames(model), sessionID: sessionId };
        const answer = await run(input, { message, parts });
        if (!isRecord(answer)) return;
        const said = Array.isArray(answer.parts) ? answer.parts.map((part) => (isRecord(part) ? part.text : '')) : [];
        const system = isRecord(answer.message) ? [answer.message.system] : [];
        all.push(
          ...added(
            'chat.message',
            state,
            parts.map((part) => part.text),
            [...said, ...system],
          ),
        );
      });
      return all;
    },
    async addToSystem({ sessionId, model }, system, signal) {
      const all: AddedText[] = [];
      const hook = 'experimental.chat.system.transform';
      await eachOf(hook, signal, async (run, state) => {
        const given = [system, ...all.map((one) => one.text)];
        const answer = await run({ sessionID: sessionId, model: modelNames(model) }, { system: given });
        if (isRecord(answer) && Array.isArray(answer.system)) all.push(...added(hook, state, given, answer.system));
      });
      return all;
    },
    async addToSummary(sessionId, signal) {
      const all: AddedText[] = [];
      const hook = 'experimental.session.compacting';
      await eachOf(hook, signal, async (run, state) => {
        const given = all.map((one) => one.text);
        const answer = await run({ sessionID: sessionId }, { context: given });
        if (!isRecord(answer)) return;
        if (answer.prompt !== undefined) note(state, `${hook}: the prompt of a summary can’t be replaced here.`);
        all.push(...added(hook, state, given, [answer.context].flat()));
      });
      return all;
    },
    async environment({ callId, sessionId, directory }, signal) {
      const env: Record<string, string> = {};
      await eachOf('shell.env', signal, async (run, state) => {
        const answer = await run({ cwd: directory, sessionID: sessionId, callID: callId }, { env: { ...env } });
        if (!isRecord(answer) || !isRecord(answer.env)) return;
        for (const [name, value] of Object.entries(answer.env).slice(0, maxVariables)) {
          const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
          if (loadsCode(name))
            note(state, `shell.env: ${name.slice(0, 80)} changes what programs do and can’t be set here.`);
          else if (text === undefined || text.length > maxVariableUnits)
            note(state, `shell.env: ${name} is no text that fits into an environment.`);
          else env[name] = text;
        }
      });
      return env;
    },
  };
}

/** The pieces of the answer that were not given; of a given text with more around it, what is around it. */
function newTexts(given: readonly string[], answer: readonly unknown[]): string[] {
  const known = new Set(given);
  return answer.flatMap((text) => {
    if (typeof text !== 'string' || known.has(text)) return [];
    const inner = given.find((one) => one !== '' && text.includes(one));
    if (inner === undefined) return text.trim() === '' ? [] : [text];
    const at = text.indexOf(inner);
    return [text.slice(0, at), text.slice(at + inner.length)]
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
  });
}

/** As OpenCode names a model. */
export function modelNames(model: string): { id: string; modelID: string; providerID: string } {
  const [providerID = '', ...rest] = model.split('/');
  const id = rest.join('/') || model;
  return { id, modelID: id, providerID };
}
