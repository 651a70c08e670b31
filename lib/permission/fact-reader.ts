// Walks the syntax tree of a command line and writes down what is run, read and written, deeper with every wrapper that it looks through.
import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash';
import { resolvePath } from '../std/paths';
import { namesNoFiles, readsTrees, sedScripts, showsFiles, touchedFiles, writesFiles } from './bash-files';
import { gitProblem } from './bash-git';
import { hiddenMeaning, loadsCode } from './bash-meaning';
import { expandBraces, knownDirectory, withHome } from './bash-paths';
import { perhapsRuns } from './bash-perhaps';
import { awkProblem, holdsCode, lacksSubcommand, sedProblem, subcommandProblem, withoutOptions } from './bash-programs';
import { namesSecret } from './bash-secrets';
import { commandName, couldBeSecret, namingLength, type ShellWord, shellWord } from './bash-words';
import { runsItsArguments, unwrap, type WrapperFiles } from './bash-wrappers';
import type { BashFacts, PathList } from './shell-facts';

const maxDepth = 16;

/** Collects the facts of a line; `script` once, then `countHints`. */
export class FactReader {
  unsavable = false;
  /** Something is read whose name is put together when it runs: then paths anywhere in the line may be what it is. */
  private readsHints = false;
  /** Globs find more than they say. */
  private widensGlobs = false;
  private readonly hints: ShellWord[] = [];
  private readonly facts: BashFacts;
  private readonly directories: (string | undefined)[];
  private readonly home: string;

  constructor(facts: BashFacts, directories: string[], home: string) {
    this.facts = facts;
    this.directories = directories;
    this.home = home;
  }

  opaque(reason: string): void {
    this.facts.opaque ??= reason;
  }

  /** To be called at the end. */
  countHints(): void {
    if (this.facts.readGlobs.length > 0 && this.widensGlobs) this.facts.readsUnnamed = true;
    if (this.readsHints) for (const word of this.hints) this.file(word, 'mentions');
  }

  script(source: string, depth: number): void {
    if (depth > maxDepth) {
      this.opaque('it is nested too deeply');
      return;
    }
    this.widensGlobs ||= /\b(?:dotglob|globstar|nocaseglob|extglob)\b/.test(source);
    const hidden = hiddenMeaning(source);
    if (hidden !== undefined) this.opaque(hidden);
    this.visit(parse(source), depth);
  }

  private visit(node: SyntaxNode, depth: number): void {
    if ('errors' in node && Array.isArray(node.errors) && node.errors.length > 0) this.opaque('it could not be parsed');
    if (node.type === 'Command') this.command(node, depth);
    else if (node.type === 'Redirected') for (const redirect of node.redirects) this.redirect(redirect);
    else if (node.type === 'For' || node.type === 'Select')
      for (const word of node.wordlist ?? []) this.hint(shellWord(word));
    else if (node.type === 'Coproc') this.opaque('it starts a coprocess');
    forEachChild(node, (child) => this.visit(child, depth));
  }

  private command(node: Command, depth: number): void {
    for (const redirect of node.redirects) this.redirect(redirect);
    for (const assignment of node.prefix) {
      if (assignment.type !== 'Assignment') continue;
      if (loadsCode(assignment.name)) this.opaque(`it sets ${assignment.name}, which changes what programs do`);
      if (assignment.value.type === 'Word') this.hint(shellWord(assignment.value));
    }
    if (node.name === undefined) return;
    const args = node.args.map((argument): ShellWord => {
      if (argument.type === 'Word') return shellWord(argument);
      if (loadsCode(argument.name)) this.opaque(`it sets ${argument.name}, which changes what programs do`);
      return { text: argument.text, dynamic: false };
    });
    this.words([shellWord(node.name), ...args], depth);
  }

  private words(words: ShellWord[], depth: number, addsArguments = false): void {
    if (depth > maxDepth) {
      this.opaque('it is nested too deeply');
      return;
    }
    const [first] = words;
    if (first === undefined) return;
    if (first.dynamic) {
      this.opaque('which program runs is only known to the shell');
      return;
    }
    words = [{ ...first, text: this.programPath(first.text) }, ...words.slice(1)];
    if (addsArguments && first.text.includes('{}')) this.opaque('what it runs is only known when it runs');
    const inner = unwrap(words);
    if (inner.kind === 'inner' || inner.kind === 'plain') this.wrapperFiles(inner);
    switch (inner.kind) {
      case 'opaque':
        this.record(words, addsArguments);
        this.opaque(inner.reason);
        return;
      case 'script':
        if (inner.keepOuter) this.record(words, false);
        if (addsArguments) this.opaque('what it runs is only known when it runs');
        this.script(inner.source, depth + 1);
        return;
      case 'inner':
        if (inner.keepOuter) this.record(words, false);
        this.words(inner.words, depth + 1, inner.addsArguments ?? addsArguments);
        return;
      case 'several':
        this.record(words, addsArguments);
        for (const command of inner.commands) this.words(command, depth + 1, true);
        return;
      case 'plain':
        this.record(words, addsArguments);
        if (addsArguments && runsItsArguments(commandName(words[0]!.text)))
          this.opaque('what it runs is only known when it runs');
        return;
    }
  }

  /** A word that may become part of another one. */
  private hint(word: ShellWord): void {
    if (/^[/~]|(^|\/)\.\.(\/|$)/.test(word.text)) this.hints.push(word);
  }

  private wrapperFiles({ reads = [], writes = [], directory }: WrapperFiles): void {
    for (const word of reads) this.file(word, 'reads');
    for (const word of writes) this.file(word, 'writes');
    if (directory === undefined) return;
    this.file(directory, 'visits');
    this.enter(directory);
  }

