// Where processes, descriptor tables, open file descriptions, terminals and pipes lie inside the IPC region.
// Every record is a whole number of Int32 words; all of it lies below the memory's initial size, so views never go stale.
import { HEADER_WORD, IPC_BYTES, IPC_OFFSET } from '../memory/layout';

export const PROCESS_SLOTS = 256;
export const DESCRIPTORS_PER_PROCESS = 1024;
export const DESCRIPTIONS = 16384;
export const TERMINALS = 16;
export const PIPES = 1024;
/** Locks on ranges of files, of all processes together. */
export const RECORD_LOCKS = 1024;
/** Capacity of a pipe in bytes; a power of two, so that positions wrap by masking. */
export const PIPE_BYTES = 64 * 1024;

/** Words per record. */
export const PROCESS_WORDS = 64;
export const DESCRIPTION_WORDS = 16;
export const TERMINAL_WORDS = 16;
export const PIPE_WORDS = 32;
export const RECORD_LOCK_WORDS = 8;

/** Header words that belong to ipc: hints where to look for a free record. */
export const DESCRIPTION_HINT_WORD = HEADER_WORD.ipc;
export const PIPE_HINT_WORD = HEADER_WORD.ipc + 1;

/** First Int32 word of each table, counted from the start of the memory. */
export const PROCESS_BASE = IPC_OFFSET >> 2;
export const DESCRIPTOR_BASE = PROCESS_BASE + PROCESS_SLOTS * PROCESS_WORDS;
export const DESCRIPTION_BASE = DESCRIPTOR_BASE + PROCESS_SLOTS * DESCRIPTORS_PER_PROCESS;
export const TERMINAL_BASE = DESCRIPTION_BASE + DESCRIPTIONS * DESCRIPTION_WORDS;
export const PIPE_BASE = TERMINAL_BASE + TERMINALS * TERMINAL_WORDS;
export const RECORD_LOCK_BASE = PIPE_BASE + PIPES * PIPE_WORDS;

/** First byte of the rings; ring `n` lies at RING_OFFSET + n * PIPE_BYTES. */
export const RING_OFFSET = ((RECORD_LOCK_BASE + RECORD_LOCKS * RECORD_LOCK_WORDS) * 4 + 0xffff) & ~0xffff;

if (RING_OFFSET + PIPES * PIPE_BYTES > IPC_OFFSET + IPC_BYTES) throw new Error('the IPC region is too small');
