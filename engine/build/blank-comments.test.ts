import { expect, test } from 'vitest';
import { blankComments } from './blank-comments.ts';

test('comments on lines of their own go, and every line keeps its number', () => {
  const source = "'use strict';\n\n// One.\n  // Two.\n/**\n * A promise.\n */\nfunction f() {\n  return 1;\n}\n// end";
  expect(blankComments(source)).toBe("'use strict';\n\n\n\n\n\n\nfunction f() {\n  return 1;\n}\n");
});

test('a line with code is not touched, nor is what only looks like a comment', () => {
  const source =
    'const a = 1; // why\n/* b */ const b = 2;\nconst c = `\n// text\n/* text */\n`;\nconst d = /\\/\\*/; /* e\n */ f();\n';
  expect(blankComments(source)).toBe(source);
});

test('two comments on one line', () => {
  expect(blankComments('a();\n/* x */ /* y */\nb();\n')).toBe('a();\n/* x */ /* y */\nb();\n');
});
