// curl over Node's http and https: what a developer does against a local server or an API.
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { encodeText } from '../io/text';
import { lastValue, type Parsed, parseOptions } from './options';
import { type Applet, readText, resolvePath, type Tool, UsageError } from './tool';

const LONG = {
  'request=': 'X',
  'header=': 'H',
  'data=': 'd',
  'data-raw=': 'data-raw',
  'data-binary=': 'data-binary',
  'data-urlencode=': 'data-urlencode',
  'json=': 'json',
  'form=': 'F',
  'output=': 'o',
  'remote-name': 'O',
  'user=': 'u',
  'user-agent=': 'A',
  'referer=': 'e',
  'cookie=': 'b',
  'max-time=': 'm',
  'connect-timeout=': 'connect-timeout',
  'write-out=': 'w',
  'max-redirs=': 'max-redirs',
  'url=': 'url',
  'upload-file=': 'T',
  'retry=': 'retry',
  silent: 's',
  'show-error': 'S',
  location: 'L',
  include: 'i',
  head: 'I',
  fail: 'f',
  verbose: 'v',
  insecure: 'k',
  get: 'G',
  'no-buffer': 'N',
  compressed: 'compressed',
  globoff: 'g',
  'fail-with-body': 'fail-with-body',
  'http1.1': 'http1.1',
  'no-progress-meter': 'no-progress-meter',
  'dump-header=': 'D',
};

/** A failed transfer, with curl's exit code. */
class TransferError {
  readonly code: number;
  readonly message: string;
  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

/** curl [options] urls. */
export const curl: Applet = async (tool) => {
  let parsed: Parsed;
  try {
    parsed = parseOptions(tool.args, 'X:H:d:F:o:Ou:A:e:b:m:w:T:sSLiIfvkGN#gD:01', LONG);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      `option ${tool.args.find((word) => word.startsWith('-'))}: ${/requires/.test(error.message) ? 'requires parameter' : `is unknown (${error.message})`}\ncurl: try 'curl --help' or 'curl --manual' for more information`,
      2,
    );
  }
  const urls = [...(parsed.values.get('url') ?? []), ...parsed.operands];
  if (urls.length === 0) throw new UsageError("try 'curl --help' or 'curl --manual' for more information", 2);
  if (parsed.values.has('F')) throw new UsageError('option -F: multipart forms are not supported here', 2);
  let status = 0;
  for (const [position, url] of urls.entries()) {
    try {
      await transfer(tool, parsed, url, parsed.values.get('o')?.[position]);
      status = 0;
    } catch (error) {
      if (!(error instanceof TransferError)) throw error;
      status = error.code;
      await tool.stdout.flush();
      if (!parsed.flags.has('s') || parsed.flags.has('S'))
        await tool.stderr.write(`curl: (${error.code}) ${error.message}\n`);
    }
  }
  return status;
};

async function bodyOf(tool: Tool, parsed: Parsed): Promise<{ body: Buffer | undefined; type: string | undefined }> {
  const parts: Buffer[] = [];
  const fromFile = async (value: string, binary: boolean) => {
    if (!value.startsWith('@')) return encodeText(value);
    const text = value === '@-' ? await tool.stdin.bytes() : fs.readFileSync(resolvePath(tool, value.slice(1)));
    return binary ? text : Buffer.from(text.toString('latin1').replace(/[\r\n]/g, ''), 'latin1');
  };
  let json = false;
  for (const [name, value] of parsed.order) {
    if (name === 'd') parts.push(await fromFile(value!, false));
    else if (name === 'data-raw') parts.push(encodeText(value!));
    else if (name === 'data-binary') parts.push(await fromFile(value!, true));
    else if (name === 'json') {
      json = true;
      parts.push(await fromFile(value!, true));
    } else if (name === 'data-urlencode') {
      const at = value!.indexOf('=');
      parts.push(
        Buffer.from(
          at < 0 ? encodeURIComponent(value!) : `${value!.slice(0, at + 1)}${encodeURIComponent(value!.slice(at + 1))}`,
        ),
      );
    } else if (name === 'T')
      return {
        body: value === '-' ? await tool.stdin.bytes() : encodeText(await readText(tool, value!)),
        type: undefined,
      };
  }
  if (parts.length === 0) return { body: undefined, type: undefined };
  const joint = json ? '' : '&';
  return {
    body: Buffer.concat(parts.flatMap((part, position) => (position > 0 ? [Buffer.from(joint), part] : [part]))),
    type: json ? 'application/json' : 'application/x-www-form-urlencoded',
  };
}

