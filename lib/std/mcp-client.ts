// How this installation is known to those who give keys for MCP servers: the address that people come back to, and the document that says so
// (OAuth Client ID Metadata Document), for servers at which programs don't register.

/** Where a sign-in comes back to. */
export const SIGNED_IN_PATH = '/mcp/signed-in';

/** Where the document lies. */
export const CLIENT_DOCUMENT_PATH = '/api/mcp/client';

/** Names that nobody outside can look up. */
const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|test|invalid|example|home\.arpa)$/;

/** The client id of the IDE at `origin`: its document's URL. Undefined where nobody else can read it: no https, an address or a local name. */
export function clientDocumentUrl(origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  if (protocol !== 'https:' || isAddress || !hostname.includes('.') || localNames.test(hostname)) return undefined;
  return origin + CLIENT_DOCUMENT_PATH;
}

/** The document of the IDE at `origin`, as draft-ietf-oauth-client-id-metadata-document wants it. */
export function clientDocument(origin: string) {
  return {
    client_id: origin + CLIENT_DOCUMENT_PATH,
    client_name: 'Cloche',
    client_uri: origin,
    redirect_uris: [origin + SIGNED_IN_PATH],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
