// For tests: Domino stands in for the browser's parser. (Its types declare a module of another name.)
import { createRequire } from 'node:module';
import type { ParseHtml } from './page-text';

/** An inert document, as `DOMParser` makes one. */
export const parseInTests: ParseHtml = (html) =>
  (createRequire(import.meta.url)('@mixmark-io/domino') as { createDocument(html: string): Document }).createDocument(
    html,
  );
