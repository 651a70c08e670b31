// llhttp, Node's own HTTP/1 parser, as undici ships it in WebAssembly. One instance per worker; a parser is a pointer into its memory.
// Source of the interface: github.com/nodejs/undici build/wasm and github.com/nodejs/llhttp src/native/api.h.

// @ts-expect-error undici ships no types for this module: it exports the wasm's bytes, in a worker what base64-buffer.ts makes of them.
import wasm from 'undici/lib/llhttp/llhttp-wasm.js';
import { decodeBase64 } from '../strings';
import { latin1 } from './latin1';

/** What kind of messages a parser reads (llhttp_type_t). */
export const MESSAGE_TYPE = { request: 1, response: 2 } as const;
export type MessageType = (typeof MESSAGE_TYPE)[keyof typeof MESSAGE_TYPE];

/** llhttp_errno_t, as far as anybody here asks. */
export const PARSE_ERROR = { ok: 0, paused: 21, pausedUpgrade: 22, user: 24 } as const;

/** Parts of a message as they come. Texts are latin1 and may come in pieces. A result other than 0 stops the parser with that error. */
export interface ParserEvents {
  messageBegin(): number;
  url(piece: string): number;
  status(piece: string): number;
  headerField(piece: string): number;
  headerValue(piece: string): number;
  /** 1: the message has no body; 2: nor does anything after it (an upgrade). */
  headersComplete(statusCode: number, upgrade: boolean, keepAlive: boolean): number;
  /** A fresh copy. */
  body(bytes: Uint8Array<ArrayBuffer>): number;
  messageComplete(): number;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  free(pointer: number): void;
  llhttp_alloc(type: number): number;
  llhttp_free(parser: number): void;
  llhttp_execute(parser: number, start: number, length: number): number;
  llhttp_finish(parser: number): number;
  llhttp_pause(parser: number): void;
  llhttp_resume(parser: number): void;
  llhttp_resume_after_upgrade(parser: number): void;
  llhttp_get_error_pos(parser: number): number;
  llhttp_get_error_reason(parser: number): number;
  llhttp_errno_name(errno: number): number;
  llhttp_method_name(method: number): number;
  llhttp_get_http_major(parser: number): number;
  llhttp_get_http_minor(parser: number): number;
  llhttp_get_method(parser: number): number;
  llhttp_get_upgrade(parser: number): number;
  [lenient: `llhttp_set_lenient_${string}`]: (parser: number, enabled: number) => void;
}

/** By bit of Node's lenient flags. Bit 10 (relaxed header values) has no switch in this build of llhttp. */
const LENIENT = [
  'headers',
  'chunked_length',
  'keep_alive',
  'transfer_encoding',
  'version',
  'data_after_close',
  'optional_lf_after_cr',
  'optional_crlf_after_chunk',
  'optional_cr_before_lf',
  'spaces_after_chunk_size',
] as const;
const KNOWN_LENIENT = (1 << LENIENT.length) - 1;

const parsers = new Map<number, Llhttp>();
let loaded: Exports | undefined;
/** An input area per depth: a callback may run another parser. */
const areas: { start: number; bytes: number }[] = [];
let depth = 0;

function load(): Exports {
  if (loaded) return loaded;
  const text = (start: number, length: number): string => latin1(new Uint8Array(loaded!.memory.buffer, start, length));
  const piece =
    (name: 'url' | 'status' | 'headerField' | 'headerValue') => (parser: number, at: number, length: number) => {
      parsers.get(parser)?.pass(at, length);
      return calling(parser, (events) => events[name](text(at, length)));
    };
  const env = {
    wasm_on_message_begin: (parser: number) => calling(parser, (events) => events.messageBegin()),
    wasm_on_url: piece('url'),
    wasm_on_status: piece('status'),
    wasm_on_header_field: piece('headerField'),
    wasm_on_header_value: piece('headerValue'),
    wasm_on_headers_complete: (parser: number, status: number, upgrade: number, keepAlive: number) =>
      calling(parser, (events) => events.headersComplete(status, upgrade !== 0, keepAlive !== 0)),
    wasm_on_body: (parser: number, at: number, length: number) => {
      parsers.get(parser)?.pass(at, length);
      return calling(parser, (events) => events.body(new Uint8Array(loaded!.memory.buffer, at, length).slice()));
    },
    wasm_on_message_complete: (parser: number) => calling(parser, (events) => events.messageComplete()),
  };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasmBytes()), { env });
  loaded = instance.exports as unknown as Exports;
  loaded._initialize();
  return loaded;
}

