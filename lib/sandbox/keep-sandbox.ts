// The sandbox's half of working without the server: the engine on its origin, and origins for the previews of projects.
import { keepEngine } from '../../engine/client/keep-engine';
import { preparePreview } from '../../engine/client/prepare-preview';
import { keepPageUrl, previewOrigin, type SiteOrigins } from '../std/site-origins';
import { prepareOrigins } from './preview-origins';

/** Resolves when sandboxes start and show previews without the server; rejects with an Error that says what is missing. */
export async function keepSandbox(origins: SiteOrigins): Promise<void> {
  await keepEngine(keepPageUrl(origins));
  await prepareOrigins((id) => preparePreview(previewOrigin(origins, id)));
}
