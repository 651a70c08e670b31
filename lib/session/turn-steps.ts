// The request of each step: what is offered now, the prompt as it stands, and room made in the context before it is full.
import { countPrompt, estimatePromptTokens, isOverflowing } from '../agent/compaction';
import type { StepRequest } from '../agent/model-step';
import { ModelError } from '../agent/run-error';
import { systemPrompt } from '../agent/system-prompt';
import { offerFor } from '../registry/registry';
import { raceSignal } from '../std/signals';
import { inSlices } from '../std/slices';
import { todoText } from '../tools/todo';
import { makeSummary, NoShorterError } from './make-summary';
import type { Usage } from './messages';
import { promptMedia } from './prompt-media';
import { filesOf, promptUnits, shownUnits, unitMessages, unitsToPrompt } from './to-prompt';
import { promptTexts } from './to-prompt.prompt';
import type { TurnContext } from './turn-context';
import type { TurnRequests } from './turn-requests';
import { addTokens, noUsage } from './usage';

/** The steps of one session. */
export interface TurnSteps {
  /** `messageId`: the answer that grows. */
  next(messageId: string, instructions: string | undefined, signal: AbortSignal): Promise<StepRequest>;
  /** Appends a summary to the answer. Throws what the model throws; a ModelError when the prompt would not get shorter. */
  summarise(messageId: string, signal: AbortSignal): Promise<void>;
  /** Whether the context may be summarised at all. */
  maySummarise(): boolean;
}

