// Who asks in this session: the registry's request and the rules, read anew whenever they are needed.
import { ModelError } from '../agent/run-error';
import { bannedRules } from '../permission/presets';
import { type Agent, agentNamed, asReadOnly, builtInAgents, withinScope } from '../registry/agents';
import { builtInSource } from '../registry/built-in-source';
import { programSource } from '../registry/program-source';
import { type RegistryRequest, ruleSetFor } from '../registry/registry';
import { withOutputs } from '../tools/kept-outputs';
import type { AskQuestions } from '../tools/question';
import type { Tool } from '../tools/tool';
import { sampleFor } from './sample-for';
import type { SourceConversation } from './session-options';
import { sessionTools } from './session-tools';
import type { OwnCall, TurnContext } from './turn-context';

/** The requests of one session. */
export interface TurnRequests {
  agent(name: string | undefined): Agent;
  /** Throws a ModelError for one that is not there any more: another one would have other rights. */
  mustKnow(name: string | undefined): void;
  /** For a step of that model as that agent. */
  of(model: string, agentName: string | undefined): RegistryRequest;
  rules(agentName: string | undefined): ReturnType<typeof ruleSetFor>;
  mode(): RegistryRequest['mode'];
  /** Whose call this is, for the desk. */
  call(callId: string): OwnCall;
}

/** Nothing is kept here but the session's own tools. */
export function turnRequests(context: TurnContext): TurnRequests {
  const { record, desk, options, parent, outputs, programs } = context;
  const agents = () => options.agents?.() ?? builtInAgents;
  const agentOf = (name: string | undefined): Agent => {
    const agent = agentNamed(agents(), name);
    return withinScope(parent?.isReadOnly ? asReadOnly(agent) : agent, parent?.writable);
  };
  const settings = () => options.settings?.() ?? {};
  /** Bans come last: nothing lifts them. */
  const personRules = () => ({
    ownRules: [...(options.ownRules?.() ?? []), ...bannedRules(settings().banned ?? [])],
    projectRules: options.projectRules?.() ?? [],
  });
  const mode = () => parent?.mode() ?? record.state().mode;
  const rulesOf = (agentName: string | undefined) =>
    ruleSetFor({ mode: mode(), ...personRules(), agent: agentOf(agentName) });
  const call: TurnRequests['call'] = (callId) => {
    const { id, agent } = record.state();
    return { callId, sessionId: id, agent, ...(parent === undefined ? {} : { rootCallId: parent.rootCallId }) };
  };
  const adapt = (tool: Tool) => {
    const whole = withOutputs(tool, outputs);
    return options.adaptTool?.(whole, record.state().id) ?? whole;
  };
  const askQuestions: AskQuestions = (questions, { callId, signal, from, given, address }) =>
    programs.whileAsked(callId, (shownAt) => {
      const whose = from === undefined ? {} : { from };
      const more = { ...(given === undefined ? {} : { given }), ...(address === undefined ? {} : { address }) };
      return desk.askQuestions(questions, { ...call(shownAt), ...whose, ...more }, signal);
    });
  const sample = sampleFor({ ...context, call, agentOf, rules: rulesOf });
  const conversation: SourceConversation = {
    askQuestions,
    sample,
    sessionId: record.state().id,
    messageId: () => record.state().messages.at(-1)?.id ?? '',
  };
  const ownTools = sessionTools({
    todos: {
      get: () => record.state().todos,
      async set(todos) {
        record.change({ todos });
        await record.save();
      },
    },
    askQuestions,
    agents,
    maxDepth: () => settings().maxDepth ?? 1,
  });
  const { startProgram } = options;
  const programSources =
    startProgram === undefined
      ? []
      : [
          programSource({
            isOn: () => settings().programs ?? false,
            startPlace: startProgram,
            callTool: programs.callTool,
          }),
        ];
  return {
    agent: agentOf,
    mustKnow(name) {
      if (name === undefined || agents().some((agent) => agent.name === name)) return;
      const message = `The agent ${name} is not there any more, and no other one takes its place by itself. Choose another agent and try again.`;
      throw new ModelError({ message, retryable: true, kind: 'limit' });
    },
    of(model, agentName) {
      const { editing, turnedOff } = settings();
      return {
        model,
        agent: agentOf(agentName),
        mode: mode(),
        ...personRules(),
        // First come, first served: nobody else's tool may take the name of one of the session's.
        sources: [ownTools, ...(options.sources?.(conversation) ?? [builtInSource]), ...programSources],
        adapt,
        depth: parent?.depth ?? 0,
        ...(editing === undefined ? {} : { editing }),
        ...(turnedOff === undefined ? {} : { turnedOff }),
      };
    },
    rules: rulesOf,
    mode,
    call,
  };
}
