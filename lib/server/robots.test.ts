import { expect, test } from 'vitest';
import { robotsAllow } from './robots';

const allows = (robots: string, path: string) => robotsAllow(robots, 'cloche-user', path);

test('no file, no rule, no matching group: allowed', () => {
  for (const robots of [
    '',
    'nonsense',
    '<html>',
    'User-agent: other\nDisallow: /',
    'Disallow: /',
    'User-agent: *\nDisallow:',
  ])
    expect(allows(robots, '/a'), robots).toBe(true);
});

test('the group that names us counts instead of the one for all; several lines and several groups are one', () => {
  const robots = 'User-agent: *\r\nDisallow: /\r\n\r\nuser-agent: x\r\nUser-Agent: Cloche-User/2.0\r\nDisallow: /a\r\n';
  expect(allows(robots, '/b')).toBe(true);
  expect(allows(robots, '/a/x')).toBe(false);
  expect(allows(`${robots}User-agent: y\nDisallow: /\nUser-agent: cloche-user\nDisallow: /c # no`, '/c')).toBe(false);
});

test('the longest rule wins, and the friendlier one of two equals', () => {
  const robots = 'User-agent: *\nDisallow: /\nAllow: /docs\nDisallow: /docs/private\nAllow: /same\nDisallow: /same';
  expect(allows(robots, '/')).toBe(false);
  expect(allows(robots, '/docs/a')).toBe(true);
  expect(allows(robots, '/docs/private/a')).toBe(false);
  expect(allows(robots, '/same')).toBe(true);
  expect(allows(robots, '/robots.txt')).toBe(true);
});

test.each([
  ['/*.pdf$', '/a/b.pdf', true],
  ['/*.pdf$', '/a/b.pdf?x', false],
  ['/*.pdf', '/a/b.pdf?x', true],
  ['/a*c*e', '/abcde', true],
  ['/a*c*e', '/abde', false],
  ['/*?', '/a', false],
  ['/*?', '/a?b', true],
  ['/a$', '/a', true],
  ['/a$', '/ab', false],
  ['/*a*a$', '/a', false],
])('pattern %s and path %s', (pattern, path, matches) =>
  expect(allows(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(!matches),
);

test('a hostile pattern costs no time', () => {
  expect(allows(`User-agent: *\nDisallow: /${'*a'.repeat(1500)}$`, `/${'a'.repeat(1400)}b`)).toBe(true);
});
