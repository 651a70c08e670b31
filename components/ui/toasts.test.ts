// How long notices stay.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actOnToast, holdToasts, showProgress, showToast, toasts } from './toasts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const texts = () => toasts.get().map((toast) => toast.text);

test('a notice goes by itself, but not while somebody points at it', () => {
  const settle = vi.fn();
  showToast('Deleted a.ts', { settle });
  vi.advanceTimersByTime(7000);
  holdToasts(true);
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['Deleted a.ts']);
  expect(settle).not.toHaveBeenCalled();
  holdToasts(false);
  vi.advanceTimersByTime(3000);
  expect(texts()).toEqual([]);
  expect(settle).toHaveBeenCalledOnce();
});

test('a held notice that goes by a press holds none after it', () => {
  showToast('Deleted a.ts', { action: { label: 'Undo', run: () => {} } });
  holdToasts(true);
  actOnToast(toasts.get()[0]!);
  showToast('Renamed to b.ts');
  vi.advanceTimersByTime(9000);
  expect(texts()).toEqual([]);
});

test('work that goes on is told until it is done, and can be stopped', () => {
  const stop = vi.fn();
  const progress = showProgress('Adding 300 files…', stop);
  vi.advanceTimersByTime(60_000);
  progress.say('Adding files: 200 of 300…');
  expect(texts()).toEqual(['Adding files: 200 of 300…']);
  progress.done();
  expect(texts()).toEqual([]);
  showProgress('Adding 300 files…', stop);
  actOnToast(toasts.get()[0]!);
  expect(stop).toHaveBeenCalledOnce();
});
