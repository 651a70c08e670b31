// The expressions of find: words → a test of an entry.
import fs from 'node:fs';
import path from 'node:path';
import { patternRegex } from '../expand/pattern';
import { changeMode, modeText, ownerName } from './file-text';
import { compareNumber, type Entry, printEntry, typeTest, type Walk } from './find-entry';
import { posixRegex } from './regex';
import { strftime } from './strftime';
import { complain, fileError, NOT_FOUND, resolvePath, type Tool, UsageError } from './tool';

type Test = (entry: Entry, walk: Walk) => boolean | Promise<boolean>;

export interface Plan {
  test: Test;
  acts: boolean;
  minDepth: number;
  maxDepth: number;
  depthFirst: boolean;
  follow: boolean;
  /** Commands of `-exec … +`, run with what they gathered. */
  gathered: { words: string[]; names: string[] }[];
}

export class ExpressionParser {
  readonly #words: string[];
  readonly #tool: Tool;
  #at = 0;
  readonly plan: Plan = {
    test: () => true,
    acts: false,
    minDepth: 0,
    maxDepth: Number.POSITIVE_INFINITY,
    depthFirst: false,
    follow: false,
    gathered: [],
  };

  constructor(words: string[], tool: Tool) {
    this.#words = words;
    this.#tool = tool;
  }

