// An answer of the conversation's model to an MCP server (sampling). The person says yes to each, whatever the mode and whoever was allowed what:
// it costs them money, and the words are somebody else's. It counts to the budgets and the usage of the answer whose call runs.
import type { LanguageModelV4FunctionTool, LanguageModelV4Usage } from '@ai-sdk/provider';
import { openStep, readStep, type StepCall } from '../agent/model-step';
import { ModelError, toRunError } from '../agent/run-error';
import type { RuleSet } from '../permission/rules';
import type { Agent } from '../registry/agents';
import { modelTraits } from '../registry/model-traits';
import { normalisedSchema } from '../registry/schema-dialects';
import { parseJson } from '../std/json';
import { type Sample, SampleRefused, type SampleRequest } from '../tools/sample';
import { usageOf } from './apply-event';
import { permit } from './permit';
import type { OwnCall, TurnContext } from './turn-context';
import { addTokens, noUsage, priceIn, totalUsage } from './usage';

interface SampleContext extends TurnContext {
  call(callId: string): OwnCall;
  agentOf(name: string | undefined): Agent;
  rules(agentName: string | undefined): RuleSet;
}

/** For one session. */
export function sampleFor(context: SampleContext): Sample {
  const { record, desk, options, parent, programs, budget, trace, call, agentOf, rules } = context;
  const priceOf = priceIn(options);

  function checkBudget(messageId: string, agent: string | undefined): void {
    try {
      budget.check(messageId, agentOf(agent).costUsd);
    } catch (error) {
      // What was spent is not the server's business.
      throw error instanceof ModelError ? new SampleRefused('The budget of this conversation is spent.') : error;
    }
  }

  async function count(messageId: string, spent: LanguageModelV4Usage): Promise<void> {
    const message = record.message(messageId);
    const overhead = { ...(message.overhead ?? noUsage) };
    addTokens(overhead, usageOf(spent));
    record.replace({ ...message, overhead });
    record.change({ usage: totalUsage(record.state().messages, priceOf) }, parent === undefined);
    record.parts.markMessage(messageId);
  }

  return async (request, { callId, signal, from }) => {
    const answering = record.state().messages.at(-1);
    if (answering?.role !== 'assistant' || answering.model === undefined)
      throw new SampleRefused('No answer is being written.');
    const { id: messageId, model: modelId, agent } = answering;
    checkBudget(messageId, agent);
    const tools = request.tools.map((tool) => ({ definition: definitionOf(tool, modelId) }));
    const asked = {
      permission: 'sampling',
      patterns: [from],
      always: [],
      mustAsk: true,
      title: `Let the MCP server ${from} ask ${modelId}`,
      meta: { sampling: { ...askedOf(request, priceOf(modelId)?.output), server: from, model: modelId } },
    };
    const question = programs.whileAsked(callId, (shownAt) =>
      permit(
        asked,
        { ...call(shownAt), tool: 'sampling' },
        () => rules(agent),
        signal,
        desk,
        options.evaluatePermission,
      ),
    );
    const verdict = await trace.deciding(callId, 'sampling', question);
    if (verdict.kind === 'denied') throw new SampleRefused('A rule of the person denies it.');
    if (verdict.kind === 'rejected')
      throw new SampleRefused(
        verdict.unanswered ? 'Nobody answered.' : ['The person said no.', verdict.message].filter(Boolean).join(' '),
      );
    // The time until the yes may have cost something.
    checkBudget(messageId, agent);
    const { text, calls, outcome } = await answerOf(request, tools);
    await count(messageId, outcome.usage);
    if (outcome.brokenBy !== undefined) throw failed(outcome.brokenBy);
    return {
      model: modelId,
      finishReason: outcome.finishReason,
      text: options.redact?.(text) ?? text,
      calls: calls.map((one) => ({ callId: one.callId, tool: one.tool, input: inputOf(one) })),
    };

    async function answerOf(wanted: SampleRequest, definitions: { definition: LanguageModelV4FunctionTool }[]) {
      const { prompt, toolChoice, maxOutputTokens, temperature, stopSequences } = wanted;
      let said = '';
      const made: StepCall[] = [];
      try {
        const open = await openStep(
          {
            model: options.resolveModel(modelId),
            prompt,
            tools: definitions,
            toolChoice,
            maxOutputTokens,
            ...(temperature === undefined ? {} : { temperature }),
            ...(stopSequences === undefined ? {} : { stopSequences }),
          },
          signal,
        );
        const outcome = await readStep(
          open,
          signal,
          (event) => {
            if (event.type === 'text-delta') said += event.delta;
          },
          (one) => made.push(one),
        );
        return { text: said, calls: made, outcome };
      } catch (error) {
        if (signal.aborted) throw error;
        throw failed(error);
      }
    }
  };
}

/** For the card. */
function askedOf({ shown, maxOutputTokens }: SampleRequest, usdPerMillion: number | undefined) {
  const mostUsd = usdPerMillion === undefined ? {} : { mostUsd: (maxOutputTokens * usdPerMillion) / 1e6 };
  return { shown, maxOutputTokens, ...mostUsd };
}

function definitionOf(tool: SampleRequest['tools'][number], modelId: string): LanguageModelV4FunctionTool {
  const schema = { properties: {}, ...(tool.inputSchema as Record<string, unknown>), type: 'object' };
  try {
    const inputSchema = normalisedSchema(schema, modelTraits(modelId).schema);
    return { type: 'function', ...tool, inputSchema: inputSchema as LanguageModelV4FunctionTool['inputSchema'] };
  } catch (error) {
    throw new Error(`The model can't be told of the tool ${tool.name}: ${(error as Error).message}`);
  }
}

function inputOf({ inputText }: StepCall): unknown {
  const parsed = parseJson(inputText === '' ? '{}' : inputText);
  return parsed.ok && typeof parsed.value === 'object' && parsed.value !== null ? parsed.value : {};
}

/** The server learns that it failed, and nothing about keys, accounts or limits. */
function failed(error: unknown): Error {
  return new Error(`The model did not answer (${toRunError(error).kind}).`);
}
