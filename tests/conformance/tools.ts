// `npm run conformance -- tools`: runs the conformance list of the tool layer in vitest and prints per group how many of its cases hold.
// Exits with 1 when a case fails, when nothing shows what the list asks for, or when a test file does not load.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Group, groups } from './tools/groups.ts';

interface TestResult {
  fullName: string;
  title: string;
  status: string;
}
interface Report {
  testResults: { name: string; status: string; message: string; assertionResults: TestResult[] }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

function runTests(files: string[]): Report {
  const folder = mkdtempSync(path.join(tmpdir(), 'cloche-conformance-'));
  try {
    const outputFile = path.join(folder, 'report.json');
    const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const args = [vitest, 'run', '--reporter=json', `--outputFile=${outputFile}`, ...files];
    const { stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (!existsSync(outputFile)) throw new Error(`vitest wrote no report:\n${stderr}`);
    return JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function testsOf({ sources }: Group, report: Report): TestResult[] {
  return sources.flatMap(({ file, only }) => {
    const found = report.testResults.find((one) => path.relative(root, one.name) === file);
    return (found?.assertionResults ?? []).filter((one) => only === undefined || only.test(one.fullName));
  });
}

/** Prints the table; resolves to the exit code. */
export function runToolConformance(): number {
  const files = [...new Set(groups.flatMap((group) => group.sources.map((source) => source.file)))];
  const report = runTests(files);
  const problems = files
    .filter((file) => !report.testResults.some((one) => path.relative(root, one.name) === file))
    .map((file) => `${file} does not exist`);
  for (const { name, message, assertionResults } of report.testResults)
    if (assertionResults.length === 0) problems.push(`${path.relative(root, name)} has no tests: ${message}`);
  let total = 0;
  for (const group of groups) {
    const tests = testsOf(group, report);
    const passed = tests.filter((one) => one.status === 'passed');
    total += passed.length;
    for (const one of tests) if (one.status === 'failed') problems.push(`${group.name}: ${one.fullName}`);
    const cases = Object.entries(group.cases);
    const missing = cases.filter(([, shown]) => !passed.some((one) => shown.test(one.fullName)));
    for (const [name] of missing) problems.push(`${group.name}: nothing shows “${name}”`);
    const asked = cases.length === 0 ? '' : `  (${cases.length - missing.length}/${cases.length} of the list)`;
    console.log(
      `${String(group.number).padStart(2)}  ${group.name.padEnd(20)} ${passed.length}/${tests.length}${asked}`,
    );
  }
  console.log(`    ${total} cases hold`);
  for (const problem of problems) console.log(`NOT EQUAL ${problem}`);
  return problems.length === 0 ? 0 : 1;
}
