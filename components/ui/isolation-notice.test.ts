// Text and order of the notice; that the real headers isolate the page is tests/e2e/security.spec.ts' business.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { IsolationNotice, isolationProblem } from './isolation-notice';

test('the problem is found in the order in which it can be solved', () => {
  const scope = (isSecureContext: boolean, isolated: boolean | undefined, memory?: unknown) =>
    isolationProblem({ isSecureContext, crossOriginIsolated: isolated as boolean, SharedArrayBuffer: memory });
  expect(scope(false, false)).toBe('insecure');
  expect(scope(true, undefined)).toBe('browser');
  expect(scope(true, false, {})).toBe('headers');
  expect(scope(true, true)).toBe('browser');
  expect(scope(true, true, {})).toBeUndefined();
});

test('each notice says what is missing and what to do', () => {
  const show = (problem: Parameters<typeof IsolationNotice>[0]['problem']) =>
    renderToStaticMarkup(createElement(IsolationNotice, { problem }));
  expect(show('headers')).toMatch(/Cross-Origin-Opener-Policy.*<li>.*Load again/s);
  expect(show('insecure')).toContain('https://');
  expect(show('browser')).toContain('SharedArrayBuffer');
});
