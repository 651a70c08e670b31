import { expect, test } from 'vitest';
import { createOpenRequests } from './open-requests';

test('one visitor holds half of the places at most, all together no more than there are', () => {
  const open = createOpenRequests(4);
  const first = open.enter('a');
  expect([first.kind, open.enter('a').kind, open.enter('a').kind]).toEqual(['in', 'in', 'visitor-full']);
  expect([open.enter('b').kind, open.enter('b').kind, open.enter('c').kind]).toEqual(['in', 'in', 'full']);
  if (first.kind !== 'in') throw new Error('no place');
  first.leave();
  first.leave();
  expect([open.enter('c').kind, open.enter('c').kind]).toEqual(['in', 'full']);
});
