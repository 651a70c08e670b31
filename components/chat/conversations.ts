// The project's conversations as the panel needs them: which one is shown, which models there are, what was typed and not sent. Opened when
// the panel is first shown, ended with the page.
import { loadModelList, type ModelChoice, type ModelList, practiceChoice } from '../../lib/agent/model-list';
import { resolveModel } from '../../lib/agent/resolve-model';
import { createProjectCustoms, type ProjectCustoms } from '../../lib/config/project-customs';
import { spokenRequest } from '../../lib/config/spoken-request';
import { storedTrust } from '../../lib/config/trust';
import type { Agent } from '../../lib/registry/agents';
import { codeSource } from '../../lib/registry/code-source';
import { webSource } from '../../lib/registry/web-source';
import { openSessionStore } from '../../lib/session/session-store';
import { createSessions } from '../../lib/session/sessions';
import type { QueuedPrompt, Session, Sessions } from '../../lib/session/types';
import { withoutKeys } from '../../lib/share/secrets';
import { joinPath } from '../../lib/std/paths';
import { serverFetch } from '../../lib/tools/fetch-page';
import { parseInBrowser } from '../../lib/tools/page-text';
import { serverSearch } from '../../lib/tools/search-web';
import type { KeptFile } from '../../lib/tools/tool';
import { monacoIntelligence } from '../editor/monaco-intelligence';
import { settings } from '../ide/settings';
import type { Workbench } from '../ide/workbench';
import { onServerBack } from '../offline/server-reach';
import { createStore, type Store } from '../ui/store';
import { createProjectMcp, type ProjectMcp } from './mcp-project';
import { hasSearchKey, loadSearchProvider, ownSearchKey } from './search-provider';

export interface Conversations {
  sessions: Sessions;
  current: Store<Session>;
  /** What the project and the person bring. */
  customs: ProjectCustoms;
  /** The servers of the Model Context Protocol, and whether their sheet is open. */
  mcp: ProjectMcp;
  mcpSheet: Store<boolean>;
  models: Store<ModelList>;
  /** What went wrong when the list of models was asked for. */
  modelsError: Store<unknown>;
  /** Asks for the list of models again. */
  loadModels(): Promise<void>;
  /** Shows another conversation. */
  show(id: string): Promise<void>;
  /** Shows an empty one: a new one, or the current one when nothing was said in it. */
  start(): Promise<void>;
  /** Deletes it and shows the next one. */
  remove(id: string): Promise<void>;
  /** Sets the model of the current conversation and of those to come. */
  chooseModel(modelId: string): void;
  /** Those that may answer. */
  agents(): readonly Agent[];
  /** Sends to the current conversation. Its tools see what is typed in the editor, saved or not. */
  send(text: string, delivery?: QueuedPrompt['delivery'], files?: KeptFile[]): Promise<void>;
  dispose(): Promise<void>;
}

const modelKey = 'cloche:model';
/** The person's own opencode.json, for every project. */
export const personConfigKey = 'cloche:opencode';

