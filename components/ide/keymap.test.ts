import { expect, test } from 'vitest';
import { bindingTable, canonicalKeys, keysOf, passesTerminal, showKeys } from './keymap';

const press = (key: string, code: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]) => ({
  key,
  code,
  ctrlKey: held.includes('ctrlKey'),
  metaKey: held.includes('metaKey'),
  altKey: held.includes('altKey'),
  shiftKey: held.includes('shiftKey'),
});

test('one spelling per binding', () => {
  expect(canonicalKeys('shift+mod+p', false)).toBe('Mod+Shift+P');
  expect(canonicalKeys('Ctrl+`', false)).toBe('Mod+`');
  expect(canonicalKeys('Ctrl+`', true)).toBe('Ctrl+`');
  expect(canonicalKeys('Mod++', false)).toBe('Mod++');
  expect(canonicalKeys('Mod+Shift', false)).toBeUndefined();
  expect(canonicalKeys('Hyper+x', false)).toBeUndefined();
});

test('a press means the same binding on every keyboard', () => {
  expect(keysOf(press('P', 'KeyP', 'ctrlKey', 'shiftKey'), false)).toBe('Mod+Shift+P');
  expect(keysOf(press('p', 'KeyP', 'metaKey'), true)).toBe('Mod+P');
  expect(keysOf(press('p', 'KeyP', 'ctrlKey'), true)).toBe('Ctrl+P');
  // Dvorak: the letter counts, not the place. Cyrillic: the place counts.
  expect(keysOf(press('p', 'KeyR', 'ctrlKey'), false)).toBe('Mod+P');
  expect(keysOf(press('з', 'KeyP', 'ctrlKey'), false)).toBe('Mod+P');
  // Option+1 on a Mac types ¡.
  expect(keysOf(press('¡', 'Digit1', 'metaKey', 'altKey'), true)).toBe('Mod+Alt+1');
  expect(keysOf(press('~', 'Backquote', 'ctrlKey', 'shiftKey'), false)).toBe('Mod+Shift+`');
  expect(keysOf(press('Shift', 'ShiftLeft', 'shiftKey'), false)).toBeUndefined();
  expect(keysOf(press('F2', 'F2'), false)).toBe('F2');
});

test('shown as people know it', () => {
  expect(showKeys('Mod+Shift+P', true)).toBe('⇧⌘P');
  expect(showKeys('Mod+Shift+P', false)).toBe('Ctrl+Shift+P');
  expect(showKeys('Ctrl+`', true)).toBe('⌃`');
});

test('the shell keeps its keys', () => {
  expect(passesTerminal('Mod+P', false)).toBe(false);
  expect(passesTerminal('Mod+K', false)).toBe(false);
  expect(passesTerminal('Mod+Shift+P', false)).toBe(true);
  expect(passesTerminal('Mod+`', false)).toBe(true);
  expect(passesTerminal('F2', false)).toBe(false);
  expect(passesTerminal('Mod+P', true)).toBe(true);
  expect(passesTerminal('Ctrl+P', true)).toBe(false);
});

test('what the person set wins, and null takes a key away', () => {
  const commands = [
    { id: 'a', keys: 'Mod+P' },
    { id: 'b', keys: ['Mod+B', 'F9'] },
    { id: 'c', keys: 'Mod+B' },
  ];
  expect(bindingTable(commands, {}, false).get('Mod+B')).toBe('b');
  expect(bindingTable(commands, { c: 'Mod+P', b: null }, false)).toEqual(new Map([['Mod+P', 'c']]));
});
