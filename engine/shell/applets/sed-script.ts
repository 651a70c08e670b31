// The parser of sed scripts: addresses, commands, substitutions.
import { posixSource } from './regex';
import { UsageError } from './tool';

/** Which lines a command is for. */
export interface Address {
  kind: 'line' | 'last' | 'step' | 'regex' | 'plus' | 'multiple';
  line: number;
  step: number;
  regex: RegExp | undefined;
}

/** One command; members that do not concern it are empty. */
export interface SedCommand {
  name: string;
  from: Address | undefined;
  to: Address | undefined;
  negated: boolean;
  text: string;
  number: number;
  /** For `{`: index of its `}`. */
  target: number;
  regex: RegExp | undefined;
  replacement: ((groups: string[], args: unknown[]) => string) | undefined;
  flags: { global: boolean; print: boolean; nth: number; file: string | undefined };
  map: Map<string, string>;
}

/** Parses a script. Throws UsageError as GNU words it. */
export function parseScript(source: string, extended: boolean): SedCommand[] {
  return new ScriptParser(source, extended).parse();
}

class ScriptParser {
  readonly #source: string;
  readonly #extended: boolean;
  #at = 0;
  #lastRegex: RegExp | undefined;

  constructor(source: string, extended: boolean) {
    this.#source = source;
    this.#extended = extended;
  }

