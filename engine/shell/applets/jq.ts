// jq: the applet.
import { BUILTIN_DEFINITIONS } from './jq-definitions';
import { inputValues, parseCommand } from './jq-input';
import { Interpreter } from './jq-interpreter';
import { parseDefinitions, parseFilter } from './jq-parser';
import type { Scope } from './jq-scope';
import { JqError, type JsonObject, type PrintStyle, print, truthy, typeOf } from './jq-values';
import { type Applet, complain, fileError, readText, type Tool, UsageError } from './tool';

/** jq [-rjcsneRSCMa] [--arg name value] [--argjson …] [--args …] filter [files]. */
export const jq: Applet = async (tool) => {
  const options = await parseCommand(tool);
  const { flags } = options;
  if (options.filter === undefined) throw new UsageError('Usage:\tjq [OPTIONS] FILTER [FILES...]', 2);
  const filter = parseDefinitions(BUILTIN_DEFINITIONS, parseFilter(options.filter));
  let status = 0;
  const texts: string[] = [];
  if (options.files.length === 0 && !flags.has('n')) texts.push(await tool.stdin.text());
  for (const name of options.files) {
    try {
      texts.push(await readText(tool, name));
    } catch (error) {
      await complain(tool, `error: Could not open ${fileError(name, error)}`);
      status = 2;
    }
  }
  const values = inputValues(texts, flags);
  let ahead: IteratorResult<unknown> | undefined;
  const peek = () => (ahead ??= values.next());
  const inputs = {
    left: () => !peek().done,
    next() {
      const result = peek();
      ahead = undefined;
      if (result.done) throw new JqError('No more inputs');
      return result.value;
    },
  };
  const style: PrintStyle = {
    indent: options.indent,
    sortKeys: flags.has('S'),
    color: flags.has('C') || (tool.stdout.isTerminal && !flags.has('M')),
    ascii: flags.has('a'),
  };
  const interpreter = new Interpreter(inputs, tool.environment, (text) => void tool.stderr.write(text));
  const scope: Scope = {
    variables: new Map([
      ...Object.entries(options.named),
      ['named', null],
      ['__prog_args', options.positional],
      ['ARGS', { positional: options.positional, named: options.named }],
    ]),
    functions: new Map(),
    parent: undefined,
  };
  let last: unknown;
  let printed = false;
  const runOn = async (value: unknown) => {
    for (const result of interpreter.run(filter, value, scope)) {
      last = result;
      printed = true;
      const raw = typeof result === 'string' && (flags.has('r') || flags.has('j') || flags.has('raw0'));
      await tool.stdout.write(
        (raw ? (result as string) : print(result, style)) + (flags.has('j') ? '' : flags.has('raw0') ? '\0' : '\n'),
      );
    }
  };
  try {
    if (flags.has('n')) status = (await guarded(tool, () => runOn(null))) || status;
    else while (inputs.left()) status = (await guarded(tool, () => runOn(inputs.next()))) || status;
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    await complain(tool, String(error.value));
    return 2;
  }
  if (flags.has('e') && status === 0) return !printed ? 4 : truthy(last) ? 0 : 1;
  return status;
};

async function guarded(tool: Tool, run: () => Promise<void>): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    if (typeOf(error.value) === 'object' && (error.value as JsonObject).__halt !== undefined) {
      const { __halt: code, text } = error.value as { __halt: number; text?: string };
      await tool.stdout.flush();
      if (text !== undefined) await tool.stderr.write(text);
      throw new UsageError('', code);
    }
    if (typeof error.value === 'string' && error.value.startsWith('parse error')) throw error;
    const text =
      typeof error.value === 'string'
        ? error.value
        : `${print(error.value, { indent: '', sortKeys: false, color: false, ascii: false })} (not a string)`;
    await complain(tool, `error (at <stdin>:0): ${text}`);
    return 5;
  }
}
