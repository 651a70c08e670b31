// The hooks of all plugins, one file after the other in their order. A hook that guards (before a call, on a permission) fails closed: when it
// throws, hangs or its program is gone, the call is refused. No hook widens anything.
import { type AskRequest, type Tool, ToolError, type ToolResult } from '../tools/tool';
import { adaptedTool, changedDefinition, definitionGiven, type ToolDefinition, toolAsGiven } from './adapted-tool';
import { type AddingHooks, addingHooks, modelNames } from './adding-hooks';
import type { ExtensionProcess } from './extension-process';
import { type ExtensionState, type Extensions, whyNotUsed } from './extensions';
import { mergedResult, metadataGiven, readSettings, stricter, wordOf } from './hook-answers';
import type { HookedCall, HookedSettings, HookWord } from './hook-types';
import { withOpencodeNames, withoutOpencodeNames } from './opencode-arguments';

/** Structure of the session's `SessionHooks`, and its `evaluatePermission` and `adaptTool`. */
export interface ExtensionHooks extends AddingHooks {
  defineTools(tools: () => readonly Tool[]): Promise<void>;
  adaptTool(tool: Tool): Tool;
  beforeCall(call: HookedCall, input: unknown, signal: AbortSignal): Promise<unknown>;
  afterCall(call: HookedCall, input: unknown, result: ToolResult, signal: AbortSignal): Promise<ToolResult>;
  evaluatePermission(
    request: AskRequest,
    call: { callId: string; tool: string; agent?: string; sessionId?: string },
    signal: AbortSignal,
  ): Promise<HookWord>;
  stepSettings(
    step: { sessionId: string; agent: string; model: string },
    now: HookedSettings,
    signal: AbortSignal,
  ): Promise<HookedSettings>;
  onEvent(event: { type: string; properties: Record<string, unknown> }): void;
}

/** Those without which a call may not be made. */
const guards = ['tool.execute.before', 'permission.evaluate', 'permission.ask'];

interface Timeouts {
  guardMs: number;
  otherMs: number;
}

