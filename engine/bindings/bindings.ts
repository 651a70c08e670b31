// Every internalBinding that the engine has, by lib's name for it. What is missing here but known to Node falls back to its dumped shape.
import type { Binding } from '../process/environment';
import { asyncContextFrame } from './async-context-frame';
import { asyncWrap } from './async-wrap';
import { blob } from './blob';
import { blockList } from './block-list';
import { buffer } from './buffer';
import { builtins } from './builtins';
import { caresWrap } from './cares-wrap';
import { cjsLexer } from './cjs-lexer';
import { cloche } from './cloche';
import { contextify } from './contextify';
import { crypto } from './crypto/crypto';
import { diagnosticsChannel } from './diagnostics-channel';
import { encodingBinding } from './encoding-binding';
import { errors } from './errors';
import { fs } from './fs/fs';
import { fsDir } from './fs/fs-dir';
import { fsEventWrap } from './fs/watchers';
import { httpParser } from './http-parser';
import { icu } from './icu';
import { ipcSerdes } from './ipc-serdes';
import { locks } from './locks';
import { messaging } from './messaging';
import { moduleWrap } from './module-wrap';
import { modules } from './modules';
import { options } from './options';
import { os } from './os';
import { performance } from './performance';
import { pipeWrap } from './pipe-wrap';
import { processMethods } from './process-methods';
import { processWrap } from './process-wrap';
import { serdes } from './serdes';
import { signalWrap } from './signal-wrap';
import { spawnSync } from './spawn-sync';
import { sqlite } from './sqlite/sqlite';
import {
  config,
  constants,
  credentials,
  http2,
  inspector,
  mksnapshot,
  permission,
  report,
  sea,
  symbols,
  traceEvents,
} from './static';
import { streamWrap } from './stream-base';
import { stringDecoder } from './string-decoder';
import { taskQueue } from './task-queue';
import { tcpWrap } from './tcp-wrap';
import { timers } from './timers';
import { tlsWrap, withSecureContext } from './tls-wrap';
import { ttyWrap } from './tty-wrap';
import { types } from './types';
import { udpWrap } from './udp-wrap';
import { url } from './url';
import { urlPattern } from './url-pattern';
import { util } from './util';
import { uv } from './uv';
import { heapUtils, internalOnlyV8, v8 } from './v8';
import { wasi } from './wasi/wasi';
import { wasmWebApi } from './wasm-web-api';
import { worker } from './worker';
import { zlib } from './zlib/zlib';

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
  inspector,
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
  block_list: blockList,
  cjs_lexer: cjsLexer,
  diagnostics_channel: diagnosticsChannel,
  locks,
  performance,
  heap_utils: heapUtils,
  internal_only_v8: internalOnlyV8,
  url_pattern: urlPattern,
  v8,
  wasi,
  wasm_web_api: wasmWebApi,
  pipe_wrap: pipeWrap,
  process_wrap: processWrap,
  signal_wrap: signalWrap,
  spawn_sync: spawnSync,
  sqlite,
  stream_wrap: streamWrap,
  tty_wrap: ttyWrap,
  serdes,
  ipc_serdes: ipcSerdes,
  crypto: withSecureContext(crypto),
  messaging,
  cares_wrap: caresWrap,
  http_parser: httpParser,
  tcp_wrap: tcpWrap,
  tls_wrap: tlsWrap,
  udp_wrap: udpWrap,
  worker,
  zlib,
};