  /** A relative way to where programs live counts as that place. */
  private programPath(text: string): string {
    if (text.startsWith('/') || !text.includes('/')) return text;
    for (const directory of this.directories) {
      if (directory === undefined) continue;
      const absolute = resolvePath(directory, text);
      if (commandName(absolute) !== absolute) return absolute;
    }
    return text;
  }

  private record(words: ShellWord[], addsArguments: boolean): void {
    const name = commandName(words[0]!.text);
    const texts = [name, ...words.slice(1).map((word) => word.text)];
    const naming = namingLength(texts);
    if (words.slice(0, naming).some((word) => word.dynamic))
      this.opaque(`what ${name} does is only known to the shell`);
    this.facts.commands.push(texts.join(' '), ...withoutOptions(name, texts));
    if (addsArguments && lacksSubcommand(name, texts)) this.opaque(`what ${name} does is only known when it runs`);
    this.facts.perhaps.push(...perhapsRuns(name, texts));
    const problem =
      subcommandProblem(name, texts) ??
      gitProblem(name, texts) ??
      awkProblem(name, words) ??
      (name === 'sed' ? sedProblem(sedScripts(words)) : undefined);
    if (problem !== undefined) this.opaque(problem);
    // An option in the place of a name would cover whatever comes after it.
    if (holdsCode(name, words) || texts.slice(1, naming).some((text) => text.startsWith('-'))) this.unsavable = true;
    else this.facts.always.push(`${texts.slice(0, naming).join(' ')} *`);
    if (addsArguments && writesFiles(name)) this.opaque(`which files ${name} changes is only known when it runs`);
    const touched = touchedFiles(name, words);
    for (const word of touched.visits) this.file(word, 'visits');
    for (const word of touched.mentions) this.file(word, 'mentions');
    for (const word of touched.maybeReads) this.file(word, 'maybeReads');
    if (!namesNoFiles(name)) {
      if (words.some(({ text }) => /[\s'"`(){};,]/.test(text) && namesSecret(text))) this.facts.readsUnnamed = true;
    } else for (const word of words.slice(1)) this.hint(word);
    this.readsHints ||= addsArguments && showsFiles(name);
    if (name === 'cd' || name === 'pushd' || name === 'popd' || name === 'chdir') {
      this.changeDirectory(words);
      return;
    }
    if ((addsArguments && showsFiles(name)) || readsTrees(name, words)) this.facts.readsUnnamed = true;
    for (const word of touched.writes) this.file(word, 'writes');
    for (const word of touched.reads) this.file(word, 'reads');
  }

  private redirect(redirect: Redirection): void {
    if (redirect.type !== 'Redirect' || redirect.target === undefined) return;
    const target = shellWord(redirect.target);
    const duplicates = (redirect.operator === '>&' || redirect.operator === '<&') && /^(\d+-?|-)$/.test(target.text);
    if (duplicates) return;
    if (target.dynamic && redirect.target.parts?.some((part) => part.type === 'ProcessSubstitution')) return;
    if (redirect.operator.startsWith('<')) this.file(target, 'reads');
    if (redirect.operator !== '<') this.file(target, 'writes');
  }

  private file(word: ShellWord, list: PathList): void {
    for (const one of expandBraces(word)) this.path(one, list);
  }

  private path(word: ShellWord, list: PathList): void {
    const text = withHome(word.text, this.home);
    if (word.dynamic) {
      // An unknown read is covered by the command's own rule, but for secrets and for where it begins; an unknown write by none.
      if (list === 'writes') this.opaque(`where it writes (${word.text}) is only known to the shell`);
      if (list === 'reads') {
        if (plainGlob.test(text)) this.readGlob(text);
        else this.facts.readsUnnamed ||= couldBeSecret(text);
        this.readsHints ||= /[$`]/.test(text);
      }
      const known = knownDirectory(text);
      if (known !== undefined) this.path({ text: known, dynamic: false }, 'visits');
      return;
    }
    // What goes there is in no file.
    if (/^\/dev\/(null|zero|u?random|tty|std(in|out|err)|fd\/\d+)$/.test(text)) return;
    if (text.startsWith('/')) this.facts[list].push(resolvePath('/', text));
    else
      for (const directory of this.directories) {
        if (directory !== undefined) this.facts[list].push(resolvePath(directory, text));
        else if (list === 'writes') this.opaque('it writes in a directory that is only known to the shell');
      }
  }

  private readGlob(text: string): void {
    if (text.startsWith('/')) this.facts.readGlobs.push(resolvePath('/', text));
    else
      for (const directory of this.directories) {
        if (directory === undefined) this.facts.readsUnnamed = true;
        else this.facts.readGlobs.push(resolvePath(directory, text));
      }
  }

  private changeDirectory(words: ShellWord[]): void {
    const target = words.slice(1).find((word) => !word.text.startsWith('-') || word.text === '-');
    if (target === undefined) this.directories.push(words[0]!.text === 'cd' ? this.home : undefined);
    else this.enter(target);
  }

  private enter(target: ShellWord): void {
    if (target.dynamic || target.text === '-' || target.text.startsWith('~+')) {
      this.directories.push(undefined);
      return;
    }
    const text = withHome(target.text, this.home);
    const known = this.directories.filter((directory) => directory !== undefined);
    for (const directory of new Set(known.slice(0, 64).map((base) => resolvePath(base, text))))
      this.directories.push(directory);
  }
}

/** Nothing but names, stars, question marks and classes: what it finds can be told from the files that are there. */
const plainGlob = /^[^$`{}()\\~'"!^+@|]*$/;
