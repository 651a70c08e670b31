// What the model is told when nobody answers a form in time.
import { expect, test } from 'vitest';
import { type Question, questionTool } from './question';
import { outcome, toolContext } from './testing';

const silent = questionTool(() => Promise.resolve({ kind: 'unanswered' }));
const ask = async (questions: Question[]) => outcome(silent, { questions }, await toolContext());
const base = { question: 'Which database?', header: 'Database', options: [{ label: 'SQLite' }, { label: 'Postgres' }] };

test('the defaults hold where every question has one', async () => {
  expect(await ask([{ ...base, default: ['SQLite'] }])).toBe(
    'Nobody answered in time, so the defaults hold:\nWhich database?\n  SQLite',
  );
});

test('one question without a default leaves it to the model, which must say so', async () => {
  expect(
    await ask([
      { ...base, default: ['SQLite'] },
      { ...base, header: 'Other' },
    ]),
  ).toMatch(/^Nobody answered in time\. Take the option/);
});