/** Loads the conversations of the workbench's project and shows the one that was last shown. Rejects where storage is forbidden. */
export async function openConversations({ sandbox, project, documents }: Workbench): Promise<Conversations> {
  const projectId = project.get().id;
  const shownKey = `cloche:conversation:${projectId}`;
  const models = createStore<ModelList>({ models: [practiceChoice], providers: [] });
  const modelsError = createStore<unknown>(undefined);
  const customs = createProjectCustoms({
    sandbox,
    trust: storedTrust(projectId, localStorage),
    personConfig: () => localStorage.getItem(personConfigKey) ?? '',
  });
  const code = monacoIntelligence(sandbox);
  const web = webSource({
    fetchPage: serverFetch(),
    parseHtml: parseInBrowser,
    search: serverSearch(ownSearchKey),
    hasSearchKey,
  });
  const store = await openSessionStore();
  const mcp = createProjectMcp(sandbox, projectId);
  const sessions = await createSessions({
    projectId,
    sandbox,
    buffers: documents.buffers,
    store,
    resolveModel,
    instructions: customs.instructions,
    projectRules: customs.projectRules,
    ownRules: customs.ownRules,
    agents: customs.agents,
    sources: ({ askQuestions }) => [codeSource(code), web, ...customs.sources(), ...mcp.servers.sources(askQuestions)],
    adaptTool: customs.adaptTool,
    settings: () => {
      const { bannedCommands, hideSecrets } = settings.get();
      return { banned: bannedCommands, hideSecrets };
    },
    redact: (text) => (settings.get().redactKeys ? withoutKeys(text) : text),
    defaultModel: localStorage.getItem(modelKey) ?? practiceChoice.id,
    priceOf: (id) => models.get().models.find((model) => model.id === id)?.price,
    contextTokensOf: (id) => models.get().models.find((model) => model.id === id)?.contextTokens,
    canName: (id) => id !== practiceChoice.id,
  });

  async function first(): Promise<Session> {
    const wanted = localStorage.getItem(shownKey);
    const listed = sessions.list();
    const id = listed.some((one) => one.id === wanted) ? wanted : listed[0]?.id;
    return id ? sessions.open(id) : sessions.create();
  }

  const current = createStore(await first());
  /** Conversations may run while another one is shown. */
  const opened = new Set([current.get()]);
  const stopRemembering = current.subscribe(() => {
    opened.add(current.get());
    localStorage.setItem(shownKey, current.get().id);
  });

  async function start(): Promise<void> {
    if (current.get().state().messages.length === 0) return;
    const session = await sessions.create();
    session.setModel(localStorage.getItem(modelKey) ?? practiceChoice.id);
    current.set(session);
  }

  async function loadModels(): Promise<void> {
    try {
      models.set(await loadModelList());
      modelsError.set(undefined);
    } catch (error) {
      modelsError.set(error);
    }
  }
  void loadModels();
  void loadSearchProvider();
  // Without the server only the practice model is offered.
  const stopWaiting = onServerBack(() => {
    void loadModels();
    void loadSearchProvider();
  });

  return {
    sessions,
    current,
    customs,
    mcp,
    mcpSheet: createStore(false),
    models,
    modelsError,
    loadModels,
    start,
    show: async (id) => current.set(await sessions.open(id)),
    async remove(id) {
      if (current.get().id === id) {
        const next = sessions.list().find((one) => one.id !== id);
        current.set(next ? await sessions.open(next.id) : await sessions.create());
      }
      await sessions.delete(id);
    },
    chooseModel(modelId) {
      localStorage.setItem(modelKey, modelId);
      current.get().setModel(modelId);
    },
    agents: customs.agents,
    async send(text, delivery, files = []) {
      const session = current.get();
      await customs.look();
      const request = await spokenRequest(text, {
        commands: customs.commands(),
        agents: customs.agents(),
        isFile: async (path) =>
          (await sandbox.fs.stat(joinPath(sandbox.workdir, path)).catch(() => undefined))?.kind === 'file',
      });
      const { model } = request;
      if (model !== undefined && !models.get().models.some((one) => one.id === model))
        throw new Error(`This command wants the model ${model}, which is not offered here.`);
      await session.send(request.text, delivery, files, request);
    },
    async dispose() {
      stopRemembering();
      stopWaiting();
      code.dispose();
      await Promise.all([...opened].map((session) => session.dispose()));
      await mcp.dispose();
      store.close();
    },
  };
}

/** The model of that id as the menus show it; one that is not offered any more is named by its id. */
export function modelChoice(models: readonly ModelChoice[], id: string): ModelChoice {
  return (
    models.find((model) => model.id === id) ?? { id, name: id, provider: id.split('/')[0]!, access: 'own-key' as const }
  );
}
