// What the editor marks red: what is wrong, and not what it merely cannot see (packages, Node's own names).
import { test } from '@playwright/test';
import { editor, expect, replaceEditorText, startProject, untilTypable } from './ide';

test('a relative import that leads nowhere and a name that nobody declared are errors; packages and Node are not', async ({
  page,
}) => {
  await startProject(page, 'TypeScript with tests');
  await untilTypable(page);
  const errors = editor(page).locator('.squiggly-error');
  const fine = `import express, { type Request } from 'express';
import { readFile } from 'node:fs/promises';
import './main.ts';
export const used: unknown[] = [express, readFile, process.argv, Buffer.from('a'), {} as Request];
`;
  await replaceEditorText(page, `${fine}import { nothing } from './nowhere.ts';\nused.push(nothing, undeclared);\n`);
  await expect(errors).toHaveCount(2);
  await replaceEditorText(page, fine);
  await expect(errors).toHaveCount(0);
});