async function transfer(tool: Tool, parsed: Parsed, given: string, output: string | undefined): Promise<void> {
  const { flags } = parsed;
  const started = performance.now();
  let { body, type } = await bodyOf(tool, parsed);
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`);
  } catch {
    throw new TransferError(3, 'URL using bad/illegal format or missing URL');
  }
  if (flags.has('G') && body) {
    url.search += `${url.search ? '&' : '?'}${body.toString()}`;
    body = undefined;
  }
  let method =
    lastValue(parsed, 'X') ?? (flags.has('I') ? 'HEAD' : parsed.values.has('T') ? 'PUT' : body ? 'POST' : 'GET');
  const sink = outputSink(tool, flags.has('O') ? path.basename(url.pathname) : output);
  if (flags.has('O') && path.basename(url.pathname) === '')
    throw new TransferError(23, 'Remote file name has no length');
  let redirects = 0;
  let received = 0;
  try {
    for (;;) {
      const response = await request(tool, parsed, url, method, body, type);
      const head = headText(response);
      if (flags.has('v')) await tool.stderr.write(head.replace(/^/gm, '< ').replace(/< $/, ''));
      if (flags.has('i') || flags.has('I')) await sink.write(Buffer.from(head));
      const target = response.headers.location;
      if (flags.has('L') && target !== undefined && [301, 302, 303, 307, 308].includes(response.statusCode!)) {
        response.resume();
        if (++redirects > Number(lastValue(parsed, 'max-redirs') ?? 50))
          throw new TransferError(47, `Maximum (${lastValue(parsed, 'max-redirs') ?? 50}) redirects followed`);
        url = new URL(target, url);
        if (
          response.statusCode === 303 ||
          (response.statusCode! < 303 && method === 'POST' && !parsed.values.has('X'))
        ) {
          method = method === 'HEAD' ? 'HEAD' : 'GET';
          body = undefined;
          type = undefined;
        }
        continue;
      }
      const failed = response.statusCode! >= 400;
      if (failed && flags.has('f')) {
        response.resume();
        throw new TransferError(22, `The requested URL returned error: ${response.statusCode}`);
      }
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          received += chunk.length;
          await sink.write(chunk);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EPIPE' && tool.stdout) throw error;
        throw new TransferError(18, `transfer closed with outstanding read data remaining`);
      }
      const format = lastValue(parsed, 'w');
      if (format !== undefined)
        await tool.stdout.write(
          writeOut(format, {
            response,
            url,
            received,
            seconds: (performance.now() - started) / 1000,
            method,
            redirects,
          }),
        );
      if (failed && flags.has('fail-with-body'))
        throw new TransferError(22, `The requested URL returned error: ${response.statusCode}`);
      return;
    }
  } finally {
    sink.close();
  }
}

function outputSink(tool: Tool, name: string | undefined): { write(bytes: Buffer): Promise<void>; close(): void } {
  if (name === undefined || name === '-') {
    return {
      async write(bytes) {
        await tool.stdout.write(bytes);
        await tool.stdout.flush();
      },
      close() {},
    };
  }
  let fd: number | undefined;
  return {
    async write(bytes) {
      try {
        fd ??= fs.openSync(resolvePath(tool, name), 'w');
        fs.writeSync(fd, bytes);
      } catch {
        throw new TransferError(23, `Failure writing output to destination`);
      }
    },
    close() {
      if (fd !== undefined) fs.closeSync(fd);
    },
  };
}

function headText(response: http.IncomingMessage): string {
  let text = `HTTP/${response.httpVersion} ${response.statusCode} ${response.statusMessage}\r\n`;
  for (let i = 0; i < response.rawHeaders.length; i += 2)
    text += `${response.rawHeaders[i]}: ${response.rawHeaders[i + 1]}\r\n`;
  return `${text}\r\n`;
}

async function request(
  tool: Tool,
  parsed: Parsed,
  url: URL,
  method: string,
  body: Buffer | undefined,
  type: string | undefined,
): Promise<http.IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TransferError(1, `Protocol "${url.protocol.slice(0, -1)}" not supported`);
  const headers: Record<string, string | string[]> = {
    Host: url.host,
    'User-Agent': lastValue(parsed, 'A') ?? 'curl/8.5.0',
    Accept: type === 'application/json' ? 'application/json' : '*/*',
  };
  const user =
    lastValue(parsed, 'u') ??
    (url.username ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` : undefined);
  if (user !== undefined) headers.Authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  if (parsed.values.has('b')) headers.Cookie = lastValue(parsed, 'b')!;
  if (parsed.values.has('e')) headers.Referer = lastValue(parsed, 'e')!;
  if (type !== undefined) headers['Content-Type'] = type;
  if (body) headers['Content-Length'] = String(body.length);
  for (const line of parsed.values.get('H') ?? []) {
    const at = line.indexOf(':');
    const name = at < 0 ? line.replace(/;$/, '') : line.slice(0, at).trim();
    const known = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
    if (known) delete headers[known];
    const value = at < 0 ? '' : line.slice(at + 1).trim();
    if (value !== '' || line.endsWith(';')) headers[name] = value;
  }
  if (parsed.flags.has('v'))
    await tool.stderr.write(
      `> ${method} ${url.pathname}${url.search} HTTP/1.1\n${Object.entries(headers)
        .map(([name, value]) => `> ${name}: ${String(value)}\n`)
        .join('')}>\n`,
    );
  const limit = Number(lastValue(parsed, 'm') ?? 0) * 1000;
  const signal = limit > 0 ? AbortSignal.any([tool.signal, AbortSignal.timeout(limit)]) : tool.signal;
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = client.request(
      url,
      { method, headers, signal, agent: false, ...(parsed.flags.has('k') ? { rejectUnauthorized: false } : {}) },
      resolve,
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (tool.signal.aborted) reject(tool.signal.reason);
      else reject(failure(error, url, limit));
    });
    sent.end(body);
  });
}