/** `onUsage` is called when something was used beside the steps. */
export function turnSteps({ record, options }: TurnContext, requests: TurnRequests, onUsage: () => void): TurnSteps {
  const { store, sandbox } = options;
  /** Images and documents that the provider did not take: not sent a second time. */
  const refused = new Set<string>();
  /** What instructions and tools took of the last prompt. */
  let fixedTokens = 0;
  /** How long the prompt was when a summary would not have made it shorter: until it has grown, none is asked for again. */
  let noShorterAt = 0;

  /** What the provider counted for the last step, when nothing was summarised since. */
  function reported(): number {
    for (const { parts } of record.state().messages.toReversed()) {
      const last = parts.findLast(
        (part) => part.type === 'summary' || (part.type === 'step' && part.usage !== undefined),
      );
      if (last !== undefined) return last.type === 'step' ? last.usage!.inputTokens + last.usage!.outputTokens : 0;
    }
    return 0;
  }

  const steps: TurnSteps = {
    maySummarise: () => options.settings?.().compaction !== false,
    async next(messageId, instructions, signal) {
      const { model: modelId, agent: agentName } = record.message(messageId);
      requests.mustKnow(agentName);
      const model = options.resolveModel(modelId!);
      const hooks = options.hooks ?? {};
      const bare = () => offerFor(requests.of(modelId!, agentName)).tools.map(({ tool }) => tool);
      if (hooks.defineTools !== undefined) await raceSignal(hooks.defineTools(bare), signal);
      const { tools: offered, traits } = offerFor(requests.of(modelId!, agentName));
      const told = offered.filter((one) => one.programsOnly === undefined);
      const { prompt: agentPrompt } = requests.agent(agentName);
      const shipped = systemPrompt({
        workdir: sandbox.workdir,
        today: new Date().toISOString().slice(0, 10),
        toolNames: told.map(({ tool }) => tool.name),
        family: traits.family,
        ...(agentPrompt === undefined ? {} : { agentPrompt }),
        ...(instructions === undefined ? {} : { instructions }),
      });
      const { name: agent, temperature, topP } = requests.agent(agentName);
      const about = { sessionId: record.state().id, agent, model: modelId! };
      const more = (await hooks.addToSystem?.(about, shipped, signal)) ?? [];
      const system = [shipped, ...more.map(({ from, text }) => promptTexts.added(from, text))].join('\n\n');
      const promptNow = async () => {
        const { todos: list, messages, id } = record.state();
        const todos = todoText(list);
        const keep = todos === '' ? {} : { keep: `Your list of what is to do:\n${todos}` };
        const load = (blobId: string) => store.loadBlob(id, blobId);
        const units = shownUnits(promptUnits(messages));
        const media = await promptMedia(units, { model: modelId!, load, refused });
        const asked = { model: modelId!, media, ...keep };
        await inSlices(units, (unit) => countPrompt(unitMessages(unit, asked)));
        return unitsToPrompt(system, units, asked);
      };
      let prompt = await promptNow();
      const toolTokens = estimatePromptTokens(told.map((one) => one.definition));
      fixedTokens = countPrompt(prompt.slice(0, 1)) + toolTokens;
      const estimate = countPrompt(prompt) + toolTokens;
      const { reservedTokens } = options.settings?.() ?? {};
      const used = Math.max(estimate, reported());
      const contextTokens = options.contextTokensOf?.(modelId!) ?? 0;
      const isFull = isOverflowing(used, contextTokens, reservedTokens);
      if (isFull && (used >= contextTokens || used > noShorterAt * 1.1) && steps.maySummarise()) {
        try {
          await steps.summarise(messageId, signal);
          noShorterAt = 0;
          prompt = await promptNow();
        } catch (error) {
          // A small window may be nearly full of what the tools are: what still fits is sent.
          if (!(error instanceof NoShorterError)) throw error;
          if (used >= contextTokens)
            throw fixedTokens * 2 > contextTokens ? windowTooSmall(fixedTokens, contextTokens) : error;
          noShorterAt = used;
          record.change({ status: { kind: 'running' } });
        }
      }
      const own = { ...(temperature === undefined ? {} : { temperature }), ...(topP === undefined ? {} : { topP }) };
      const settings = (await hooks.stepSettings?.(about, own, signal)) ?? own;
      const request = { model, prompt, tools: offered, ...settings };
      if (!hasFiles(prompt)) return request;
      return {
        ...request,
        async withoutMedia() {
          const files = shownUnits(promptUnits(record.state().messages)).flatMap(filesOf);
          const fresh = files.map((file) => file.id).filter((one) => !refused.has(one));
          for (const one of fresh) refused.add(one);
          const takeBack = () => {
            for (const one of fresh) refused.delete(one);
          };
          return { request: { ...request, prompt: await promptNow() }, takeBack };
        },
      };
    },
    async summarise(messageId, signal) {
      record.change({ status: { kind: 'running', activity: 'summarising' } });
      const { messages } = record.state();
      const modelId = record.message(messageId).model!;
      const wishes = (await options.hooks?.addToSummary?.(record.state().id, signal)) ?? [];
      const keep = wishes.map(({ from, text }) => promptTexts.added(from, text));
      const model = options.resolveModel(modelId);
      const contextTokens = options.contextTokensOf?.(modelId) || undefined;
      const pay = (usage: Usage) => {
        const message = record.message(messageId);
        const overhead = { ...(message.overhead ?? noUsage) };
        addTokens(overhead, usage);
        return { ...message, overhead };
      };
      const about = { modelId, model, contextTokens, fixedTokens, keep };
      const { part, usage } = await makeSummary(messages, about, signal).catch((error) => {
        if (error instanceof NoShorterError && error.spent !== noUsage) {
          record.replace(pay(error.spent));
          record.parts.markMessage(messageId);
          onUsage();
        }
        throw error;
      });
      const message = pay(usage);
      record.parts.markDirty(messageId, [message.parts.length]);
      record.replace({ ...message, parts: [...message.parts, part] }, { status: { kind: 'running' } });
      onUsage();
      options.onForgotten?.(record.state().id);
      record.parts.markMessage(messageId);
      await record.parts.flush();
    },
  };
  return steps;
}

/** Another conversation would be no better. */
function windowTooSmall(fixedTokens: number, contextTokens: number): ModelError {
  return new ModelError({
    message: `This model takes ${contextTokens} tokens at a time, and the agent’s instructions and tools alone are about ${fixedTokens}. Choose a model with a larger context, or an agent with fewer tools.`,
    retryable: false,
    kind: 'limit',
  });
}

function hasFiles(prompt: StepRequest['prompt']): boolean {
  return prompt.some(
    (message) =>
      typeof message.content !== 'string' &&
      message.content.some(
        (part) => part.type === 'file' || (part.type === 'tool-result' && part.output.type === 'content'),
      ),
  );
}
