// The command line of jq, and reading JSON values one after another.
import { JqError, type JsonObject } from './jq-values';
import { lastValue } from './options';
import { readText, type Tool, UsageError } from './tool';

interface Options {
  flags: Set<string>;
  values: Map<string, string[]>;
  filter: string | undefined;
  files: string[];
  named: JsonObject;
  positional: unknown[];
  indent: string;
}

export async function parseCommand(tool: Tool): Promise<Options> {
  const options: Options = {
    flags: new Set(),
    values: new Map(),
    filter: undefined,
    files: [],
    named: {},
    positional: [],
    indent: '  ',
  };
  const long: Record<string, string> = {
    'raw-output': 'r',
    'join-output': 'j',
    'compact-output': 'c',
    slurp: 's',
    'null-input': 'n',
    'exit-status': 'e',
    'raw-input': 'R',
    'sort-keys': 'S',
    'color-output': 'C',
    'monochrome-output': 'M',
    'ascii-output': 'a',
    tab: 'tab',
    'raw-output0': 'raw0',
    unbuffered: 'u',
  };
  let rest: 'files' | 'args' | 'jsonargs' = 'files';
  const args = [...tool.args];
  const next = (name: string) => args.shift() ?? failUsage(`Unknown arguments: ${name} needs a value`);
  while (args.length > 0) {
    const word = args.shift()!;
    if (word === '--') {
      for (const operand of args.splice(0)) operand_(operand);
    } else if (word === '--arg') {
      const name = next(word);
      options.named[name] = next(word);
    } else if (word === '--argjson') {
      const name = next(word);
      const text = next(word);
      try {
        options.named[name] = JSON.parse(text);
      } catch {
        failUsage(`Invalid JSON text passed to --argjson`);
      }
    } else if (word === '--slurpfile' || word === '--rawfile') {
      const name = next(word);
      const text = await readText(tool, next(word));
      options.named[name] = word === '--rawfile' ? text : [...parseJson(text)];
    } else if (word === '--args' || word === '--jsonargs') rest = word.slice(2) as 'args';
    else if (word === '--indent') options.indent = ' '.repeat(Number(next(word)));
    else if (word === '-f' || word === '--from-file') options.values.set('f', [next(word)]);
    else if (word.startsWith('--'))
      options.flags.add(
        long[word.slice(2)] ??
          failUsage(
            `Unknown arguments\nUse jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://jqlang.github.io/jq (${word})`,
          ),
      );
    else if (/^-[A-Za-z]+$/.test(word)) {
      for (const letter of word.slice(1))
        options.flags.add(
          'rjcsneRSCMahV'.includes(letter)
            ? letter
            : failUsage(`Unknown arguments (-${letter})\nUse jq --help for help with command-line options`),
        );
    } else operand_(word);
  }
  function operand_(word: string): void {
    if (options.filter === undefined && !options.values.has('f')) options.filter = word;
    else if (rest === 'files') options.files.push(word);
    else options.positional.push(rest === 'args' ? word : JSON.parse(word));
  }
  if (options.values.has('f'))
    options.filter = await readText(tool, lastValue({ ...options, operands: [], order: [] }, 'f')!);
  if (options.flags.has('tab')) options.indent = '\t';
  if (options.flags.has('c')) options.indent = '';
  return options;
}

function failUsage(message: string): never {
  throw new UsageError(message, 2);
}

/** All JSON values of a text, one after another. Throws JqError with jq's words. */
function* parseJson(text: string): Generator<unknown> {
  let rest = text.trimStart();
  const whole = tryJson(rest);
  if (whole) {
    yield whole.value;
    return;
  }
  while (rest !== '') {
    const end = valueEnd(rest);
    const found = tryJson(rest.slice(0, end));
    if (!found) {
      const line = text.slice(0, text.length - rest.length + end).split('\n');
      throw new JqError(`parse error: Invalid JSON at line ${line.length}, column ${line.at(-1)!.length}`);
    }
    yield found.value;
    rest = rest.slice(end).trimStart();
  }
}

function tryJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return /^NaN$|^nan$/.test(text) ? { value: Number.NaN } : undefined;
  }
}

/** Where the value at the start of the text ends. */
function valueEnd(text: string): number {
  if (text[0] !== '{' && text[0] !== '[' && text[0] !== '"') return text.match(/^[^\s,:[\]{}"]+/)?.[0].length ?? 1;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
      if (depth === 0) return i + 1;
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return i + 1;
  }
  return text.length;
}

export function* inputValues(texts: string[], flags: Set<string>): Generator<unknown> {
  if (flags.has('R')) {
    if (flags.has('s')) yield texts.join('');
    else for (const text of texts) yield* text === '' ? [] : text.replace(/\n$/, '').split('\n');
  } else if (flags.has('s')) yield texts.flatMap((text) => [...parseJson(text)]);
  else for (const text of texts) yield* parseJson(text);
}