/** Asks whoever is loaded at that moment. */
export function extensionHooks(
  extensions: Extensions,
  { guardMs, otherMs }: Timeouts = { guardMs: 9000, otherMs: 5000 },
): ExtensionHooks {
  const definitions = new Map<string, { from: string; changed: ToolDefinition | undefined }>();

  /** The programs that have this hook. *Throws* a ToolError when one that guards is known to have it and is gone. */
  async function having(hook: string): Promise<{ state: ExtensionState; process: ExtensionProcess }[]> {
    const found = [];
    for (const { file } of extensions.states()) {
      if (file.kind !== 'plugin') continue;
      const state = (await extensions.settled(file.path))!;
      if (!state?.loaded?.hooks.includes(hook)) continue;
      if (state.status.kind === 'running') found.push({ state, process: state.status.process });
      else if (guards.includes(hook))
        throw new ToolError(
          `The plugin ${file.path} of this project has a say in every call (${hook}) and can’t be asked. ${whyNotUsed(state)} Tell the person.`,
        );
    }
    return found;
  }

  const noteFor = (state: ExtensionState) => (problem: string) => extensions.note(state.file.path, problem);
  const has = (hook: string) => extensions.states().some((state) => state.loaded?.hooks.includes(hook));
  const origin = ({ callId, tool, sessionId, agent }: HookedCall) => ({
    tool,
    sessionID: sessionId,
    callID: callId,
    agent,
  });

  function ask(process: ExtensionProcess, name: string, input: unknown, output: unknown, signal?: AbortSignal) {
    const timeoutMs = guards.includes(name) ? guardMs : otherMs;
    return process.request(
      { type: 'hook', name, input, output },
      { timeoutMs, ...(signal === undefined ? {} : { signal }) },
    );
  }

  async function definitionOf(tool: Tool, askers: Awaited<ReturnType<typeof having>>): Promise<void> {
    const given = definitionGiven(tool);
    const from = JSON.stringify([given, askers.map(({ state }) => state.file.hash)]);
    if (definitions.get(tool.name)?.from === from) return;
    let now: unknown = { ...given, jsonSchema: given.parameters };
    for (const { state, process } of askers)
      try {
        now = await ask(process, 'tool.definition', { toolID: tool.name }, now);
      } catch (error) {
        extensions.note(state.file.path, `tool.definition of ${tool.name}: ${(error as Error).message}`);
      }
    const changed = changedDefinition(given, now);
    definitions.set(tool.name, { from, changed });
  }

  const adding = addingHooks({
    async eachOf(hook, signal, use) {
      for (const { state, process } of await having(hook))
        try {
          await use((input, output) => ask(process, hook, input, output, signal), state);
        } catch (error) {
          if (signal.aborted) throw error;
          extensions.note(state.file.path, `${hook}: ${(error as Error).message}`);
        }
    },
    note: (state, problem) => extensions.note(state.file.path, problem),
  });

  return {
    ...adding,
    async defineTools(tools) {
      if (!has('tool.definition')) return definitions.clear();
      const askers = await having('tool.definition');
      await Promise.all(tools().map((tool) => definitionOf(toolAsGiven(tool), askers)));
    },
    adaptTool(tool) {
      const changed = has('tool.definition') ? definitions.get(tool.name)?.changed : undefined;
      if (changed === undefined) return tool;
      try {
        return adaptedTool(tool, changed);
      } catch {
        return tool;
      }
    },
    async beforeCall(call, input, signal) {
      let args = input;
      for (const { state, process } of await having('tool.execute.before')) {
        const given = withOpencodeNames(call.tool, args);
        const answer = await ask(process, 'tool.execute.before', origin(call), { args: given }, signal).catch(
          (error: Error) => {
            if (!(error instanceof ToolError)) throw error;
            throw new ToolError(`The plugin ${state.file.path} of this project refuses this call: ${error.message}`);
          },
        );
        args = withoutOpencodeNames(call.tool, args, (answer as { args?: unknown } | null)?.args ?? args);
      }
      return args;
    },
    async afterCall(call, input, result, signal) {
      let now = result;
      for (const { state, process } of await having('tool.execute.after')) {
        const args = withOpencodeNames(call.tool, input);
        const given = { title: now.title, output: now.output, metadata: metadataGiven(now) };
        const answer = await ask(process, 'tool.execute.after', { ...origin(call), args }, given, signal).catch(
          (error: Error) => {
            if (!(error instanceof ToolError)) throw error;
            throw new ToolError(
              `The call was made, and what it answered is withheld: the plugin ${state.file.path} of this project failed after it: ${error.message}`,
            );
          },
        );
        now = mergedResult(now, answer, noteFor(state));
      }
      return now;
    },
    async evaluatePermission(request, call, signal) {
      const { permission, patterns, always, title, meta, also } = request;
      const input = {
        permission,
        patterns,
        always,
        title,
        metadata: meta ?? {},
        also: also ?? [],
        // As `permission.ask` has them.
        type: permission,
        pattern: patterns,
        tool: call.tool,
        callID: call.callId,
        sessionID: call.sessionId,
        agent: call.agent,
      };
      let word: HookWord = { effect: 'unchanged' };
      for (const { state, process } of await having('permission.evaluate')) {
        const said = await ask(process, 'permission.evaluate', input, { effect: 'unchanged' }, signal);
        word = stricter(word, wordOf(said, 'effect', noteFor(state)));
      }
      for (const { state, process } of await having('permission.ask')) {
        const said = await ask(process, 'permission.ask', input, { status: 'unchanged' }, signal);
        word = stricter(word, wordOf(said, 'status', noteFor(state)));
      }
      return word;
    },
    async stepSettings({ sessionId, agent, model }, now, signal) {
      let settings = now;
      const { id, providerID } = modelNames(model);
      const input = {
        sessionID: sessionId,
        agent,
        provider: { id: providerID },
        model: { id, providerID },
      };
      for (const { state, process } of await having('chat.params'))
        try {
          const answer = await ask(process, 'chat.params', input, { ...settings, options: {} }, signal);
          settings = readSettings(answer, settings, noteFor(state));
        } catch (error) {
          if (signal.aborted) throw error;
          extensions.note(state.file.path, `chat.params: ${(error as Error).message}`);
        }
      return settings;
    },
    onEvent(event) {
      // One that is being loaded hears of it when it is.
      for (const { file } of extensions.states())
        if (file.kind === 'plugin')
          void extensions.settled(file.path).then((state) => {
            if (state?.status.kind === 'running' && state.status.loaded.hooks.includes('event'))
              state.status.process.notify({ type: 'hook', name: 'event', input: { event }, output: {} }, otherMs);
          });
    },
  };
}
