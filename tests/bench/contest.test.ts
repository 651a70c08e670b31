import { expect, test } from 'vitest';
import { hold, judge, seriesOf } from './contest';

const counter = (values: number[]) => {
  let next = 0;
  return async () => ({ work: values[next++ % values.length] });
};

test('medians, extremes and ratios come from alternating runs', async () => {
  const order: string[] = [];
  const traced = (name: string, values: number[]) => {
    const sample = counter(values);
    return async () => {
      order.push(name);
      return sample();
    };
  };
  const figures = await hold('t', {
    rounds: 3,
    contestants: { cloche: traced('c', [30, 10, 20]), node: traced('n', [5, 5, 50]) },
    targets: { work: { most: 4, timesOf: 'node' } },
  });
  expect(order.join('')).toBe('cncncn');
  expect(figures).toEqual([
    {
      name: 't: work',
      unit: 'ms',
      cloche: { median: 20, least: 10, most: 30, runs: 3 },
      peers: { node: { median: 5, least: 5, most: 50, runs: 3 } },
      ratios: { node: 4 },
      target: '≤ 4 × node',
      isMet: true,
    },
  ]);
});

test('who fails in any round has a reason and no number', async () => {
  let runs = 0;
  const figures = await hold('t', {
    rounds: 3,
    contestants: {
      cloche: counter([1]),
      broken: async () => {
        if (++runs === 2) throw new Error('\u001b[31mit hung\u001b[0m');
        return { work: 0.001 };
      },
    },
  });
  expect(figures[0].peers).toEqual({ broken: { without: 'it hung' } });
  expect(figures[0].ratios).toBeUndefined();
});

test('our own failure prints the reason, and no ratio', async () => {
  const figures = await hold('t', {
    rounds: 2,
    contestants: {
      cloche: async () => {
        throw new Error('no engine');
      },
      node: counter([1]),
    },
  });
  expect(figures[0].failed).toBe('no engine');
  expect(figures[0].cloche).toBeUndefined();
  expect(figures[0].ratios).toBeUndefined();
});

test('a value that is not a number is a failure, not a figure', async () => {
  const figures = await hold('t', { rounds: 1, contestants: { cloche: async () => ({ work: Number.NaN }) } });
  expect(figures).toEqual([{ name: 't', unit: 'ms', failed: 'work was not measured' }]);
});

test('without the peer a relative target is not judged', () => {
  expect(judge(10, 'ms', { most: 2, timesOf: 'node' })).toEqual({ target: '≤ 2 × node' });
  expect(seriesOf([4, 1]).median).toBe(2.5);
});
