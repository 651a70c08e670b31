import { expect, test } from 'vitest';
import { planRun } from './run-command';
import { templates } from './templates';

const plan = (packageJson: unknown, hasNodeModules = true, files: string[] = []) =>
  planRun({ packageJson: JSON.stringify(packageJson), hasNodeModules, files });

test('dev comes before start, start before test', () => {
  expect(plan({ scripts: { test: 't', start: 's', dev: 'd' } })).toMatchObject({ command: 'npm run dev' });
  expect(plan({ scripts: { test: 't', start: 's' } })).toMatchObject({ command: 'npm start' });
  expect(plan({ scripts: { test: 't' } })).toMatchObject({ command: 'npm test' });
});

test('missing dependencies are installed first, and the title stays short', () => {
  expect(plan({ scripts: { start: 's' }, dependencies: { a: '1' } }, false)).toEqual({
    kind: 'run',
    title: 'npm start',
    command: 'npm install && npm start',
  });
  expect(plan({ scripts: { start: 's' }, dependencies: {} }, false)).toMatchObject({ command: 'npm start' });
});

test('without scripts the main file runs; without anything the reason is said', () => {
  expect(plan({ main: './lib/a b.js' }, true, ['lib/a b.js'])).toMatchObject({ command: `node './lib/a b.js'` });
  expect(planRun({ hasNodeModules: false, files: ['index.ts'] })).toMatchObject({ command: 'node index.ts' });
  expect(plan({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }).kind).toBe('nothing');
  expect(planRun({ packageJson: '{', hasNodeModules: false, files: [] })).toMatchObject({
    reason: 'package.json is not valid JSON.',
  });
});

test('every template can be run', () => {
  for (const template of templates) {
    const files = Object.keys(template.files);
    expect(planRun({ packageJson: template.files['package.json'], hasNodeModules: false, files }).kind).toBe('run');
  }
});
