// What `GET /api/models` answers, seen from the browser: which models the person may choose and which need a key of their own.

/** One line of the model menu. `id` is `<provider>/<model>`; `practice` is the built-in one. */
export interface ModelChoice {
  id: string;
  name: string;
  provider: string;
  /** `server`: the host pays; `own-key`: send a key; `built-in`: the practice model, which is not an AI. */
  access: 'server' | 'own-key' | 'built-in';
  /** US dollars per million tokens, where the host configured it. */
  price?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
  /** Tokens, where configured. */
  contextTokens?: number;
}

/** A provider a person may enter a key for. `keyHint` is shown as the placeholder. */
export interface ProviderChoice {
  id: string;
  name: string;
  acceptsOwnKey: boolean;
  hasServerKey: boolean;
  keyHint?: string;
}

/** The answer of `GET /api/models`. */
export interface ModelList {
  models: ModelChoice[];
  providers: ProviderChoice[];
}

/** The practice model's line: always first choice when nothing else is configured. */
export const practiceChoice: ModelChoice = {
  id: 'practice',
  name: 'Practice model (not an AI)',
  provider: 'practice',
  access: 'built-in',
};

/** Fetches the list; without a server (or offline) only the practice model remains. Other failures of the route reject. */
export async function loadModelList(fetchFn: typeof fetch = fetch): Promise<ModelList> {
  let response: Response;
  try {
    response = await fetchFn('/api/models', { headers: { accept: 'application/json' } });
  } catch {
    return { models: [practiceChoice], providers: [] };
  }
  if (!response.ok) throw new Error(`The list of models could not be loaded (HTTP ${response.status}).`);
  const list = (await response.json()) as ModelList;
  return { models: [practiceChoice, ...list.models], providers: list.providers };
}
