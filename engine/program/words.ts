// What the IDE and the worker of a program say to each other (code mode). The program shares the worker with our script and can say all of
// this itself: lib/tools/program-host.ts believes none of it.

/** IDE → page → worker, once; carries the port for all that follows. */
export interface ProgramStart {
  code: string;
  /** What it may call; `declaration` is for searches. */
  tools: readonly { name: string; declaration: string }[];
  /** Characters of its value, and of what it prints. */
  maxValueChars: number;
  maxPrintedChars: number;
}

/** Worker → IDE. Ids grow. `input` and `text` of a value are JSON, or plain text when it is a string. */
export type ProgramWord =
  | { type: 'call'; id: number; tool: string; input: string }
  | { type: 'print'; text: string }
  | { type: 'done'; text?: string }
  | { type: 'failed'; message: string };

/** IDE → worker: how a call ended. `value` is JSON. */
export type ProgramAnswer = { id: number; ok: true; value: string } | { id: number; ok: false; message: string };

/** Page → IDE, once: it can be given a program. */
export const programReady = 'cloche-program-ready';
