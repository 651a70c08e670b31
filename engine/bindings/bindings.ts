// Every internalBinding that the engine has, by lib's name for it. What is missing here but known to Node falls back to its dumped shape.
import type { Binding } from '../process/environment';
import { asyncContextFrame } from './async-context-frame';
import { asyncWrap } from './async-wrap';
import { buffer } from './buffer';
import { builtins } from './builtins';
import { cloche } from './cloche';
import { contextify } from './contextify';
import { encodingBinding } from './encoding-binding';
import { errors } from './errors';
import { fs } from './fs/fs';
import { fsDir } from './fs/fs-dir';
import { fsEventWrap } from './fs/watchers';
import { icu } from './icu';
import { moduleWrap } from './module-wrap';
import { modules } from './modules';
import { options } from './options';
import { processMethods } from './process-methods';
import { config, constants, credentials, mksnapshot, permission, report, sea, symbols, traceEvents } from './static';
import { stringDecoder } from './string-decoder';
import { taskQueue } from './task-queue';
import { timers } from './timers';
import { url } from './url';
import { worker } from './worker';

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
  worker,
};
