// Adds up what the steps of tests/run.sh left behind and prints CI's closing line.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];
const read = (name) =>
  existsSync(path.join(folder, name)) ? JSON.parse(readFileSync(path.join(folder, name), 'utf8')) : undefined;
let passed = 0;
let failed = 0;

const vitest = read('vitest.json');
if (vitest) {
  passed += vitest.numPassedTests;
  failed += vitest.numFailedTests;
}
for (const name of ['playwright-browser.json', 'playwright-e2e.json']) {
  const playwright = read(name);
  if (!playwright) continue;
  passed += playwright.stats.expected + playwright.stats.flaky;
  failed += playwright.stats.unexpected;
  for (const title of flakyOf(playwright)) console.log(`only the second time: ${title}`);
}
const conformance = read('conformance.json');
if (conformance) {
  passed += conformance.passed;
  failed += conformance.failed;
}
// A step without counts of its own (lint, types, a build), or one that broke before it could count, is one failure.
if (existsSync(path.join(folder, 'failed-steps'))) {
  for (const name of readFileSync(path.join(folder, 'failed-steps'), 'utf8').split('\n').filter(Boolean)) {
    console.log(`failed step: ${name}`);
    if (['lint', 'types', 'engine', 'build'].includes(name) || !failed) failed++;
  }
}
if (passed === 0) failed = Math.max(failed, 1);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Titles of the tests of a suite, and of those in it, that passed only when they were run again. */
function flakyOf({ title = '', suites = [], specs = [] }) {
  const own = specs
    .filter((spec) => spec.tests.some((one) => one.status === 'flaky'))
    .map((spec) => `${title} › ${spec.title}`);
  return [...own, ...suites.flatMap(flakyOf)];
}
