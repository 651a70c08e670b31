// For tests: a server of the web that wants a sign-in, and who gives its keys, on one loopback port. It checks what a strict one checks (PKCE,
// redirect address, resource, rotation of refresh tokens) and counts what it was asked.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one test changes. */
export interface SignInSiteOptions {
  port?: number;
  /** Default: it has one. */
  registers?: boolean;
  /** What it says that it is; default: the truth. */
  issuer?: string;
  /** The `iss` that it sends people back with; default: the truth. */
  iss?: string;
  /** A right that its tool wants and its descriptions do not name. */
  callScope?: string;
  /** It wants that right without saying which. */
  isTacit?: boolean;
  /** Default: it describes itself (RFC 9728). */
  describes?: boolean;
  /** Clients that describe themselves, by the URL of their document. */
  documents?: Record<string, { client_id: string; redirect_uris: string[] }>;
  /** A client that is known there already. */
  client?: { id: string; secret: string };
  /** Members of the authorization server's description that replace the usual ones. */
  metadata?: Record<string, unknown>;
}

export interface SignInSite {
  origin: string;
  server: Server;
  /** `POST /token authorization_code` and the like, in order. */
  seen: string[];
  /** Access tokens stop being good; refresh tokens stay. */
  expire(): void;
  /** Nothing that was given is good any more. */
  revokeAll(): void;
  /** Calls of the tool that came with a good token. */
  calls: number;
  close(): void;
}

interface Granted {
  client: string;
  challenge: string;
  redirect: string;
  scope: string;
}

