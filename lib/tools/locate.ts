// Where a path of the model really leads, and what must be allowed for it. Links are judged by where they land, not by their name.
import { realPath } from '../sandbox/real-path';
import type { Sandbox } from '../sandbox/sandbox';
import { displayPath, isInside, parentPath, resolvePath } from '../std/paths';
import { type AskRequest, type ToolContext, ToolError } from './tool';

/** `path`: absolute, links resolved. `shown`: relative to the project when inside it; also the fact that rules see. */
export interface Located {
  path: string;
  shown: string;
  inside: boolean;
}

/** Resolves against the call's directory. The file need not exist. */
export async function locate(context: Pick<ToolContext, 'sandbox' | 'cwd'>, path: string): Promise<Located> {
  const place = await real(context.sandbox, resolvePath(context.cwd, path));
  const root = await real(context.sandbox, context.sandbox.workdir);
  return { path: place, shown: displayPath(place, root), inside: isInside(place, root) };
}

async function real({ fs }: Sandbox, path: string): Promise<string> {
  try {
    return await realPath(fs, path);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ELOOP') throw error;
    throw new ToolError(`${path} goes through a link that leads back to itself.`);
  }
}

/** The `also` part of a question about these places: leaving the project needs its own permission. */
export function outsideFacts(places: readonly Located[]): NonNullable<AskRequest['also']> {
  const outside = places.filter((place) => !place.inside);
  if (outside.length === 0) return [];
  const always = [
    ...new Set(outside.map((place) => `${parentPath(place.path) === '/' ? '' : parentPath(place.path)}/*`)),
  ];
  return [{ permission: 'outside', patterns: outside.map((place) => place.path), always }];
}

/** Asks to read these places (files or directories). */
export async function askToRead(context: ToolContext, places: readonly Located[]): Promise<void> {
  await context.ask({
    permission: 'read',
    patterns: places.map((place) => place.shown),
    always: ['*'],
    title: `Read ${places.map((place) => place.shown).join(', ')}`,
    also: outsideFacts(places),
  });
}
