// A simple command: expansions, redirections, assignments, then function, builtin, applet or program.
import { type Assignment, type Command, parse } from 'unbash';
import { BUILTINS, DECLARATIONS } from '../builtins/builtins';
import type { Builtin } from '../builtins/types';
import { arrayFromWords } from '../expand/arrays';
import { quoteTrace } from '../expand/quote';
import { assign, assignElement } from '../expand/scope';
import { expandString, expandText, expandWords } from '../expand/word';
import { parseWord } from '../parse';
import { controlsJobs, type RunOptions, type Shell } from '../state';
import { isAssociative } from '../variables';
import { runFunction } from './call-function';
import { runFound } from './commands';
import { Exit, errorText, ShellError } from './control';
import { findCommand, isOwnProcess } from './find-command';
import { runInForeground } from './foreground';
import { redirect, withRedirections } from './redirect';
import { type Runner, runTrap, settle } from './runner';
import { trace } from './trace';

/** Runs it and returns its status. */
export async function runSimple(run: Runner, shell: Shell, node: Command): Promise<number> {
  shell.at(node);
  if (shell.trapped === undefined) shell.commandText = shell.source.slice(node.pos, node.end);
  const aliased = expandAlias(shell, node);
  if (aliased) return runAlias(run, shell, aliased);
  if (shell.traps.has('DEBUG')) await runTrap(shell, 'DEBUG');
  shell.substitutionStatus = undefined;
  const words = await commandWords(shell, node);
  const assignments = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
  const name = words[0];
  shell.lastArgument = words.at(-1) ?? '';
  if (name === undefined) return runAssignments(shell, node, assignments);
  if (name === 'exec' && !shell.functions.has('exec'))
    return runExec(shell, node, words, await overlayOf(shell, assignments));
  const overlay = await overlayOf(shell, assignments);
  if (shell.options.xtrace) await traceCommand(shell, overlay, words);
  try {
    return await withRedirections(shell, node.redirects, () => dispatch(run, shell, words, overlay));
  } finally {
    shell.lastArgument = words.at(-1)!;
  }
}

/** Assignments without a command. A read-only variable ends the shell where a failure would, or in POSIX mode. */
async function runAssignments(shell: Shell, node: Command, assignments: readonly Assignment[]): Promise<number> {
  try {
    for (const assignment of assignments) await runAssignment(shell, assignment);
  } catch (error) {
    if (error instanceof ShellError && /readonly variable$/.test(error.message))
      if (shell.options.posix || (shell.options.errexit && shell.quiet === 0))
        throw new ShellError(error.message, error.status, true);
    throw error;
  }
  const status = shell.substitutionStatus ?? 0;
  return withRedirections(shell, node.redirects, async () => status);
}

/** Assignments, for declaration builtins, stay one word `name=value` with the value already expanded. */
async function commandWords(shell: Shell, node: Command): Promise<string[]> {
  if (!node.name) return [];
  const words = await expandWords(shell, [node.name]);
  const declares =
    DECLARATIONS.has(words[0] ?? '') ||
    (words[0] === 'builtin' && node.args[0] !== undefined && DECLARATIONS.has(node.args[0].text));
  for (const argument of node.args) {
    if (argument.type === 'Word') words.push(...(await expandWords(shell, [argument])));
    else if (!declares) words.push(...(await expandWords(shell, [parseWord(argument.text)])));
    else words.push(await declarationWord(shell, argument, words));
  }
  return words;
}

async function declarationWord(shell: Shell, argument: Assignment, words: string[]): Promise<string> {
  const head = `${argument.name}${argument.index ? `[${await expandString(shell, argument.index)}]` : ''}${argument.append ? '+' : ''}`;
  if (argument.value.type === 'Word')
    return `${head}=${await expandString(shell, argument.value, { quoted: false, assignment: true })}`;
  const associative = words.some((word) => /^-\w*A/.test(word)) || isAssociative(shell.vars.find(argument.name)?.value);
  shell.arrayValues.set(
    argument.name,
    await arrayFromWords(shell, argument.name, argument.value.elements, associative, argument.append === true),
  );
  return `${argument.name}=(`;
}

