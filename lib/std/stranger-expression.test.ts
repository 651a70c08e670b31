import { expect, test } from 'vitest';
import { expressionHazard } from './stranger-expression';

test.each([
  'ready in',
  '^Listening on (?:https?://)?[\\w.]+:\\d+$',
  '(?:ready|started) in \\d+ ?ms',
  '[(+*|)]+ \\(a+\\)',
  'a{3}b',
])('%s is quick', (source) => expect(expressionHazard(source)).toBeUndefined());

test.each(['(a+)+$', '^(\\w+\\s?)*$', '(a|aa)+$', '((?:a)*)*b', '(?:a{1,9}){2,}b', '(x+x+)+y', '(a)\\1*', '.*.*.*.*='])(
  '%s is refused',
  (source) => expect(expressionHazard(source)).toBeDefined(),
);