  parse(): Plan {
    if (this.#words.length > 0) this.plan.test = this.#or();
    if (this.#at < this.#words.length)
      throw new UsageError(
        this.#words[this.#at] === ')'
          ? "you have too many ')'"
          : `paths must precede expression: \`${this.#words[this.#at]}'`,
      );
    return this.plan;
  }

  #or(): Test {
    let left = this.#and();
    for (;;) {
      const word = this.#words[this.#at];
      if (word === '-o' || word === '-or') {
        this.#at++;
        const [a, b] = [left, this.#and()];
        left = async (entry, walk) => (await a(entry, walk)) || (await b(entry, walk));
      } else if (word === ',') {
        this.#at++;
        const [a, b] = [left, this.#and()];
        left = async (entry, walk) => {
          await a(entry, walk);
          return b(entry, walk);
        };
      } else return left;
    }
  }

  #and(): Test {
    let left = this.#not();
    for (;;) {
      const word = this.#words[this.#at];
      if (word === undefined || word === ')' || word === '-o' || word === '-or' || word === ',') return left;
      if (word === '-a' || word === '-and') this.#at++;
      const [a, b] = [left, this.#not()];
      left = async (entry, walk) => (await a(entry, walk)) && (await b(entry, walk));
    }
  }

  #not(): Test {
    const word = this.#words[this.#at];
    if (word === '!' || word === '-not') {
      this.#at++;
      const test = this.#not();
      return async (entry, walk) => !(await test(entry, walk));
    }
    if (word === '(') {
      this.#at++;
      const test = this.#or();
      if (this.#words[this.#at] !== ')')
        throw new UsageError("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
      this.#at++;
      return test;
    }
    return this.#primary();
  }

  #argument(name: string): string {
    const word = this.#words[this.#at++];
    if (word === undefined) throw new UsageError(`missing argument to \`${name}'`);
    return word;
  }

  #primary(): Test {
    const name = this.#words[this.#at++]!;
    const act = (test: Test): Test => {
      this.plan.acts = true;
      return test;
    };
    switch (name) {
      case '-true':
        return () => true;
      case '-false':
        return () => false;
      case '-name':
      case '-iname': {
        const regex = patternRegex(this.#argument(name), { ignoreCase: name === '-iname' });
        return (entry) => regex.test(path.basename(entry.name) || '/');
      }
      case '-path':
      case '-wholename':
      case '-ipath': {
        const regex = patternRegex(this.#argument(name), { ignoreCase: name === '-ipath' });
        return (entry) => regex.test(entry.name);
      }
      case '-regex':
      case '-iregex': {
        const regex = posixRegex(
          `^(?:${this.#argument(name)})$`.replace(/^\^\(\?:(.*)\)\$$/s, '^\\($1\\)$'),
          false,
          name === '-iregex' ? 'i' : '',
        );
        return (entry) => regex.test(entry.name);
      }
      case '-type':
      case '-xtype': {
        const kinds = this.#argument(name).split(',');
        return ({ stat }) => kinds.some((kind) => typeTest(kind, stat));
      }
      case '-size': {
        const match = this.#argument(name).match(/^([-+]?)(\d+)([bcwkMG]?)$/);
        if (!match) throw new UsageError("invalid argument to `-size'");
        const unit = { '': 512, b: 512, c: 1, w: 2, k: 1024, M: 1024 ** 2, G: 1024 ** 3 }[match[3] as ''];
        return ({ stat }) => compareNumber(match[1]!, Math.ceil(stat.size / unit), Number(match[2]));
      }
      case '-empty':
        return ({ stat, path: file }) =>
          stat.isDirectory() ? fs.readdirSync(file).length === 0 : stat.isFile() && stat.size === 0;
      case '-mtime':
      case '-atime':
      case '-ctime':
      case '-mmin':
      case '-amin':
      case '-cmin': {
        const match = this.#argument(name).match(/^([-+]?)(\d+)$/);
        if (!match) throw new UsageError(`invalid argument to \`${name}'`);
        const unit = name.endsWith('min') ? 60_000 : 86_400_000;
        const which = `${name[1]}timeMs` as 'mtimeMs' | 'atimeMs' | 'ctimeMs';
        return ({ stat }) => {
          const age = (Date.now() - stat[which]) / unit;
          return compareNumber(
            match[1]!,
            name.endsWith('min') ? (match[1] === '-' ? age : Math.ceil(age)) : Math.floor(age),
            Number(match[2]),
          );
        };
      }
      case '-newer': {
        const than = fs.statSync(resolvePath(this.#tool, this.#argument(name))).mtimeMs;
        return ({ stat }) => stat.mtimeMs > than;
      }
      case '-perm': {
        const text = this.#argument(name);
        const wanted = changeMode(text.replace(/^[-/]/, ''), 0, 0, false);
        if (wanted === undefined) throw new UsageError(`invalid mode ‘${text}’`);
        return ({ stat }) =>
          text.startsWith('-')
            ? (stat.mode & wanted) === wanted
            : text.startsWith('/')
              ? wanted === 0 || (stat.mode & wanted) !== 0
              : (stat.mode & 0o7777) === wanted;
      }
      case '-user':
      case '-group': {
        const owner = this.#argument(name);
        return ({ stat }) =>
          ownerName(name === '-user' ? stat.uid : stat.gid) === owner ||
          String(name === '-user' ? stat.uid : stat.gid) === owner;
      }
      case '-readable':
      case '-writable':
      case '-executable': {
        const mode =
          name === '-readable' ? fs.constants.R_OK : name === '-writable' ? fs.constants.W_OK : fs.constants.X_OK;
        return ({ path: file }) => {
          try {
            fs.accessSync(file, mode);
            return true;
          } catch {
            return false;
          }
        };
      }
      case '-links': {
        const count = this.#argument(name);
        return ({ stat }) =>
          compareNumber(count.match(/^[-+]/)?.[0] ?? '', stat.nlink, Number(count.replace(/^[-+]/, '')));
      }
      case '-maxdepth':
        this.plan.maxDepth = Number(this.#argument(name));
        return () => true;
      case '-mindepth':
        this.plan.minDepth = Number(this.#argument(name));
        return () => true;
      case '-depth':
        this.plan.depthFirst = true;
        return () => true;
      case '-follow':
        this.plan.follow = true;
        return () => true;
      case '-mount':
      case '-xdev':
        return () => true;
      case '-prune':
        return (_, walk) => {
          walk.pruned = true;
          return true;
        };
      case '-quit':
        return act((_, walk) => {
          walk.quit = true;
          return true;
        });
      case '-print':
        return act(async (entry, { tool }) => {
          await tool.stdout.write(`${entry.name}\n`);
          return true;
        });
      case '-print0':
        return act(async (entry, { tool }) => {
          await tool.stdout.write(`${entry.name}\0`);
          return true;
        });
      case '-printf': {
        const format = this.#argument(name);
        return act(async (entry, { tool }) => {
          await tool.stdout.write(printEntry(format, entry));
          return true;
        });
      }
      case '-ls':
        return act(async (entry, { tool }) => {
          await tool.stdout.write(
            `${entry.stat.ino} ${Math.ceil(entry.stat.blocks / 2)} ${modeText(entry.stat)} ${entry.stat.nlink} ${ownerName(entry.stat.uid)} ${ownerName(entry.stat.gid)} ${entry.stat.size} ${strftime('%b %e %H:%M', entry.stat.mtime)} ${entry.name}\n`,
          );
          return true;
        });
      case '-delete':
        this.plan.depthFirst = true;
        return act(async (entry, walk) => {
          try {
            if (entry.stat.isDirectory()) fs.rmdirSync(entry.path);
            else fs.unlinkSync(entry.path);
            return true;
          } catch (error) {
            await complain(walk.tool, `cannot delete ‘${entry.name}’: ${fileError('', error).slice(2)}`);
            walk.failed = true;
            return false;
          }
        });
      case '-exec':
      case '-execdir':
      case '-ok':
        return act(this.#exec(name));
      default:
        throw new UsageError(
          name.startsWith('-') ? `unknown predicate \`${name}'` : `paths must precede expression: \`${name}'`,
        );
    }
  }

  #exec(name: string): Test {
    const words: string[] = [];
    for (;;) {
      const word = this.#words[this.#at++];
      if (word === undefined) throw new UsageError(`missing argument to \`${name}'`);
      if (word === ';') break;
      if (word === '+' && words.at(-1) === '{}') {
        const batch = { words: words.slice(0, -1), names: [] as string[] };
        this.plan.gathered.push(batch);
        return (entry) => {
          batch.names.push(entry.name);
          return true;
        };
      }
      words.push(word);
    }
    const inFolder = name === '-execdir';
    return async (entry, { tool }) => {
      await tool.stdout.flush();
      const shown = inFolder ? `./${path.basename(entry.name)}` : entry.name;
      const command = words.map((word) => word.replaceAll('{}', shown));
      const status = await tool.run(command, inFolder ? { cwd: path.dirname(entry.path) } : {});
      if (status === NOT_FOUND) await complain(tool, `‘${command[0]}’: No such file or directory`);
      return status === 0;
    };
  }
}
