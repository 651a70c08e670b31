// The tools that reach the web through this site's server. One source for all conversations of a page, so they share what was fetched.
import { type WebFetchOptions, webfetchTool } from '../tools/webfetch';
import type { ToolSource } from './registry';

/** Always offered; each host is asked about. */
export function webSource(options: WebFetchOptions): ToolSource {
  const tools = [webfetchTool(options)];
  return { name: 'Cloche', offer: () => ({ tools }) };
}
