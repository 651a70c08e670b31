import { expect, test } from 'vitest';
import { growsForward, movePanel, placePanels, presetLayout, resize, setPanelOpen, stripPx } from './layout-model';
import { parseLayout } from './parse-layout';

function covers(layout = presetLayout('build'), width = 1400, height = 800) {
  const geometry = placePanels(layout, width, height);
  const shown = [geometry.editor, ...geometry.panels.filter((panel) => panel.shape !== 'hidden')];
  return { geometry, area: shown.reduce((sum, rect) => sum + rect.width * rect.height, 0), total: width * height };
}

test('every preset fills the area exactly, without overlap', () => {
  for (const preset of ['code', 'build', 'talk'] as const) {
    const { area, total } = covers(presetLayout(preset));
    expect(area).toBe(total);
  }
});

test('in a small window a preset leaves the editor more than the panels beside it', () => {
  const { geometry } = covers(presetLayout('build', { width: 1024, height: 768 }), 980, 704);
  expect(geometry.editor.width).toBeGreaterThan(geometry.panels.find((panel) => panel.id === 'agent')!.width);
  expect(geometry.editor.height).toBeGreaterThan(704 / 2);
});

test('a closed panel of the right dock is a strip, and the last one leaves a column', () => {
  let layout = setPanelOpen(presetLayout('build'), 'agent', false);
  let agent = covers(layout).geometry.panels.find((panel) => panel.id === 'agent')!;
  expect([agent.shape, agent.height]).toEqual(['row', stripPx]);
  layout = setPanelOpen(layout, 'preview', false);
  const { geometry, area, total } = covers(layout);
  agent = geometry.panels.find((panel) => panel.id === 'agent')!;
  expect([agent.shape, agent.width]).toEqual(['column', stripPx]);
  expect(area).toBe(total);
});

test('the left dock shows one panel at a time', () => {
  const layout = setPanelOpen(presetLayout('build'), 'search', true);
  expect([layout.open.search, layout.open.files]).toEqual([true, false]);
});

test('a panel can be moved to another dock and is shown there', () => {
  const layout = movePanel(presetLayout('code'), 'preview', 'bottom');
  const { geometry, area, total } = covers(layout);
  expect(geometry.panels.find((panel) => panel.id === 'preview')).toMatchObject({ dock: 'bottom', shape: 'open' });
  expect(geometry.separators.some((line) => line.target.kind === 'share' && line.axis === 'x')).toBe(true);
  expect(area).toBe(total);
});

test('resizing is clamped and keeps the other sizes', () => {
  const layout = presetLayout('build');
  const { geometry } = covers(layout);
  const line = geometry.separators.find((other) => other.target.kind === 'dock' && other.target.dock === 'left')!;
  expect(growsForward(line)).toBe(true);
  expect(resize(layout, line, 300).sizes).toEqual({ ...layout.sizes, left: 300 });
  expect(resize(layout, line, 5).sizes.left).toBe(line.min);
  expect(resize(layout, line, 5000).sizes.left).toBe(line.max);
  const share = geometry.separators.find((other) => other.target.kind === 'share')!;
  const next = resize(layout, share, 200);
  const preview = covers(next).geometry.panels.find((panel) => panel.id === 'preview')!;
  expect(Math.abs(preview.height - 200)).toBeLessThan(2);
});

test('the line between two sides of the editor is dragged within bounds, and its place is kept', () => {
  const layout = presetLayout('code');
  const { editor, separators } = placePanels(layout, 1400, 800, true);
  const line = separators.find((other) => other.target.kind === 'split')!;
  expect([line.x, line.height]).toEqual([editor.x + Math.round(editor.width / 2), editor.height]);
  expect(growsForward(line)).toBe(true);
  const next = resize(layout, line, 300);
  const moved = placePanels(next, 1400, 800, true).separators.find((other) => other.target.kind === 'split')!;
  expect(moved.value).toBe(300);
  expect(resize(layout, line, 5000).split * editor.width).toBeCloseTo(line.max);
  expect(parseLayout(JSON.stringify(next))).toEqual(next);
  expect(covers(layout).geometry.separators.some((other) => other.target.kind === 'split')).toBe(false);
});

test('a small window keeps the editor', () => {
  const { geometry } = covers(presetLayout('talk'), 900, 500);
  expect(geometry.editor.width).toBeGreaterThanOrEqual(240);
  expect(geometry.editor.height).toBeGreaterThanOrEqual(120);
});

test('a layout survives storage, and nonsense falls back', () => {
  const layout = { ...movePanel(presetLayout('talk'), 'terminal', 'right'), previewWidth: 390 };
  expect(parseLayout(JSON.stringify(layout))).toEqual(layout);
  expect(parseLayout('{')).toEqual(presetLayout('build'));
  expect(
    parseLayout('{"docks":{"files":"moon"},"sizes":{"left":-4},"shares":{"agent":1e9},"previewWidth":"wide"}'),
  ).toEqual(presetLayout('build'));
});