/** Listens on loopback. */
export async function signInSite(options: SignInSiteOptions = {}): Promise<SignInSite> {
  const clients = new Map<string, { redirects: string[]; secret?: string }>();
  if (options.client) clients.set(options.client.id, { redirects: [], secret: options.client.secret });
  for (const [url, document] of Object.entries(options.documents ?? {}))
    if (document.client_id === url) clients.set(url, { redirects: document.redirect_uris });
  const codes = new Map<string, Granted>();
  /** Scopes by access token. */
  const access = new Map<string, string>();
  const refresh = new Map<string, { client: string; scope: string }>();
  const random = () => randomBytes(12).toString('hex');
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => json(response, 500, { error: String(error) }));
  }).listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: SignInSite = {
    origin,
    server,
    seen: [],
    calls: 0,
    expire: () => access.clear(),
    revokeAll() {
      access.clear();
      refresh.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };

  function give(client: string, scope: string) {
    const tokens = { access_token: `at-${random()}`, refresh_token: `rt-${random()}` };
    access.set(tokens.access_token, scope);
    refresh.set(tokens.refresh_token, { client, scope });
    return { ...tokens, token_type: 'Bearer', expires_in: 3600 };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, origin);
    const body = await textOf(request);
    switch (url.pathname) {
      case '/mcp':
        return speak(request, response, body);
      case '/.well-known/oauth-protected-resource/mcp':
        if (options.describes === false) return json(response, 404, {});
        return json(response, 200, {
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          scopes_supported: ['tools'],
        });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: options.issuer ?? origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          revocation_endpoint: `${origin}/revoke`,
          ...(options.registers === false ? {} : { registration_endpoint: `${origin}/register` }),
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          scopes_supported: ['tools', 'offline_access'],
          authorization_response_iss_parameter_supported: true,
          ...(options.documents === undefined ? {} : { client_id_metadata_document_supported: true }),
          ...options.metadata,
        });
      case '/register': {
        site.seen.push('POST /register');
        const wanted = JSON.parse(body) as { redirect_uris: string[] };
        const id = `client-${random()}`;
        clients.set(id, { redirects: wanted.redirect_uris });
        return json(response, 201, { ...wanted, client_id: id });
      }
      case '/authorize':
        return authorize(url, response);
      case '/token':
        return token(new URLSearchParams(body), request, response);
      case '/revoke': {
        const given = new URLSearchParams(body);
        site.seen.push(`POST /revoke ${given.get('token_type_hint')}`);
        access.delete(given.get('token')!);
        refresh.delete(given.get('token')!);
        return json(response, 200, {});
      }
      default:
        return json(response, 404, { error: 'not_found' });
    }
  }

  /** A page with two links; `decision` in the query is what the person pressed. */
  function authorize({ searchParams: asked }: URL, response: ServerResponse): void {
    const client = clients.get(asked.get('client_id') ?? '');
    const redirect = asked.get('redirect_uri') ?? '';
    const isRight =
      client !== undefined &&
      (client.redirects.length === 0 || client.redirects.includes(redirect)) &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('resource') === `${origin}/mcp`;
    if (!isRight) return void response.writeHead(400).end('This request is not right.');
    const decision = asked.get('decision');
    if (decision === null) {
      site.seen.push(`GET /authorize ${asked.get('scope')}`);
      const link = (word: string) => `?${asked.toString().replace(/&/g, '&amp;')}&amp;decision=${word}`;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        `<title>Sign in</title><h1>Let Cloche use your tools?</h1><a href="${link('allow')}">Allow</a> <a href="${link('deny')}">Deny</a>`,
      );
      return;
    }
    const back = new URL(redirect);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', options.iss ?? origin);
    if (decision === 'deny') back.searchParams.set('error', 'access_denied');
    else {
      const code = random();
      codes.set(code, {
        client: asked.get('client_id')!,
        challenge: asked.get('code_challenge')!,
        redirect,
        scope: asked.get('scope') ?? '',
      });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  function token(asked: URLSearchParams, request: IncomingMessage, response: ServerResponse): void {
    const grant = asked.get('grant_type')!;
    site.seen.push(`POST /token ${grant}`);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const [id, secret] = basic
      ? Buffer.from(basic, 'base64').toString().split(':')
      : [asked.get('client_id') ?? '', asked.get('client_secret') ?? undefined];
    const client = clients.get(id!);
    if (client === undefined || client.secret !== secret) return json(response, 401, { error: 'invalid_client' });
    if (asked.get('resource') !== `${origin}/mcp`) return json(response, 400, { error: 'invalid_target' });
    if (grant === 'refresh_token') {
      const used = asked.get('refresh_token')!;
      const kept = refresh.get(used);
      if (kept?.client !== id) return json(response, 400, { error: 'invalid_grant' });
      refresh.delete(used);
      return json(response, 200, give(id!, kept!.scope));
    }
    const granted = codes.get(asked.get('code')!);
    codes.delete(asked.get('code')!);
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    if (granted?.client !== id || granted?.challenge !== challenge || granted.redirect !== asked.get('redirect_uri'))
      return json(response, 400, { error: 'invalid_grant' });
    json(response, 200, { ...give(id!, granted.scope), scope: granted.scope });
  }

  function speak(request: IncomingMessage, response: ServerResponse, body: string): void {
    const scope = access.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
    if (scope === undefined) {
      response.setHeader('www-authenticate', `Bearer resource_metadata="${where}", scope="tools"`);
      return json(response, 401, { error: 'invalid_token' });
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(body) as { id?: number; method: string; params?: { protocolVersion?: string } };
    if (message.id === undefined) return void response.writeHead(202).end();
    const { callScope } = options;
    if (message.method === 'tools/call' && callScope !== undefined && !scope.split(' ').includes(callScope)) {
      const which = options.isTacit === true ? '' : ` scope="${callScope}",`;
      const wish = `Bearer error="insufficient_scope",${which} resource_metadata="${where}"`;
      response.setHeader('www-authenticate', wish);
      return json(response, 403, { error: 'insufficient_scope' });
    }
    const results: Record<string, () => unknown> = {
      initialize: () => ({
        protocolVersion: message.params!.protocolVersion,
        serverInfo: { name: 'guarded', version: '1' },
        capabilities: { tools: {} },
      }),
      'tools/list': () => ({ tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] }),
      'tools/call': () => {
        site.calls++;
        return { content: [{ type: 'text', text: 'You are Ada.' }] };
      },
    };
    json(response, 200, { jsonrpc: '2.0', id: message.id, result: results[message.method]?.() ?? {} });
  }
  return site;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
