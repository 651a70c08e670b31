// The list of templates, in the order of the start page.
import { blank } from './templates/blank';
import { express } from './templates/express';
import { httpServer } from './templates/http-server';
import type { Template } from './templates/template';
import { typescriptTest } from './templates/typescript-test';
import { webPage } from './templates/web-page';

/** All templates, the simplest first. */
export const templates: readonly Template[] = [blank, httpServer, express, webPage, typescriptTest];

/** The template of that id, or undefined. */
export function findTemplate(id: string): Template | undefined {
  return templates.find((template) => template.id === id);
}