function failure(error: NodeJS.ErrnoException, url: URL, limit: number): TransferError {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const cause = error.code ?? (error as unknown as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code;
  if (cause === 'ECONNREFUSED')
    return new TransferError(
      7,
      `Failed to connect to ${url.hostname} port ${port} after 0 ms: Couldn't connect to server`,
    );
  if (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN')
    return new TransferError(6, `Could not resolve host: ${url.hostname}`);
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return new TransferError(28, `Operation timed out after ${limit} milliseconds with 0 bytes received`);
  if (cause === 'ECONNRESET') return new TransferError(52, 'Empty reply from server');
  if (cause && /CERT|SSL|TLS/.test(cause)) return new TransferError(60, `SSL certificate problem: ${error.message}`);
  return new TransferError(56, `Recv failure: ${error.message}`);
}

function writeOut(
  format: string,
  {
    response,
    url,
    received,
    seconds,
    method,
    redirects,
  }: { response: http.IncomingMessage; url: URL; received: number; seconds: number; method: string; redirects: number },
): string {
  const values: Record<string, string> = {
    http_code: String(response.statusCode),
    response_code: String(response.statusCode),
    content_type: response.headers['content-type'] ?? '',
    size_download: String(received),
    time_total: seconds.toFixed(6),
    url_effective: url.href,
    method,
    num_redirects: String(redirects),
    redirect_url: response.headers.location ?? '',
    remote_ip: response.socket?.remoteAddress ?? '',
    http_version: response.httpVersion,
  };
  return format
    .replace(/%\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\r/g, '\r')
    .replace(/%%/g, '%');
}
