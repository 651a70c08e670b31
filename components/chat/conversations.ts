// The project's conversations as the panel needs them, put together from what they are made of (session-makings.ts), which models there are
// (offered-models.ts) and which one is shown (shown-conversation.ts). Opened when the panel is first shown, ended with the page.
import { type ModelList, practiceChoice } from '../../lib/agent/model-list';
import { resolveModel } from '../../lib/agent/resolve-model';
import { spokenRequest } from '../../lib/config/spoken-request';
import type { Agent } from '../../lib/registry/agents';
import type { Unsaved } from '../../lib/session/desk';
import type { QueuedPrompt } from '../../lib/session/messages';
import { openSessionStore } from '../../lib/session/session-store';
import { createSessions } from '../../lib/session/sessions';
import { storageWords } from '../../lib/session/storage-errors';
import type { Sessions } from '../../lib/session/types';
import { joinPath } from '../../lib/std/paths';
import type { KeptFile } from '../../lib/tools/tool';
import type { Workbench } from '../ide/workbench';
import { onServerBack } from '../offline/server-reach';
import type { Store } from '../ui/store';
import { showError } from '../ui/toasts';
import { askPromptArguments } from './mcp-prompt-ask';
import { resourceCalls, spokenPrompt } from './mcp-spoken';
import { createOfferedModels, modelChoice } from './offered-models';
import { askOtherModel } from './other-model';
import { loadSearchProvider } from './search-provider';
import { createMakings, type SessionMakings } from './session-makings';
import { type ShownConversation, showConversation } from './shown-conversation';
import { turnModel } from './turn-model';

/** What the person is told; each holds while the page lives. */
const unsavedWords: Record<Unsaved, string> = {
  conversation: 'This conversation could not be saved yet: it is tried again with what you say',
  settings: 'The settings of this conversation could not be saved',
  parts: 'The end of this conversation could not be saved',
  permission: 'Allowed, but not remembered: it will be asked again',
  revoked: 'Not allowed any more, but that could not be saved: after a reload it is allowed again',
};

export interface Conversations
  extends Pick<ShownConversation, 'current' | 'opening' | 'unread' | 'show' | 'start' | 'remove'>,
    Pick<SessionMakings, 'customs' | 'mcp' | 'extensions'> {
  sessions: Sessions;
  models: Store<ModelList>;
  /** What went wrong when the list of models was asked for. */
  modelsError: Store<unknown>;
  /** Asks for the list of models again. */
  loadModels(): Promise<void>;
  /** Sets the model of the current conversation and of those to come. */
  chooseModel(modelId: string): void;
  /** Those that may answer. */
  agents(): readonly Agent[];
  /** Sends to the current conversation. Its tools see what is typed in the editor, saved or not. */
  send(text: string, delivery?: QueuedPrompt['delivery'], files?: KeptFile[]): Promise<void>;
  dispose(): Promise<void>;
}

/** Loads the conversations of the workbench's project and shows the one that was last shown. Rejects where storage is forbidden. */
export async function openConversations(workbench: Workbench): Promise<Conversations> {
  const { sandbox, project } = workbench;
  const projectId = project.get().id;
  const store = await openSessionStore();
  const models = createOfferedModels();
  const makings = createMakings(workbench);
  const { customs, mcp, extensions } = makings;
  const sessions = await createSessions({
    ...makings.options,
    projectId,
    store,
    resolveModel,
    defaultModel: models.chosen(),
    priceOf: (id) => models.find(id)?.price,
    contextTokensOf: (id) => models.find(id)?.contextTokens,
    offersModel: (id) => models.find(id) !== undefined,
    canName: (id) => id !== practiceChoice.id,
    onUnsaved: (what, reason) => showError(unsavedWords[what], storageWords(reason)),
  });
  const shown = await showConversation(sessions, projectId, models.chosen);
  const { current } = shown;
  const agreed = new Set<string>();

  const loadOffers = () => {
    void models.load();
    void loadSearchProvider();
  };
  loadOffers();
  // Without the server only the practice model is offered.
  const stopWaiting = onServerBack(loadOffers);

  return {
    sessions,
    current,
    opening: shown.opening,
    unread: shown.unread,
    customs,
    mcp,
    extensions,
    models: models.list,
    modelsError: models.error,
    loadModels: models.load,
    start: () => shown.start().catch((error) => showError('Could not start a conversation', error)),
    show: shown.show,
    remove: shown.remove,
    chooseModel(modelId) {
      models.choose(modelId);
      current.get().setModel(modelId);
    },
    agents: customs.agents,
    send: (text, delivery, files = []) =>
      shown.speak(async (session) => {
        await customs.look();
        const prompt = await spokenPrompt(text, mcp.servers, askPromptArguments);
        if (prompt !== undefined) {
          const { kept, notes } = await session.keep(prompt.media);
          return session.send([prompt.text, ...notes].join('\n\n'), delivery, [...files, ...kept]);
        }
        const request = await spokenRequest(text, {
          commands: customs.commands(),
          agents: customs.agents(),
          isFile: async (path) =>
            (await sandbox.fs.stat(joinPath(sandbox.workdir, path)).catch(() => undefined))?.kind === 'file',
        });
        const model = await turnModel({
          request,
          agents: customs.agents(),
          now: session.state(),
          agreed,
          ask: (question) =>
            askOtherModel({ ...question, instead: modelChoice(models.list.get().models, question.instead).name }),
          isOffered: (id) => models.find(id) !== undefined,
        });
        const opening = [...request.opening, ...resourceCalls(text, mcp.servers.states())];
        const { model: _wanted, ...spoken } = request;
        await session.send(request.text, delivery, files, { ...spoken, ...(model && { model }), opening });
      }),
    async dispose() {
      stopWaiting();
      await shown.dispose();
      await makings.dispose();
      store.close();
    },
  };
}
