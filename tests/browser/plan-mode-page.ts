// A conversation with a scripted model on the real engine, inside the page: what its commands do to real files.

import { type ScriptedStep, scriptedModel } from '../../lib/agent/scripted-model';
import { createEmbeddedSandbox } from '../../lib/sandbox/embedded';
import { openSessionStore } from '../../lib/session/session-store';
import { createSessions } from '../../lib/session/sessions';

/** What is left when the turn is over. */
export interface PlanRun {
  outputs: (string | undefined)[];
  files: Record<string, string>;
}

declare global {
  interface Window {
    runAs(agent: string, steps: ScriptedStep[], files: Record<string, string>, hostUrl: string): Promise<PlanRun>;
  }
}

let booted: ReturnType<typeof createEmbeddedSandbox> | undefined;
let runs = 0;

window.runAs = async (agent, steps, files, hostUrl) => {
  booted ??= createEmbeddedSandbox({ hostUrl, previewUrl: (port) => `http://preview.invalid/${port}` });
  const sandbox = await booted;
  const { fs, workdir } = sandbox;
  for (const entry of await fs.list(workdir)) await fs.remove(`${workdir}/${entry.name}`);
  for (const [name, contents] of Object.entries(files)) await fs.write(`${workdir}/${name}`, contents);
  const store = await openSessionStore(`plan-${++runs}`);
  const model = scriptedModel(steps);
  const sessions = await createSessions({
    projectId: 'p',
    defaultModel: 'scripted',
    sandbox,
    store,
    resolveModel: () => model,
  });
  const session = await sessions.create();
  session.setMode('auto');
  session.setAgent(agent);
  // A person who says yes to everything.
  session.subscribe(() => {
    for (const ask of session.state().asks) session.answer(ask.id, { kind: 'once' });
  });
  await session.send('go');
  const parts = session.state().messages.flatMap((message) => message.parts);
  const left: Record<string, string> = {};
  const { paths } = await sandbox.search.files({ path: workdir, pattern: '**', respectIgnore: false });
  for (const path of paths) left[path.slice(workdir.length + 1)] = await fs.readText(path);
  return { outputs: parts.flatMap((part) => (part.type === 'tool' ? [part.output] : [])), files: left };
};
