// One terminal: an xterm and the process behind it. Bytes go from the process straight into xterm, never through React; a chunk is read only
// when the one before is drawn, so a flood of output slows its program down instead of filling the memory.
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import type { Process, ProcessEnd, Sandbox } from '../../lib/sandbox/sandbox';
import { terminalHasOutput } from '../ide/first-output';
import { createStore } from '../ui/store';
import { onThemeChange } from '../ui/theme';
import { addLinks, type LinkTargets } from './terminal-links';
import { terminalTheme } from './terminal-theme';
import { describeEnd, type TerminalStatus } from './terminal-words';
import { scrollByTouch } from './touch-scroll';
import { countModernWidths } from './unicode-widths';

export interface TerminalOptions extends LinkTargets {
  sandbox: Sandbox;
  name: string;
  command: string;
  args: string[];
  fontSize: number;
  screenReader: boolean;
  /** Keys that the IDE takes instead of the terminal. */
  isIdeKey: (event: KeyboardEvent) => boolean;
}

const encoder = new TextEncoder();
const titleAfterMs = 300;

/** Lives from `new` to `dispose`, whether a view shows it or not. */
export class TerminalSession {
  readonly id: string = crypto.randomUUID();
  readonly status;
  readonly xterm: Terminal;
  /** The element that holds the xterm; views put it where they are. */
  readonly element: HTMLDivElement = document.createElement('div');
  readonly command: string;
  readonly args: string[];
  readonly #options: TerminalOptions;
  readonly #fit = new FitAddon();
  readonly #stopTheme: () => void;
  #process: Process | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #titling: ReturnType<typeof setTimeout> | undefined;
  #opened = false;
  #disposed = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.command = options.command;
    this.args = options.args;
    this.status = createStore<TerminalStatus>({ name: options.name, title: '', state: 'starting' });
    this.element.className = 'terminal-screen';

    this.xterm = new Terminal({
      allowProposedApi: true,
      cursorBlink: false,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
      fontSize: options.fontSize,
      lineHeight: 1.25,
      minimumContrastRatio: 4.5,
      scrollback: 5000,
      screenReaderMode: options.screenReader,
      theme: terminalTheme(),
    });
    countModernWidths(this.xterm);
    scrollByTouch(this.element, this.xterm, (keys) => this.type(keys));
    this.xterm.loadAddon(this.#fit);
    addLinks(this.xterm, this.element, options);
    this.xterm.attachCustomKeyEventHandler((event) => this.#onKey(event));
    this.xterm.onData((text) => this.type(text));
    this.xterm.onBinary((text) => this.#send(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    this.xterm.onTitleChange((title) => this.#entitle(title));
    this.xterm.onResize(({ cols, rows }) => this.#process?.resize(cols, rows));
    this.#stopTheme = onThemeChange(() => (this.xterm.options.theme = terminalTheme()));
  }

  /** Starts the process, again when it has ended. Failures are shown in the terminal and in `status`. */
  async start(): Promise<void> {
    const { sandbox, command, args } = this.#options;
    this.status.set((now) => ({ ...now, state: 'starting', end: undefined }));
    try {
      const terminal = { columns: this.xterm.cols, rows: this.xterm.rows };
      const env = { TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'cloche' };
      const child = await sandbox.spawn(command, args, { terminal, env });
      if (this.#disposed) return child.kill('SIGKILL');
      this.#process = child;
      this.#writer = child.input.getWriter();
      this.#writer.closed.catch(() => {});
      child.resize(this.xterm.cols, this.xterm.rows);
      this.status.set((now) => ({ ...now, state: 'running' }));
      await this.#pump(child.output);
      this.#ended(await child.exit);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#note(`Could not start ${command}: ${message}`);
      terminalHasOutput();
      this.status.set((now) => ({ ...now, state: 'failed' }));
    }
  }

  async #pump(output: ReadableStream<Uint8Array>): Promise<void> {
    const reader = output.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // Memory shared with the engine can't be decoded by the browser, and it may be reused.
      const bytes = value.buffer instanceof ArrayBuffer ? value : new Uint8Array(value);
      await new Promise<void>((drawn) => this.xterm.write(bytes, drawn));
      terminalHasOutput();
    }
  }

  #ended(end: ProcessEnd): void {
    this.#process = undefined;
    this.#writer = undefined;
    if (this.#disposed) return;
    this.#entitle('');
    this.status.set((now) => ({ ...now, state: 'ended', end }));
    this.#note(`${describeEnd(end)} Press Enter to start again.`);
  }

  /** What is over in a moment is not shown: the tabs would flicker. */
  #entitle(told: string): void {
    clearTimeout(this.#titling);
    const title = told
      .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')
      .trim()
      .slice(0, 120);
    const set = () => this.status.set((now) => (now.title === title ? now : { ...now, title }));
    if (title === '' || this.status.get().title !== '') set();
    else this.#titling = setTimeout(set, titleAfterMs);
  }

  #note(text: string): void {
    this.xterm.write('\r\n');
    this.remark(text);
  }

  /** A line of the IDE's own among the program's; `text` holds no control characters. */
  remark(text: string): void {
    this.xterm.write(`\x1b[90m${text}\x1b[39m\r\n`);
  }

  /** As if the person had typed it. */
  type(text: string): void {
    const { state } = this.status.get();
    if (state === 'ended' || state === 'failed') {
      if (text === '\r') void this.start();
      return;
    }
    this.#send(encoder.encode(text));
  }

  /** Pastes with the terminal's own protection (bracketed paste, where the program asked for it). */
  paste(text: string): void {
    this.xterm.paste(text);
  }

  #send(bytes: Uint8Array): void {
    this.#writer?.write(bytes).catch(() => {});
  }