  #fail(reason: string): never {
    throw new UsageError(`-e expression #1, char ${this.#at}: ${reason}`, 1);
  }

  parse(): SedCommand[] {
    const commands: SedCommand[] = [];
    const open: number[] = [];
    for (;;) {
      while (/[\s;]/.test(this.#source[this.#at] ?? '')) this.#at++;
      if (this.#at >= this.#source.length) break;
      if (this.#source[this.#at] === '#') {
        while (this.#at < this.#source.length && this.#source[this.#at] !== '\n') this.#at++;
        continue;
      }
      const command = this.#command();
      if (command.name === '{') open.push(commands.length);
      if (command.name === '}') {
        const start = open.pop();
        if (start === undefined) this.#fail("unexpected `}'");
        commands[start]!.target = commands.length;
      }
      commands.push(command);
    }
    if (open.length > 0) throw new UsageError("-e expression #1, char 0: unmatched `{'", 1);
    for (const command of commands) {
      if (
        'btT'.includes(command.name) &&
        command.text !== '' &&
        !commands.some((other) => other.name === ':' && other.text === command.text)
      )
        throw new UsageError(
          `-e expression #1, char ${this.#source.length}: can't find label for jump to \`${command.text}'`,
          1,
        );
    }
    return commands;
  }

  #spaces(): void {
    while (/[ \t]/.test(this.#source[this.#at] ?? '')) this.#at++;
  }

  #number(): number | undefined {
    const match = this.#source.slice(this.#at).match(/^\d+/);
    if (!match) return undefined;
    this.#at += match[0].length;
    return Number(match[0]);
  }

  #address(second: boolean): Address | undefined {
    const made = (kind: Address['kind'], line = 0, step = 0, regex?: RegExp): Address => ({ kind, line, step, regex });
    const character = this.#source[this.#at] ?? '';
    if (second && (character === '+' || character === '~')) {
      this.#at++;
      return made(character === '+' ? 'plus' : 'multiple', this.#number() ?? 0);
    }
    if (/\d/.test(character)) {
      const line = this.#number()!;
      if (this.#source[this.#at] !== '~') return made('line', line);
      this.#at++;
      return made('step', line, this.#number() ?? 0);
    }
    if (character === '$') {
      this.#at++;
      return made('last');
    }
    if (character === '/' || character === '\\') {
      if (character === '\\') this.#at++;
      const text = this.#delimited(this.#source[this.#at++]!, true);
      let flags = '';
      while ('IM'.includes(this.#source[this.#at] ?? ' ')) flags += this.#source[this.#at++] === 'I' ? 'i' : 'm';
      return made('regex', 0, 0, this.#regex(text, flags));
    }
    return undefined;
  }

  #regex(text: string, flags: string): RegExp {
    if (text === '') {
      if (!this.#lastRegex) this.#fail('no previous regular expression');
      return this.#lastRegex;
    }
    try {
      this.#lastRegex = new RegExp(posixSource(text, this.#extended), `g${flags}`);
    } catch (error) {
      this.#fail(error instanceof UsageError ? error.message : 'Invalid regular expression');
    }
    return this.#lastRegex;
  }

  /** Text up to the delimiter; `\delimiter` loses its backslash, `\n` in an expression stays. */
  #delimited(delimiter: string, regex: boolean): string {
    let text = '';
    let inBracket = false;
    for (; this.#at < this.#source.length; this.#at++) {
      const character = this.#source[this.#at]!;
      if (character === '\\' && this.#at + 1 < this.#source.length) {
        const next = this.#source[++this.#at]!;
        text +=
          next === delimiter && !(regex && '|+?(){}.*'.includes(delimiter) && delimiter !== '|' && false)
            ? delimiter === '&' && !regex
              ? '\\&'
              : delimiter
            : `\\${next}`;
      } else if (regex && character === '[' && !inBracket) {
        inBracket = true;
        text += character;
        if (this.#source[this.#at + 1] === '^') text += this.#source[++this.#at];
        if (this.#source[this.#at + 1] === ']') text += this.#source[++this.#at];
      } else if (inBracket && character === ']') {
        inBracket = false;
        text += character;
      } else if (character === delimiter && !inBracket) {
        this.#at++;
        return text;
      } else text += character;
    }
    return this.#fail(regex ? 'unterminated address regex' : "unterminated `s' command");
  }

  #command(): SedCommand {
    const command: SedCommand = {
      name: '',
      from: undefined,
      to: undefined,
      negated: false,
      text: '',
      number: 0,
      target: 0,
      regex: undefined,
      replacement: undefined,
      flags: { global: false, print: false, nth: 1, file: undefined },
      map: new Map(),
    };
    command.from = this.#address(false);
    this.#spaces();
    if (command.from && this.#source[this.#at] === ',') {
      this.#at++;
      this.#spaces();
      command.to = this.#address(true);
      if (!command.to) this.#fail("unexpected `,'");
    }
    this.#spaces();
    while (this.#source[this.#at] === '!') {
      command.negated = true;
      this.#at++;
      this.#spaces();
    }
    command.name = this.#source[this.#at++] ?? '';
    switch (command.name) {
      case '{':
        return command;
      case '}':
      case '=':
      case 'd':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'F':
      case 'z':
        break;
      case 'l':
      case 'q':
      case 'Q':
        this.#spaces();
        command.number = this.#number() ?? 0;
        break;
      case 'a':
      case 'i':
      case 'c':
        command.text = this.#text();
        return command;
      case ':':
      case 'b':
      case 't':
      case 'T':
        this.#spaces();
        command.text = this.#source.slice(this.#at).match(command.name === ':' ? /^[^\n;]*/ : /^[^\n;}]*/)![0];
        this.#at += command.text.length;
        command.text = command.text.trim();
        return command;
      case 'r':
      case 'R':
      case 'w':
      case 'W':
        this.#spaces();
        command.text = this.#source.slice(this.#at).match(/^[^\n]*/)![0];
        this.#at += command.text.length;
        if (command.name === 'R' || command.name === 'W') this.#fail(`unsupported command: \`${command.name}'`);
        return command;
      case 's':
        this.#substitution(command);
        break;
      case 'y':
        this.#transliteration(command);
        break;
      default:
        this.#fail(command.name === '' ? 'missing command' : `unknown command: \`${command.name}'`);
    }
    this.#spaces();
    const next = this.#source[this.#at];
    if (next !== undefined && !'\n;}#'.includes(next)) {
      this.#at++;
      this.#fail('extra characters after command');
    }
    return command;
  }

  #text(): string {
    this.#spaces();
    if (this.#source[this.#at] === '\\') {
      this.#at++;
      const rest = this.#source.slice(this.#at).match(/^[ \t]*\n/);
      if (rest) this.#at += rest[0].length;
    }
    let text = '';
    for (; this.#at < this.#source.length && this.#source[this.#at] !== '\n'; this.#at++) {
      if (this.#source[this.#at] === '\\' && this.#at + 1 < this.#source.length) {
        const next = this.#source[++this.#at]!;
        text += CONTROLS[next] ?? next;
      } else if (this.#source[this.#at] !== '\\') text += this.#source[this.#at];
    }
    return text;
  }

  #substitution(command: SedCommand): void {
    const delimiter = this.#source[this.#at++];
    if (delimiter === undefined || delimiter === '\n' || delimiter === '\\') this.#fail("unterminated `s' command");
    const pattern = this.#delimited(delimiter, true);
    const replacement = this.#delimited(delimiter, false);
    let flags = '';
    let nth = false;
    for (;;) {
      const letter = this.#source[this.#at] ?? '';
      if (letter === 'g') command.flags.global = true;
      else if (letter === 'p') command.flags.print = true;
      else if (letter === 'i' || letter === 'I') flags += 'i';
      else if (letter === 'm' || letter === 'M') flags += 'm';
      else if (/[1-9]/.test(letter) && letter !== '') {
        command.flags.nth = this.#number()!;
        nth = true;
        continue;
      } else if (letter === 'w') {
        command.flags.file = this.#source
          .slice(this.#at + 1)
          .match(/^[^\n]*/)![0]
          .trim();
        this.#at =
          this.#source.indexOf('\n', this.#at) < 0 ? this.#source.length : this.#source.indexOf('\n', this.#at);
        break;
      } else if (letter === 'e') this.#fail("unknown option to `s'");
      else if (letter !== '' && !'\n;} #\t'.includes(letter)) {
        this.#at++;
        this.#fail("unknown option to `s'");
      } else break;
      this.#at++;
    }
    if (!nth) command.flags.nth = 1;
    command.regex = this.#regex(pattern, flags);
    const groups = new RegExp(`${command.regex.source}|`, command.regex.flags).exec('')!.length - 1;
    const wanted = Math.max(
      0,
      ...[...replacement.matchAll(/\\(?:(\d)|[\s\S])/g)].map((match) => Number(match[1] ?? 0)),
    );
    if (wanted > groups) this.#fail(`invalid reference \\${wanted} on \`s' command's RHS`);
    command.replacement = compileReplacement(replacement);
  }

  #transliteration(command: SedCommand): void {
    const delimiter = this.#source[this.#at++]!;
    const decode = (text: string) => [
      ...text.replace(/\\([afnrtv\\])/g, (_, letter: string) => CONTROLS[letter] ?? letter),
    ];
    const from = decode(this.#delimited(delimiter, false));
    const to = decode(this.#delimited(delimiter, false));
    if (from.length !== to.length) this.#fail("strings for `y' command are different lengths");
    for (const [position, character] of from.entries()) command.map.set(character, to[position]!);
  }
}

const CONTROLS: Record<string, string> = { a: '\x07', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The replacement of `s`: `&`, `\1`, `\n`, and GNU's case changes `\U \L \u \l \E`. */
function compileReplacement(text: string): (groups: string[], args: unknown[]) => string {
  const parts: (string | number | { change: string })[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '&') parts.push(0);
    else if (character !== '\\') parts.push(character);
    else {
      const next = text[++i] ?? '\\';
      if (/\d/.test(next)) parts.push(Number(next));
      else if ('ULulE'.includes(next)) parts.push({ change: next });
      else parts.push(CONTROLS[next] ?? next);
    }
  }
  return (_, args) => {
    const groups = args as (string | undefined)[];
    let result = '';
    let mode = '';
    let once = '';
    for (const part of parts) {
      if (typeof part === 'object') {
        if (part.change === 'u' || part.change === 'l') once = part.change;
        else mode = part.change === 'E' ? '' : part.change;
        continue;
      }
      let piece = typeof part === 'string' ? part : typeof groups[part] === 'string' ? groups[part]! : '';
      if (mode === 'U') piece = piece.toUpperCase();
      else if (mode === 'L') piece = piece.toLowerCase();
      if (once && piece !== '') {
        piece = (once === 'u' ? piece[0]!.toUpperCase() : piece[0]!.toLowerCase()) + piece.slice(1);
        once = '';
      }
      result += piece;
    }
    return result;
  };
}