/** Exceptions must not cross the wasm: they are kept and thrown again after it. */
function calling(pointer: number, call: (events: ParserEvents) => number): number {
  const parser = parsers.get(pointer) as Llhttp;
  try {
    return call(parser.events);
  } catch (error) {
    parser.thrown = { error };
    return PARSE_ERROR.user;
  }
}

function cString(start: number): string {
  if (start === 0) return '';
  const memory = new Uint8Array(load().memory.buffer);
  return latin1(memory.subarray(start, memory.indexOf(0, start)));
}

/** What a parser did with its input. */
export interface ParseResult {
  /** PARSE_ERROR.ok, or llhttp's number. */
  errno: number;
  /** Bytes taken before the error; all of them without one. */
  consumed: number;
}

/** One parser. Free it: its memory is not garbage-collected. */
export class Llhttp {
  readonly events: ParserEvents;
  thrown: { error: unknown } | undefined;
  /** Bytes between the last two parts that events heard of, and those since the last one. */
  gap = 0;
  untold = 0;
  private reached = 0;
  private pointer: number;

  /** `lenient` is Node's bit set (HTTPParser.kLenient*); throws for a bit that this build cannot do. */
  constructor(type: MessageType, events: ParserEvents, lenient = 0) {
    if ((lenient & ~KNOWN_LENIENT) !== 0)
      throw new Error(`This HTTP parser has no lenient flag ${lenient & ~KNOWN_LENIENT} (relaxed header values)`);
    const wasm = load();
    this.events = events;
    this.pointer = wasm.llhttp_alloc(type);
    parsers.set(this.pointer, this);
    for (const [bit, name] of LENIENT.entries())
      if (lenient & (1 << bit)) wasm[`llhttp_set_lenient_${name}`](this.pointer, 1);
  }

  /** Parses; throws what an event threw. */
  execute(bytes: Uint8Array): ParseResult {
    const wasm = load();
    const area = (areas[depth] ??= { start: 0, bytes: 0 });
    if (bytes.length > area.bytes) {
      if (area.start !== 0) wasm.free(area.start);
      area.bytes = Math.max(65536, bytes.length);
      area.start = wasm.malloc(area.bytes);
    }
    new Uint8Array(wasm.memory.buffer).set(bytes, area.start);
    this.reached = area.start;
    depth++;
    const errno = wasm.llhttp_execute(this.pointer, area.start, bytes.length);
    depth--;
    this.throwKept();
    if (errno === PARSE_ERROR.ok) {
      this.untold += area.start + bytes.length - this.reached;
      return { errno, consumed: bytes.length };
    }
    return { errno, consumed: wasm.llhttp_get_error_pos(this.pointer) - area.start };
  }

  /** A part of the message of which the events hear. */
  pass(at: number, length: number): void {
    this.gap = this.untold + at - this.reached;
    this.untold = 0;
    this.reached = at + length;
  }

  /** The stream has ended: PARSE_ERROR.ok, or why the message is incomplete. */
  finish(): number {
    const errno = load().llhttp_finish(this.pointer);
    this.throwKept();
    return errno;
  }

  private throwKept(): void {
    const { thrown } = this;
    this.thrown = undefined;
    if (thrown) throw thrown.error;
  }

  /** Stops before the next byte until `resume`. */
  pause(): void {
    load().llhttp_pause(this.pointer);
  }

  resume(): void {
    load().llhttp_resume(this.pointer);
  }

  resumeAfterUpgrade(): void {
    load().llhttp_resume_after_upgrade(this.pointer);
  }

  get errorReason(): string {
    return cString(load().llhttp_get_error_reason(this.pointer));
  }

  /** `HPE_…`. */
  errorName(errno: number): string {
    return cString(load().llhttp_errno_name(errno));
  }

  get major(): number {
    return load().llhttp_get_http_major(this.pointer);
  }

  get minor(): number {
    return load().llhttp_get_http_minor(this.pointer);
  }

  /** Index into Node's `allMethods`. */
  get method(): number {
    return load().llhttp_get_method(this.pointer);
  }

  get methodName(): string {
    return cString(load().llhttp_method_name(this.method));
  }

  get isUpgrade(): boolean {
    return load().llhttp_get_upgrade(this.pointer) !== 0;
  }

  free(): void {
    if (this.pointer === 0) return;
    parsers.delete(this.pointer);
    load().llhttp_free(this.pointer);
    this.pointer = 0;
  }
}

function wasmBytes(): Uint8Array<ArrayBuffer> {
  const given = wasm as Uint8Array<ArrayBuffer> | { base64: string };
  return given instanceof Uint8Array ? given : (decodeBase64(given.base64) as Uint8Array<ArrayBuffer>);
}
