// How two or more computers are compared: rounds in which each does the same work in turn, so that a noisy minute is noisy for all of them.
// A contestant that fails is out with its reason; its numbers so far are not printed.

/** One run of one contestant: milliseconds by what was measured. */
export type Sampler = () => Promise<Record<string, number>>;

export interface Contest {
  /** Order of names is the order of turns; `cloche` is ours. */
  contestants: Record<string, Sampler>;
  rounds: number;
  /** Runs before the first round that do not count. */
  warmUps?: number;
  targets?: Record<string, Target>;
  /** A sentence by what was measured: what exactly the two sides did. */
  notes?: Record<string, string>;
}

/** The most that a measure may be: in milliseconds, kB, or as a multiple of a contestant. */
export interface Target {
  most: number;
  timesOf?: string;
}

/** Times in milliseconds. */
export interface Series {
  median: number;
  least: number;
  most: number;
  runs: number;
}

export interface Figure {
  name: string;
  unit: 'ms' | 'kB gz';
  cloche?: Series | number;
  /** By name: what it took, or why there is no number. */
  peers?: Record<string, Series | { without: string }>;
  /** Medians, ours divided by the peer's. */
  ratios?: Record<string, number>;
  target?: string;
  isMet?: boolean;
  note?: string;
  /** Why there is no number of ours. */
  failed?: string;
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Median, extremes and count. */
export function seriesOf(values: number[]): Series {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return {
    median: round(median),
    least: round(sorted[0]),
    most: round(sorted[sorted.length - 1]),
    runs: values.length,
  };
}

/** The first lines of an error, without escape sequences. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/\u001b\[[\d;]*m/g, '')
    .split('\n')
    .slice(0, 2)
    .join(' ')
    .slice(0, 300);
}

/** Whether a median meets its target, and the target in words. */
export function judge(
  median: number,
  unit: string,
  target: Target,
  peerMedian?: number,
): { target: string; isMet?: boolean } {
  if (target.timesOf === undefined) return { target: `≤ ${target.most} ${unit}`, isMet: median <= target.most };
  const words = `≤ ${target.most} × ${target.timesOf}`;
  return peerMedian === undefined ? { target: words } : { target: words, isMet: median <= target.most * peerMedian };
}

/** Runs the rounds and compares. `title` goes before the names of what was measured. */
export async function hold(title: string, contest: Contest): Promise<Figure[]> {
  const samples = new Map<string, Map<string, number[]>>();
  const failures = new Map<string, string>();
  const { contestants, warmUps = 0 } = contest;
  for (let turn = -warmUps; turn < contest.rounds; turn++) {
    for (const [name, sample] of Object.entries(contestants)) {
      if (failures.has(name)) continue;
      try {
        const values = await sample();
        if (turn < 0) continue;
        for (const [what, ms] of Object.entries(values)) {
          if (!Number.isFinite(ms)) throw new Error(`${what} was not measured`);
          const byWhat = samples.get(what) ?? new Map<string, number[]>();
          byWhat.set(name, [...(byWhat.get(name) ?? []), ms]);
          samples.set(what, byWhat);
        }
      } catch (error) {
        failures.set(name, reasonOf(error));
      }
    }
  }
  if (samples.size === 0)
    return [{ name: title, unit: 'ms', failed: failures.get('cloche') ?? 'nothing was measured' }];
  return [...samples].map(([what, byName]) => figureOf(title, what, byName, failures, contest));
}

function figureOf(
  title: string,
  what: string,
  byName: Map<string, number[]>,
  failures: Map<string, string>,
  { contestants, targets, notes }: Contest,
): Figure {
  const figure: Figure = { name: what === '' ? title : `${title}: ${what}`, unit: 'ms' };
  if (notes?.[what]) figure.note = notes[what];
  const of = (name: string): Series | undefined => {
    const values = byName.get(name);
    return values && !failures.has(name) ? seriesOf(values) : undefined;
  };
  const ours = of('cloche');
  if (ours) figure.cloche = ours;
  else figure.failed = failures.get('cloche') ?? 'not measured';
  for (const name of Object.keys(contestants)) {
    if (name === 'cloche') continue;
    const theirs = of(name);
    figure.peers ??= {};
    figure.peers[name] = theirs ?? { without: failures.get(name) ?? 'it does not do this' };
    if (!theirs || !ours) continue;
    figure.ratios ??= {};
    figure.ratios[name] = round(ours.median / theirs.median);
  }
  const target = targets?.[what];
  if (target && ours)
    Object.assign(figure, judge(ours.median, 'ms', target, target.timesOf ? of(target.timesOf)?.median : undefined));
  return figure;
}
