// The page that is shown when there is no answer: in our own plain style, on the guest's origin.

/** What every answer on a preview's origin carries: pages and resources agree to live in the IDE's isolated window. */
export const ISOLATION = {
  'cross-origin-embedder-policy': 'credentialless',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

const STYLE =
  ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center}' +
  'main{max-width:32rem;padding:2rem}h1{font-size:1.1rem;margin:0}p{white-space:pre-wrap;overflow-wrap:anywhere;opacity:.8}' +
  'button{font:500 13px/1.2 system-ui,sans-serif;min-height:32px;padding:0 12px;border:1px solid #838d88;border-radius:6px;background:none;color:inherit;cursor:pointer}' +
  'button:hover{background:rgb(131 141 136/.16)}button:focus-visible{outline:2px solid #0b6e62;outline-offset:1px}' +
  '@media(prefers-color-scheme:dark){body{background:#111514;color:#e6ebe9}button:focus-visible{outline-color:#56c9b5}}@media(pointer:coarse){button{min-height:44px}}';

/** Asks once a second whether there is an answer now: a server that is starting shows its page as soon as it can. */
const RETRY_SCRIPT =
  '<script>setInterval(()=>fetch(location.href,{method:"HEAD",cache:"no-store"}).then((r)=>r.headers.has("x-cloche-failure")||location.reload(),()=>{}),1000)</script>';

/** An HTML response; the texts are shown as text. `retries`: it loads again by itself once there is an answer. */
export function failurePage(status: number, title: string, text: string, retries = status === 503): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${STYLE}</style>
<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p><button type="button" onclick="location.reload()">Try again</button></main>${retries ? RETRY_SCRIPT : ''}</html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-cloche-failure': String(status),
    ...ISOLATION,
  };
  return new Response(html, { status, headers });
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
