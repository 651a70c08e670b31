// What the project's conversations are made of: where their tools come from, and what the project and the person bring. A new source of tools,
// rules or instructions is wired here and nowhere else.

import { createProjectCustoms, type ProjectCustoms } from '../../lib/config/project-customs';
import { storedTrust } from '../../lib/config/trust';
import { extensionSources } from '../../lib/extensions/extension-tools';
import { hiddenNames } from '../../lib/permission/guarded-files';
import { rulesFor } from '../../lib/permission/presets';
import { codeSource } from '../../lib/registry/code-source';
import { webSource } from '../../lib/registry/web-source';
import { underPolicy } from '../../lib/sandbox/confine';
import { startProgramFrame } from '../../lib/sandbox/program-frame';
import type { SessionOptions } from '../../lib/session/session-options';
import { withoutKeys } from '../../lib/share/secrets';
import { browserStorage } from '../../lib/std/browser-storage';
import { parseSiteOrigins, programPageUrl, SITE_ORIGINS_NAME } from '../../lib/std/site-origins';
import { serverFetch } from '../../lib/tools/fetch-page';
import { parseInBrowser } from '../../lib/tools/page-text';
import { serverSearch } from '../../lib/tools/search-web';
import { monacoIntelligence } from '../editor/monaco-intelligence';
import { settings } from '../ide/settings';
import type { Workbench } from '../ide/workbench';
import { createProjectMcp, type ProjectMcp } from './mcp-project';
import { personConfig } from './person-config';
import { createProjectExtensions, type ProjectExtensions } from './project-extensions';
import { hasSearchKey, ownSearchKey } from './search-provider';

/** Made once for the open project. */
export interface SessionMakings {
  /** What the project and the person bring. */
  customs: ProjectCustoms;
  /** The servers of the Model Context Protocol. */
  mcp: ProjectMcp;
  /** The tools and plugins of the project. */
  extensions: ProjectExtensions;
  /** The part of a session's options that tells what its agent may use and must heed. */
  options: Pick<
    SessionOptions,
    | 'sandbox'
    | 'buffers'
    | 'instructions'
    | 'projectRules'
    | 'ownRules'
    | 'agents'
    | 'sources'
    | 'adaptTool'
    | 'onForgotten'
    | 'hooks'
    | 'evaluatePermission'
    | 'settings'
    | 'redact'
    | 'startProgram'
  >;
  /** *Contract:* after the sessions. */
  dispose(): Promise<void>;
}

/** How long an answer waits for servers that are connecting: most take less, and one that is being installed may take minutes. */
const mcpWaitMs = 4000;

/** Nothing of the project is read before a look; the person's own MCP servers start at once. */
export function createMakings({ sandbox, project, documents }: Workbench): SessionMakings {
  const projectId = project.get().id;
  const trust = storedTrust(projectId, browserStorage);
  const customs = createProjectCustoms({
    sandbox,
    trust,
    personConfig: personConfig.get,
  });
  /** What no program that the project or the person brings may see: as for commands, no rule of an agent counts. */
  const policy = () => {
    const rules = { policy: rulesFor('ask', customs.ownRules()), project: customs.projectRules(), role: [] };
    const hidden = hiddenNames(rules, { asked: settings.get().hideSecrets });
    return hidden.length === 0 ? undefined : { hidden };
  };
  const intelligence = monacoIntelligence(sandbox);
  const code = codeSource(intelligence);
  const web = webSource({
    fetchPage: serverFetch(),
    parseHtml: parseInBrowser,
    search: serverSearch(ownSearchKey),
    hasSearchKey,
  });
  const mcp = createProjectMcp({
    sandbox: underPolicy(sandbox, policy),
    projectId,
    trust,
    personConfig: personConfig.get,
  });
  // What the person forbids holds at once, also for a turn that runs.
  const stopHearing = personConfig.subscribe(() => {
    void customs.look().catch(() => {});
    void mcp.look().catch(() => {});
  });
  const extensions = createProjectExtensions(sandbox, customs, policy);
  const { programs, hooks } = extensions;
  return {
    customs,
    mcp,
    extensions,
    options: {
      sandbox,
      buffers: documents.buffers,
      async instructions(rules, agent) {
        let fromCustoms = await customs.instructions(rules);
        const before = customs.state();
        await extensions.ready();
        // A plugin has added to the configuration.
        if (customs.state() !== before) fromCustoms = await customs.instructions(rules);
        await mcp.servers.settled(mcpWaitMs);
        const told = [fromCustoms, mcp.servers.instructions(rules, agent)];
        return told.filter((one) => one !== undefined).join('\n\n') || undefined;
      },
      projectRules: customs.projectRules,
      ownRules: customs.ownRules,
      agents: customs.agents,
      sources: (conversation) => [
        code,
        web,
        ...customs.sources(),
        ...extensionSources(programs, conversation),
        ...mcp.servers.sources(conversation),
      ],
      adaptTool: (tool, sessionId) => hooks.adaptTool(customs.adaptTool(tool, sessionId)),
      onForgotten: customs.forget,
      hooks,
      evaluatePermission: hooks.evaluatePermission,
      settings() {
        const { bannedCommands, hideSecrets, programs } = settings.get();
        return { ...customs.state().workings, banned: bannedCommands, hideSecrets, programs };
      },
      startProgram: (signal) => startProgramFrame(programPageUrl(readSiteOrigins()), signal),
      redact: (text) => (settings.get().redactKeys ? withoutKeys(text) : text),
    },
    async dispose() {
      stopHearing();
      intelligence.dispose();
      await extensions.dispose();
      await mcp.dispose();
    },
  };
}

function readSiteOrigins() {
  return parseSiteOrigins(document.querySelector<HTMLMetaElement>(`meta[name="${SITE_ORIGINS_NAME}"]`)?.content);
}
