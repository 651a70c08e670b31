import { expect, test } from 'vitest';
import {
  activateTab,
  allTabs,
  closeTab,
  focusedSide,
  focusSide,
  moveTab,
  oneSide,
  openTab,
  parseSides,
  renameTab,
  type Sides,
  sendTab,
  splitTab,
} from './editor-sides';

const opened = (...paths: string[]) => paths.reduce(openTab, oneSide);
/** `a b* | c*>`: tabs, the active one, and where the focus is. */
const shown = ({ list, focused }: Sides) =>
  list
    .map(
      ({ tabs, active }, at) =>
        tabs.map((tab) => (tab === active ? `${tab}*` : tab)).join(' ') + (at === focused ? '>' : ''),
    )
    .join(' | ');

test('a file opens behind the active one of the focused side', () => {
  expect(shown(openTab(activateTab(opened('a', 'b'), 'a'), 'c'))).toBe('a c* b>');
  expect(shown(openTab(focusSide(splitTab(opened('a', 'b'), 'b'), 0), 'c'))).toBe('a b c*> | b*');
});

test('split shows the same file on both sides; a second time it goes to the other one', () => {
  const split = splitTab(opened('a', 'b'), 'b');
  expect(shown(split)).toBe('a b* | b*>');
  expect(shown(splitTab(split, 'b'))).toBe('a b*> | b*');
  expect(allTabs(split)).toEqual(['a', 'b']);
});

test('a side that has no tab left goes, and the other one keeps its identity', () => {
  const split = splitTab(opened('a', 'b'), 'b');
  expect(shown(closeTab(split, 'b', 1))).toBe('a b*>');
  const left = closeTab(closeTab(split, 'a'), 'b', 0);
  expect(shown(left)).toBe('b*>');
  expect(focusedSide(left).id).toBe(split.list[1]!.id);
  // A new second side never takes the identity of a view that is there.
  expect(new Set(splitTab(left, 'b').list.map((side) => side.id)).size).toBe(2);
  expect(shown(closeTab(split, 'b'))).toBe('a*>');
  expect(shown(closeTab(opened('a'), 'a'))).toBe('>');
});

test('tabs move within a side and across', () => {
  expect(shown(moveTab(opened('a', 'b', 'c'), 'c', 0, 0, 0))).toBe('c* a b>');
  const split = splitTab(opened('a', 'b'), 'b');
  expect(shown(moveTab(split, 'a', 0, 1, 0))).toBe('b* | a* b>');
  expect(shown(sendTab(opened('a', 'b'), 'b', 0))).toBe('a* | b*>');
  expect(shown(sendTab(sendTab(opened('a', 'b'), 'b', 0), 'b', 1))).toBe('a b*>');
  expect(shown(sendTab(opened('a'), 'a', 0))).toBe('a* | a*>');
});

test('a tab of the other side is shown there', () => {
  expect(shown(activateTab(sendTab(opened('a', 'b'), 'b', 0), 'a'))).toBe('a*> | b*');
  expect(shown(activateTab(opened('a'), 'unknown'))).toBe('a*>');
});

test('a renamed file keeps its places', () => {
  expect(shown(renameTab(splitTab(opened('a', 'b'), 'b'), 'b', 'c'))).toBe('a c* | c*>');
});

test('what is remembered comes back without the files that are gone', () => {
  const split = splitTab(opened('a', 'b'), 'b');
  const read = (json: string, gone = '') => parseSides(JSON.parse(json), (path) => path !== gone);
  expect(shown(read(JSON.stringify(split))!)).toBe('a b* | b*>');
  expect(shown(read(JSON.stringify(split), 'b')!)).toBe('a*>');
  expect(read('{"tabs":[]}')).toBeUndefined();
  expect(read('null')).toBeUndefined();
  expect(shown(read('{"list":[{"tabs":["a",1,"a"],"active":"z"}],"focused":7}')!)).toBe('a*>');
});