  #onKey(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown') return true;
    if (this.#options.isIdeKey(event)) return false;
    const copyOrPaste = event.ctrlKey && event.shiftKey && !event.altKey && !event.metaKey;
    if (copyOrPaste && event.code === 'KeyC') {
      event.preventDefault();
      void this.copy();
      return false;
    }
    if (copyOrPaste && event.code === 'KeyV') return false;
    // Control+C copies when something is selected, as in other browsers' terminals; the next one interrupts.
    if (event.ctrlKey && !event.shiftKey && !event.altKey && event.code === 'KeyC' && this.xterm.hasSelection()) {
      void this.copy();
      this.xterm.clearSelection();
      event.preventDefault();
      return false;
    }
    return true;
  }

  /** The selection to the clipboard. */
  async copy(): Promise<void> {
    const text = this.xterm.getSelection();
    if (text !== '') await navigator.clipboard.writeText(text);
  }

  /** To be called when `element` is in the page, and when its size changed. */
  show(): void {
    if (this.element.clientWidth < 20 || this.element.clientHeight < 20) return;
    if (!this.#opened) {
      this.#opened = true;
      this.xterm.open(this.element);
      void this.#measureAgain();
    }
    this.#fit.fit();
  }

  /** A terminal that was opened before its font had come has measured another one. */
  async #measureAgain(): Promise<void> {
    const { fontFamily, fontSize } = this.xterm.options;
    const font = `${fontSize}px ${fontFamily}`;
    if (document.fonts.check(font)) return;
    await document.fonts.load(font).catch(() => {});
    if (this.#disposed) return;
    this.xterm.options.fontFamily = 'monospace';
    this.xterm.options.fontFamily = fontFamily;
    this.show();
  }

  kill(signal?: string): void {
    this.#process?.kill(signal);
  }

  rename(name: string): void {
    this.status.set((now) => ({ ...now, name }));
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#titling);
    this.#stopTheme();
    this.#process?.kill('SIGHUP');
    const left = this.#process;
    // What ignores the hang-up would stay for ever without a window.
    if (left) setTimeout(() => left.kill('SIGKILL'), 1000);
    this.xterm.dispose();
    this.element.remove();
  }
}
