import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { PEER_HEADER, tellPeers, visitorAddress } from './peer-address';

const from = (headers: Record<string, string>, trustedProxies: number) =>
  visitorAddress(new Request('http://cloche.localhost/', { headers }), trustedProxies);

test('a visitor’s own x-forwarded-for counts for nothing where no proxy is trusted', () => {
  const headers = { 'x-forwarded-for': '6.6.6.6', [PEER_HEADER]: '9.9.9.9' };
  expect(from(headers, 0)).toBe('9.9.9.9');
  expect(from({ 'x-forwarded-for': '6.6.6.6' }, 0)).toBe('unknown');
});

test('behind proxies the visitor is what the outermost trusted one saw', () => {
  const headers = { 'x-forwarded-for': '6.6.6.6, 1.1.1.1, 10.0.0.1', [PEER_HEADER]: '127.0.0.1' };
  expect(from(headers, 1)).toBe('10.0.0.1');
  expect(from(headers, 2)).toBe('1.1.1.1');
  expect(from(headers, 4)).toBe('unknown');
});

test('an IPv6 visitor has a network of addresses and counts once; a mapped IPv4 one is that one', () => {
  const one = from({ [PEER_HEADER]: '2001:db8:1:2:aaaa::1' }, 0);
  expect(one).toBe('2001:db8:1:2::/64');
  expect(from({ [PEER_HEADER]: '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff' }, 0)).toBe(one);
  expect(from({ [PEER_HEADER]: '2001:db8:1:3::1' }, 0)).not.toBe(one);
  expect(from({ [PEER_HEADER]: '::1' }, 0)).toBe('0:0:0:0::/64');
  expect(from({ [PEER_HEADER]: '::ffff:9.9.9.9' }, 0)).toBe('9.9.9.9');
});

test('the server itself says who is at the other end, whatever the visitor claims', async () => {
  tellPeers();
  const server = createServer((incoming, answer) => answer.end(String(incoming.headers[PEER_HEADER])));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const said = await new Promise<string>((resolve, reject) => {
      request({ host: '127.0.0.1', port, headers: { [PEER_HEADER]: '6.6.6.6' } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    expect(said).toBe('127.0.0.1');
  } finally {
    server.close();
  }
});
