// The list of names and the table of applets must say the same.
import { expect, test } from 'vitest';
import { APPLET_NAMES } from './applet-names';
import { APPLETS, loadApplet } from './applets';

test('every applet has a file in /bin, and every file an applet', () => {
  const names = Object.keys(APPLETS).filter((name) => name !== 'sh' && name !== 'bash');
  expect([...APPLET_NAMES]).toEqual(names.sort());
});

test('every applet loads', async () => {
  for (const name of APPLET_NAMES) expect(await loadApplet(name), name).toBeTypeOf('function');
});
