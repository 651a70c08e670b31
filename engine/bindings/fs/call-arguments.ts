// What node_file.cc itself refuses before a call begins: lib leaves file descriptors and access modes to it.
import { nodeError } from '../node-error';

const MAX_DESCRIPTOR = 0x7fffffff;
/** R_OK | W_OK | X_OK; the three flags of copyFile have the same range. */
const MAX_MODE = 7;

/** "type string ('x')", "an instance of Map", …: the value's kind in the words of node's C++ (lib's differ for functions and class instances). */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'function':
      return 'function';
    case 'object':
      return value === null ? 'null' : `an instance of ${className(value)}`;
    case 'string': {
      const text = value.length > 28 ? `${value.slice(0, 25)}...` : value;
      return `type string (${text.includes("'") ? JSON.stringify(text) : `'${text}'`})`;
    }
    case 'undefined':
    case 'symbol':
      return String(value);
    default:
      return `type ${typeof value} (${String(value)})`;
  }
}

function className(value: object): string {
  const tag = (value as any)[Symbol.toStringTag];
  if (typeof tag === 'string' && tag !== '') return tag;
  for (let prototype = Object.getPrototypeOf(value); prototype; prototype = Object.getPrototypeOf(prototype)) {
    const maker = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    if (typeof maker === 'function' && maker.name) return maker.name;
  }
  return 'Object';
}

/** Throws ERR_INVALID_ARG_TYPE or ERR_OUT_OF_RANGE for what is no file descriptor. */
export function validateDescriptor(fd: unknown): void {
  if (typeof fd !== 'number')
    throw nodeError(
      TypeError,
      'ERR_INVALID_ARG_TYPE',
      `The "fd" argument must be of type number. Received ${describeValue(fd)}`,
    );
  if (Number.isInteger(fd) && fd >= 0 && fd <= MAX_DESCRIPTOR) return;
  const must = Number.isInteger(fd) ? `>= 0 && <= ${MAX_DESCRIPTOR}` : 'an integer';
  throw nodeError(
    RangeError,
    'ERR_OUT_OF_RANGE',
    `The value of "fd" is out of range. It must be ${must}. Received ${fd}`,
  );
}

/** Throws for what is no mode of access() or copyFile(). */
export function validateMode(mode: unknown): void {
  if (mode === undefined || mode === null) return;
  if (typeof mode !== 'number')
    throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'mode must be int32 or null/undefined');
  if (!Number.isFinite(mode)) throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', 'mode is out of range');
  if (Math.trunc(mode) < 0 || Math.trunc(mode) > MAX_MODE)
    throw nodeError(RangeError, 'ERR_OUT_OF_RANGE', `mode is out of range: >= 0 && <= ${MAX_MODE}`);
}
