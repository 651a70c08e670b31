import { expect, test } from 'vitest';
import { defaultSettings, parseSettings } from './settings';

test('settings survive storage; nonsense is the default', () => {
  const mine = {
    ...defaultSettings,
    computer: 'webcontainer' as const,
    fontSize: 16,
    autosave: false,
    bannedCommands: ['npm publish'],
    hideSecrets: true,
    programs: true,
    keys: { 'files.toggle': 'Mod+E', 'run.start': null },
  };
  expect(parseSettings(JSON.stringify(mine))).toEqual(mine);
  expect(parseSettings(null)).toEqual(defaultSettings);
  expect(parseSettings('[')).toEqual(defaultSettings);
  expect(parseSettings('{"computer":"mainframe","fontSize":400,"autosave":"yes","keys":{"a":1}}')).toEqual(
    defaultSettings,
  );
  expect(parseSettings('{"bannedCommands":["", 1, "git push"]}').bannedCommands).toEqual(['git push']);
});
