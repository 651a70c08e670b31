// Records of an input, one at a time, by the separator in force.
import type { Input } from '../io/streams';
import { TextReader } from '../io/text';
import { awkRegex } from './awk-regex';

/** Lines from an input, one at a time. */
export class Records {
  readonly #input: Input;
  readonly #close: () => void;
  #rest = '';
  #decoder = new TextReader();
  #ended = false;

  constructor(opened: { input: Input; close(): void }) {
    this.#input = opened.input;
    this.#close = opened.close;
  }

  /** The next record by the separator in force now. */
  async next(separator: string): Promise<string | undefined> {
    for (;;) {
      const record = this.#cut(separator);
      if (record !== undefined) return record;
      if (this.#ended) {
        if (this.#rest === '') return undefined;
        const last = separator === '' ? this.#rest.replace(/^\n+|\n+$/g, '') : this.#rest;
        this.#rest = '';
        return last === '' && separator === '' ? undefined : last;
      }
      const chunk = await this.#input.chunk();
      if (chunk) this.#rest += this.#decoder.write(chunk);
      else {
        this.#ended = true;
        this.#rest += this.#decoder.end();
        if (separator === '\n' && this.#rest.endsWith('\n')) this.#rest = this.#rest.slice(0, -1);
      }
    }
  }

  #cut(separator: string): string | undefined {
    if (separator === '') this.#rest = this.#rest.replace(/^\n+/, '');
    const regex = separator === '' ? /\n\n+/g : separator.length > 1 ? awkRegex(separator) : undefined;
    let at: number;
    let length = 1;
    if (regex) {
      regex.lastIndex = 0;
      const match = regex.exec(this.#rest);
      at = match && (this.#ended || match.index + match[0].length < this.#rest.length) ? match.index : -1;
      length = match?.[0].length ?? 1;
    } else at = this.#rest.indexOf(separator);
    if (at < 0) return undefined;
    const record = this.#rest.slice(0, at);
    this.#rest = this.#rest.slice(at + length);
    return record;
  }

  close(): void {
    this.#close();
  }
}
