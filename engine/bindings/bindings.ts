// Every internalBinding that the engine has, by lib's name for it. What is missing here but known to Node falls back to its dumped shape.
import type { Binding } from '../process/environment';
import { asyncContextFrame } from './async-context-frame';
import { asyncWrap } from './async-wrap';
import { buffer } from './buffer';
import { builtins } from './builtins';
import { cloche } from './cloche';
import { contextify } from './contextify';
import { encodingBinding } from './encoding-binding';
import { crypto } from './crypto/crypto';
import { errors } from './errors';
import { fs } from './fs/fs';
import { fsDir } from './fs/fs-dir';
import { fsEventWrap } from './fs/watchers';
import { icu } from './icu';
import { moduleWrap } from './module-wrap';
import { modules } from './modules';
import { options } from './options';
import { processMethods } from './process-methods';
import { config, constants, credentials, http2, mksnapshot, permission, report, sea, symbols, traceEvents } from './static';
import { stringDecoder } from './string-decoder';
import { taskQueue } from './task-queue';
import { timers } from './timers';
import { url } from './url';
import { os } from './os';
import { types } from './types';
import { util } from './util';
import { uv } from './uv';
import { blob } from './blob';
import { cjsLexer } from './cjs-lexer';
import { diagnosticsChannel } from './diagnostics-channel';
import { locks } from './locks';
import { performance } from './performance';
import { urlPattern } from './url-pattern';
import { heapUtils, internalOnlyV8, v8 } from './v8';
import { wasmWebApi } from './wasm-web-api';
import { pipeWrap } from './pipe-wrap';
import { processWrap } from './process-wrap';
import { signalWrap } from './signal-wrap';
import { spawnSync } from './spawn-sync';
import { streamWrap } from './stream-base';
import { ttyWrap } from './tty-wrap';
import { serdes } from './serdes';
import { worker } from './worker';
import { messaging } from './messaging';

export const bindingTable: Readonly<Record<string, Binding>> = {
  async_context_frame: asyncContextFrame,
  async_wrap: asyncWrap,
  buffer,
  builtins,
  cloche,
  config,
  constants,
  contextify,
  credentials,
  encoding_binding: encodingBinding,
  errors,
  fs,
  fs_dir: fsDir,
  fs_event_wrap: fsEventWrap,
  http2,
  icu,
  mksnapshot,
  module_wrap: moduleWrap,
  modules,
  options,
  permission,
  process_methods: processMethods,
  report,
  sea,
  string_decoder: stringDecoder,
  symbols,
  task_queue: taskQueue,
  timers,
  trace_events: traceEvents,
  url,
  os,
  types,
  util,
  uv,
  blob,
  cjs_lexer: cjsLexer,
  diagnostics_channel: diagnosticsChannel,
  locks,
  performance,
  heap_utils: heapUtils,
  internal_only_v8: internalOnlyV8,
  url_pattern: urlPattern,
  v8,
  wasm_web_api: wasmWebApi,
  pipe_wrap: pipeWrap,
  process_wrap: processWrap,
  signal_wrap: signalWrap,
  spawn_sync: spawnSync,
  stream_wrap: streamWrap,
  tty_wrap: ttyWrap,
  serdes,
  ipc_serdes: serdes,
  crypto,
  messaging,
  worker,
};
