import { expect, test } from 'vitest';
import { inputOfSchema } from './schema-input';

test('expressions of a server that could stop the page are left to the server', () => {
  const slow = '^(\\w+\\s?)*$';
  const input = inputOfSchema({
    properties: { text: { type: 'string', pattern: slow }, tag: { type: 'string', pattern: '^v\\d+$' } },
    patternProperties: { [slow]: { type: 'number' } },
    additionalProperties: false,
  });
  const text = `${'a'.repeat(60)}!`;
  expect(input.safeParse({ text, [text]: 'x' }).success).toBe(true);
  expect(input.safeParse({ tag: 'x' }).success).toBe(false);
});
