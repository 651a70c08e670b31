// find: expressions over a walk of the tree.
import fs from 'node:fs';
import path from 'node:path';
import { compareNames } from '../expand/glob';
import type { Entry, Walk } from './find-entry';
import { ExpressionParser, type Plan } from './find-expression';
import { type Applet, complain, fileError, resolvePath } from './tool';

/** find [-HLP] [paths] [expression]. */
export const find: Applet = async (tool) => {
  const words = [...tool.args];
  let follow = false;
  while (/^-[HLP]$/.test(words[0] ?? '')) follow = words.shift() === '-L';
  const start = words.findIndex((word) => /^[-(!]/.test(word) && word !== '-');
  const roots = start < 0 ? words : words.slice(0, start);
  const plan = new ExpressionParser(start < 0 ? [] : words.slice(start), tool).parse();
  const walk: Walk = { tool, pruned: false, quit: false, failed: false };
  plan.follow ||= follow;
  for (const root of roots.length > 0 ? roots : ['.']) {
    await visit(plan, walk, { name: root, path: resolvePath(tool, root), depth: 0, root });
    if (walk.quit) break;
  }
  for (const { words: command, names } of plan.gathered) {
    if (names.length === 0) continue;
    await tool.stdout.flush();
    if ((await tool.run([...command, ...names])) !== 0) walk.failed = true;
  }
  return walk.failed ? 1 : 0;
};

async function visit(plan: Plan, walk: Walk, place: Omit<Entry, 'stat'>): Promise<void> {
  const { tool } = walk;
  let stat: fs.Stats;
  try {
    stat = (plan.follow ? fs.statSync(place.path, { throwIfNoEntry: false }) : undefined) ?? fs.lstatSync(place.path);
  } catch (error) {
    await complain(tool, `‘${place.name}’: ${fileError('', error).slice(2)}`);
    walk.failed = true;
    return;
  }
  const entry: Entry = { ...place, stat };
  const apply = async () => {
    if (place.depth < plan.minDepth) return;
    if ((await plan.test(entry, walk)) && !plan.acts) await tool.stdout.write(`${entry.name}\n`);
  };
  walk.pruned = false;
  if (!plan.depthFirst) await apply();
  const descend = stat.isDirectory() && !(walk.pruned && !plan.depthFirst) && place.depth < plan.maxDepth && !walk.quit;
  if (descend) {
    let names: string[] = [];
    try {
      names = fs.readdirSync(place.path).sort(compareNames);
    } catch (error) {
      await complain(tool, `‘${place.name}’: ${fileError('', error).slice(2)}`);
      walk.failed = true;
    }
    if (tool.signal.aborted) throw tool.signal.reason;
    for (const name of names) {
      await visit(plan, walk, {
        name: place.name.endsWith('/') ? place.name + name : `${place.name}/${name}`,
        path: path.join(place.path, name),
        depth: place.depth + 1,
        root: place.root,
      });
      if (walk.quit) return;
    }
  }
  if (plan.depthFirst) await apply();
}