async function overlayOf(shell: Shell, assignments: readonly Assignment[]): Promise<Map<string, string>> {
  const overlay = new Map<string, string>();
  for (const assignment of assignments) {
    if (assignment.value.type !== 'Word')
      throw new ShellError(`${assignment.name}: cannot assign list to array member`);
    const value = await expandString(shell, assignment.value, { quoted: false, assignment: true });
    overlay.set(assignment.name, assignment.append ? (shell.vars.get(assignment.name) ?? '') + value : value);
  }
  return overlay;
}

/** A bare assignment. */
export async function runAssignment(shell: Shell, assignment: Assignment): Promise<void> {
  const { name, value, index } = assignment;
  const append = assignment.append === true;
  if (value.type === 'ArrayValue') {
    const variable = shell.vars.declare(name);
    if (variable.readonly) throw new ShellError(`${name}: readonly variable`, 1, 'line');
    variable.value = await arrayFromWords(shell, name, value.elements, isAssociative(variable.value), append);
    if (shell.options.xtrace) await trace(shell, assignment.text);
    return;
  }
  const text = await expandString(shell, value, { quoted: false, assignment: true });
  if (shell.options.xtrace)
    await trace(
      shell,
      `${name}${index ? `[${index.text}]` : ''}${append ? '+' : ''}=${text === '' ? '' : quoteTrace(text)}`,
    );
  if (!index) assign(shell, name, text, append);
  else {
    const key = isAssociative(shell.vars.find(name)?.value)
      ? await expandString(shell, index)
      : (await expandText(shell, index.text)).replace(/"/g, '');
    assignElement(shell, name, key, text, append);
  }
}

async function traceCommand(shell: Shell, overlay: Map<string, string>, words: string[]): Promise<void> {
  for (const [name, value] of overlay) await trace(shell, `${name}=${value === '' ? '' : quoteTrace(value)}`);
  await trace(shell, words.map((word) => (word.endsWith('=(') ? word : quoteTrace(word))).join(' '));
}

/** Function, builtin, applet or file, with variables set for its time only. */
async function dispatch(run: Runner, shell: Shell, words: string[], overlay: Map<string, string>): Promise<number> {
  if (overlay.size === 0) return runWords(run, shell, words);
  const restore = shell.vars.overlay(overlay);
  try {
    return await runWords(run, shell, words);
  } finally {
    restore();
  }
}

/** Runs a command given as words. */
export async function runWords(run: Runner, shell: Shell, words: string[], options: RunOptions = {}): Promise<number> {
  const name = words[0]!;
  const definition = options.functions === false ? undefined : shell.functions.get(name);
  if (definition) return runFunction(run, shell, name, words.slice(1));
  const builtin = options.builtins === false ? undefined : BUILTINS[name];
  if (builtin && Object.hasOwn(BUILTINS, name)) return runBuiltin(shell, builtin, name, words.slice(1));
  const found = findCommand(shell, name);
  if (found.kind === 'none' && shell.functions.has('command_not_found_handle') && !name.includes('/')) {
    return runFunction(run, shell, 'command_not_found_handle', words);
  }
  if (!name.includes('/') && (found.kind === 'file' || found.kind === 'applet')) {
    const known = shell.hashed.get(name);
    shell.hashed.set(name, { path: found.path, hits: (known?.hits ?? 0) + 1 });
  }
  if (!controlsJobs(shell) || (found.kind !== 'applet' && found.kind !== 'file'))
    return runFound(shell, found, words, options);
  return runInForeground(shell, {
    command: shell.commandText,
    words: words.join(' '),
    isProgram: isOwnProcess(shell, found, words),
    body: (child) => runFound(child, found, words, options),
  });
}

/** A builtin's system error is the builtin's own failure, as a program's would be; a reader that left ends it like a program, too. */
async function runBuiltin(shell: Shell, builtin: Builtin, name: string, args: string[]): Promise<number> {
  try {
    return await builtin(shell, args, name);
  } catch (error) {
    // Told while the command's redirections hold: `cd nowhere 2> /dev/null` is silent.
    if (error instanceof ShellError) return settle(shell, error);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'EPIPE' || !(error instanceof Error)) throw error;
    await shell.complain(`${name}: ${syscall === 'write' ? 'write error: ' : ''}${errorText(error)}`);
    return 1;
  }
}

