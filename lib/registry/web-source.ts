// The tools that reach the web through this site's server. One source for all conversations of a page, so they share what was fetched.
import type { SearchWeb } from '../tools/search-web';
import { type WebFetchOptions, webfetchTool } from '../tools/webfetch';
import { codesearchTool, websearchTool } from '../tools/websearch';
import type { ToolSource } from './registry';

export interface WebSourceOptions extends WebFetchOptions {
  search: SearchWeb;
  /** Whether some search provider has a key, asked for each step. */
  hasSearchKey(): boolean;
}

/** Pages are always offered (each host is asked about), searches when there is a key. */
export function webSource(options: WebSourceOptions): ToolSource {
  const webfetch = webfetchTool(options);
  const searches = [codesearchTool(options.search), websearchTool(options.search)];
  const why = 'No search provider has a key.';
  return {
    name: 'Cloche',
    offer: () =>
      options.hasSearchKey()
        ? { tools: [webfetch, ...searches] }
        : { tools: [webfetch], absent: searches.map(({ name }) => ({ name, why })) },
  };
}
