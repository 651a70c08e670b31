// The parser against Node's own, event for event: every message in one piece, split at every byte, and byte by byte.
import { describe, expect, it } from 'vitest';
import { httpParser } from './http-parser';
import { testEnvironment } from './testing/environment';
import { runNative } from './testing/native';

interface Case {
  name: string;
  type: 1 | 2;
  text: string;
  lenient?: number;
  max?: number;
  /** What onHeadersComplete returns. */
  answer?: number;
  finish?: boolean;
  /** Pauses the parser in onHeadersComplete. */
  pause?: boolean;
}

const many = (count: number) => Array.from({ length: count }, (_, i) => `X-Header-${i}: value ${i} \r\n`).join('');

const cases: Case[] = [
  { name: 'get', type: 1, text: 'GET /a?b=c HTTP/1.1\r\nHost: x\r\nAccept:\r\nX: \ty \t\r\n\r\n' },
  {
    name: 'pipelined',
    type: 1,
    text: 'GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST /b HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc',
  },
  {
    name: 'all methods',
    type: 1,
    text: 'M-SEARCH * HTTP/1.1\r\n\r\nQUERY /x HTTP/1.1\r\n\r\nPURGE /z HTTP/1.1\r\n\r\n',
  },
  {
    name: 'chunked',
    type: 1,
    text: 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;ext=1\r\n0123456789\r\n0\r\nX-Trailer: t\r\nY: z\r\n\r\n',
  },
  { name: 'many headers', type: 1, text: `GET /long/url HTTP/1.1\r\n${many(70)}\r\n` },
  { name: 'exactly 32 headers', type: 1, text: `GET / HTTP/1.1\r\n${many(32)}\r\n` },
  { name: 'latin1', type: 1, text: 'GET /\xe9\xff HTTP/1.1\r\nX: \xe9\xff\r\n\r\n' },
  {
    name: 'upgrade',
    type: 1,
    text: 'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nframes',
    answer: 0,
  },
  {
    name: 'upgrade refused',
    type: 1,
    text: 'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /2 HTTP/1.1\r\n\r\n',
    answer: 2,
  },
  { name: 'connect', type: 1, text: 'CONNECT a:1 HTTP/1.1\r\n\r\nraw bytes' },
  {
    name: 'response',
    type: 2,
    text: 'HTTP/1.1 200 OK fine\r\nContent-Length: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nhi',
  },
  { name: 'no reason', type: 2, text: 'HTTP/1.1 204\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n' },
  { name: 'until end', type: 2, text: 'HTTP/1.0 200 OK\r\n\r\nsome body', finish: true },
  {
    name: 'head answer',
    type: 2,
    text: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    answer: 1,
  },
  { name: 'continue', type: 2, text: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' },
  {
    name: 'switching',
    type: 2,
    text: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\nabc',
  },
  {
    name: 'chunked response',
    type: 2,
    text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  },
  { name: 'early end', type: 1, text: 'POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc', finish: true },
  { name: 'empty end', type: 1, text: '', finish: true },
  { name: 'pause', type: 1, text: 'GET / HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n', pause: true },
  { name: 'header overflow', type: 1, text: `GET / HTTP/1.1\r\nX: ${'a'.repeat(100)}\r\n\r\n`, max: 60 },
  { name: 'url overflow', type: 1, text: `GET /${'a'.repeat(100)} HTTP/1.1\r\n\r\n`, max: 60 },
  {
    name: 'trailer overflow',
    type: 1,
    text: `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ${'a'.repeat(100)}\r\n\r\n`,
    max: 60,
  },
  ...[
    'GET / HTTP/9.9\r\n\r\n',
    'FOO / HTTP/1.1\r\n\r\n',
    'GET  / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
    'GET / HTTP/1.1\nHost: x\n\n',
    'GET / HTTP/1.1\r\nX: a\x00b\r\n\r\n',
    'GET / HTTP/1.1\r\n X: folded\r\n\r\n',
    'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
    'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST / HTTP/1.1\r\nTransfer-Encoding: identity, chunked, gzip\r\n\r\n',
    'GET / HTTP/1.1\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    '\x16\x03\x01\x02\x00',
  ].map((text, index): Case => ({ name: `fault ${index}`, type: 1, text })),
  ...[
    'HTTP/1.1 OK\r\n\r\n',
    'HTTP/1.1 99 X\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n',
    'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
    'ICY 200 OK\r\n\r\n',
  ].map((text, index): Case => ({ name: `response fault ${index}`, type: 2, text })),
  { name: 'lenient', type: 1, lenient: 1023, text: 'GET / HTTP/1.1\nX: a\x01b\nContent-Length: 2\n\nhi' },
  {
    name: 'lenient lengths',
    type: 1,
    lenient: 2,
    text: 'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  },
];

/** Plain JavaScript, because Node runs the same text. */
const RECORD = `(binding, cases) => {
  const { HTTPParser } = binding;
  const text = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const run = (one, pieces) => {
    const events = [];
    const parser = new HTTPParser();
    parser.initialize(one.type, {}, one.max ?? 0, one.lenient ?? 0);
    parser[HTTPParser.kOnMessageBegin] = () => void events.push(['begin']);
    parser[HTTPParser.kOnHeaders] = (headers, url) => void events.push(['headers', headers, url]);
    parser[HTTPParser.kOnHeadersComplete] = (...values) => {
      events.push(['complete', ...values]);
      if (one.pause) parser.pause();
      return one.answer ?? 0;
    };
    parser[HTTPParser.kOnBody] = (bytes) => {
      const last = events[events.length - 1];
      if (last[0] === 'body') last[1] += text(bytes);
      else events.push(['body', text(bytes)]);
    };
    parser[HTTPParser.kOnMessageComplete] = () => void events.push(['end']);
    const note = (kind, result) => {
      const isError = result instanceof Error;
      const value = isError ? { message: result.message, code: result.code, reason: result.reason } : result;
      // A paused parser tells the distance between two buffers.
      if (isError && kind === 'execute' && result.code !== 'HPE_PAUSED') value.bytesParsed = result.bytesParsed;
      events.push([kind, value]);
      return isError;
    };
    let failed = false;
    for (const piece of pieces) {
      if ((failed = note('execute', parser.execute(piece)))) break;
      // What an upgraded parser says to more input is the distance between two buffers: nobody asks it.
      if (events.some((event) => event[0] === 'complete' && event[8]) && one.answer !== 2) break;
    }
    if (one.finish && !failed) note('finish', parser.finish());
    parser.close();
    return events;
  };
  return cases.map((one) => {
    const bytes = Buffer.from(one.text, 'latin1');
    const runs = [run(one, [bytes]), run(one, Array.from(bytes, (byte) => Buffer.from([byte])))];
    for (let at = 1; at < bytes.length; at++) runs.push(run(one, [bytes.subarray(0, at), bytes.subarray(at)]));
    return runs;
  });
}`;

function createBinding() {
  return httpParser(testEnvironment({ requireBuiltin: () => ({ Buffer }) }));
}

describe('http_parser', () => {
  const record = new Function('Buffer', `return ${RECORD}`)(Buffer);
  const ours = record(createBinding(), cases);
  const theirs = runNative<unknown[][]>(`answer((${RECORD})(internalBinding('http_parser'), input));`, cases);
  it.each(cases.map(({ name }, index) => [name, index] as const))('%s: as Node does', (_name, index) => {
    expect(ours[index]).toEqual(theirs[index]);
  });

  it('throws what a callback threw, and the next parser is not harmed', () => {
    const { HTTPParser } = createBinding();
    const parser = new HTTPParser();
    parser.initialize(1, {});
    parser[HTTPParser.kOnHeadersComplete] = () => {
      throw new Error('mine');
    };
    expect(() => parser.execute(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toThrow('mine');
    const inner = new HTTPParser();
    inner.initialize(1, {});
    expect(inner.execute(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBe(18);
  });

  it('runs one parser inside the callback of another', () => {
    const { HTTPParser } = createBinding();
    const [outer, inner] = [new HTTPParser(), new HTTPParser()];
    outer.initialize(1, {});
    inner.initialize(1, {});
    const bodies: string[] = [];
    outer[HTTPParser.kOnHeadersComplete] = () => void inner.execute(Buffer.from('GET /inner HTTP/1.1\r\nX: y\r\n\r\n'));
    outer[HTTPParser.kOnBody] = (bytes: Buffer) => void bodies.push(bytes.toString());
    outer.execute(Buffer.from('POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello'));
    expect(bodies).toEqual(['hello']);
  });

  it('knows which connections are idle, active and late', async () => {
    const { HTTPParser, ConnectionsList } = createBinding();
    const list = new ConnectionsList();
    const [idle, active] = [new HTTPParser(), new HTTPParser()];
    for (const parser of [idle, active]) parser.initialize(1, {}, 0, 0, list);
    idle.execute(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    active.execute(Buffer.from('GET / HT'));
    expect([list.all().length, list.idle(), list.active()]).toEqual([2, [idle], [active]]);
    expect(list.expired(10_000, 20_000)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 15));
    expect(list.expired(5, 20_000)).toEqual([active]);
    expect(list.active()).toEqual([]);
    active.remove();
    expect(list.all()).toEqual([idle]);
  });

  it('names the lenient flag that it does not have', () => {
    const { HTTPParser } = createBinding();
    expect(() => new HTTPParser().initialize(1, {}, 0, 1024)).toThrow('relaxed header values');
  });
});