/** `exec`: without words its redirections stay; with words the shell becomes that command. */
async function runExec(shell: Shell, node: Command, words: string[], overlay: Map<string, string>): Promise<number> {
  if (shell.options.xtrace) await traceCommand(shell, overlay, words);
  await redirect(shell, node.redirects);
  const rest = words.slice(1);
  let argv0: string | undefined;
  let bare = false;
  while (rest[0]?.startsWith('-') && rest[0] !== '-') {
    const option = rest.shift()!;
    if (option === '--') break;
    if (option === '-a') argv0 = rest.shift();
    else if (option === '-c') bare = true;
    else if (option === '-l') argv0 = `-${rest[0]}`;
    else throw new ShellError(`exec: ${option}: invalid option`, 2);
  }
  if (rest.length === 0) return 0;
  if (overlay.size > 0) shell.vars.overlay(overlay);
  const found = findCommand(shell, rest[0]!);
  if (found.kind === 'none' || found.kind === 'denied') {
    const reason =
      found.kind === 'denied' ? found.reason : rest[0]!.includes('/') ? 'No such file or directory' : 'not found';
    await shell.complain(
      found.kind === 'denied' || rest[0]!.includes('/') ? `${rest[0]}: ${reason}` : `exec: ${rest[0]}: ${reason}`,
    );
    throw new Exit(found.kind === 'none' ? 127 : 126);
  }
  const status = await runFound(shell, found, rest, {
    ...(argv0 === undefined ? {} : { argv0 }),
    ...(bare ? { environment: {} } : {}),
  });
  shell.traps.delete('EXIT');
  throw new Exit(status);
}

/** The command's text after alias expansion, or undefined. An alias that ends in a blank lets the word after it be one too. */
function expandAlias(shell: Shell, node: Command): string | undefined {
  if (!node.name || !shell.shopts.has('expand_aliases') || node.prefix.length > 0) return undefined;
  let done = '';
  let rest = shell.source.slice(node.pos, node.end);
  let changed = false;
  for (;;) {
    const seen = new Set<string>();
    let after: string | undefined;
    let goesOn = false;
    for (;;) {
      const name: string | undefined = rest.match(/^[^\s'"\\$`;&|<>()=]+(?=[\s;&|<>()]|$)/)?.[0];
      const value = name === undefined || seen.has(name) ? undefined : shell.aliases.get(name);
      if (value === undefined) break;
      seen.add(name!);
      goesOn ||= /\s$/.test(value) && (after === undefined || rest.slice(name!.length) === after);
      after ??= rest.slice(name!.length);
      rest = value + rest.slice(name!.length);
      changed = true;
    }
    if (!goesOn) return changed ? done + rest : undefined;
    const blanks = after!.match(/^\s*/)![0].length;
    done += rest.slice(0, rest.length - after!.length + blanks);
    rest = after!.slice(blanks);
  }
}

async function runAlias(run: Runner, shell: Shell, text: string): Promise<number> {
  const saved = { source: shell.source, position: shell.position };
  const aliased = shell.shopts.has('expand_aliases');
  shell.source = text;
  shell.shopts.delete('expand_aliases');
  try {
    return await run.list(shell, parse(text).commands);
  } finally {
    if (aliased) shell.shopts.add('expand_aliases');
    Object.assign(shell, saved);
  }
}
