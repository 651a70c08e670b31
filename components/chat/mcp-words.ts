// MCP servers in words for people, and what a person types as a server.
import type { McpServerConfig } from '../../lib/registry/mcp/server-config';
import type { McpServerState } from '../../lib/registry/mcp/server-state';

/** The command line, or the address with the names of the headers that are sent there. */
export function serverLine(config: McpServerConfig): string {
  if (config.kind === 'remote') {
    const names = Object.keys(config.headers);
    return `${config.url}${names.length === 0 ? '' : ` (sends ${names.join(', ')})`}`;
  }
  const variables = Object.entries(config.environment).map(([name, value]) => `${name}=${value}`);
  return [...variables, ...config.command]
    .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

/** `connected, 14 tools`, `failed: …`. */
export function statusLine({ status, tools }: McpServerState): string {
  switch (status.kind) {
    case 'connected':
      return `connected, ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
    case 'connecting':
      return 'connecting';
    case 'disabled':
      return 'turned off';
    case 'untrusted':
      return 'not started: say whether it may';
    case 'failed':
      return `failed: ${status.why}${status.retryAtMs === undefined ? '' : ' It is tried again.'}`;
    case 'needs-auth':
      return `wants you to sign in. ${status.why}`;
  }
}

/** What was typed (a URL or a command line) as an entry of the configuration. *Throws* an Error fit to show. */
export function entryOf(typed: string, more: { header: string; clientId: string }): Record<string, unknown> {
  const text = typed.trim();
  if (/^https?:\/\//i.test(text)) {
    const [header, clientId] = [more.header.trim(), more.clientId.trim()];
    const match = /^([\w-]+):\s*(.+)$/.exec(header);
    if (header !== '' && match === null) throw new Error('A header is written as NAME: VALUE.');
    return {
      type: 'remote',
      url: text,
      ...(match === null ? {} : { headers: { [match[1]!]: match[2]! } }),
      ...(clientId === '' ? {} : { oauth: { clientId } }),
    };
  }
  const words = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain!,
  );
  const environment: Record<string, string> = {};
  while (words[0] !== undefined && /^[A-Za-z_]\w*=/.test(words[0])) {
    const [name, ...value] = words.shift()!.split('=');
    environment[name!] = value.join('=');
  }
  if (words.length === 0) throw new Error('Type a command line or a URL.');
  return { type: 'local', command: words, ...(Object.keys(environment).length > 0 ? { environment } : {}) };
}
