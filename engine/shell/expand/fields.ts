// The words that an expansion is producing. Each field is kept twice: as text, and as a pattern in which quoted characters
// are escaped, so that pathname expansion can tell `*` from `"*"`.
import { hasMagic, quotePattern } from './pattern';

/** One field of a word. */
export interface Field {
  text: string;
  pattern: string;
}

/** Gathers fields. Unquoted expansions split at IFS; quoted text never does. */
export class Fields {
  readonly done: Field[] = [];
  #open: Field | undefined;
  readonly #ifs: string;
  readonly #split: boolean;

  constructor(ifs: string, split: boolean) {
    this.#ifs = ifs;
    this.#split = split;
  }

  #current(): Field {
    this.#open ??= { text: '', pattern: '' };
    return this.#open;
  }

  /** Unquoted text of the script itself: never split, special characters active. */
  literal(text: string, pattern: string): void {
    const field = this.#current();
    field.text += text;
    field.pattern += pattern;
  }

  /** Quoted text; even an empty one makes a field. */
  quoted(text: string): void {
    const field = this.#current();
    field.text += text;
    field.pattern += quotePattern(text);
  }

  /** The result of an unquoted expansion. */
  expansion(text: string): void {
    if (!this.#split) {
      if (text !== '') this.literal(text, text);
      return;
    }
    if (this.#ifs === '') {
      if (text !== '') this.literal(text, text);
      return;
    }
    let run = '';
    let i = 0;
    const flush = () => {
      if (run !== '') this.literal(run, run);
      run = '';
    };
    while (i < text.length) {
      const character = text[i]!;
      if (!this.#ifs.includes(character)) {
        run += character;
        i++;
        continue;
      }
      const hadText = run !== '' || this.#open !== undefined;
      flush();
      let hard = false;
      while (i < text.length && this.#ifs.includes(text[i]!)) {
        if (!' \t\n'.includes(text[i]!)) {
          if (hard) break;
          hard = true;
        }
        i++;
      }
      if (hard && !hadText) this.#current();
      this.endField();
    }
    flush();
  }

  /** Ends the open field, if there is one. */
  endField(): void {
    if (this.#open) this.done.push(this.#open);
    this.#open = undefined;
  }

  /** All fields. */
  finish(): Field[] {
    this.endField();
    return this.done;
  }
}

/** Whether a field could match file names. */
export function isPattern(field: Field): boolean {
  return hasMagic(field.pattern);
}
