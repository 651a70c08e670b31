// Tags of V8's value serialisation, wire format version 15 (v8/src/objects/value-serializer.cc).

export const WIRE_VERSION = 15;

const code = (character: string): number => character.charCodeAt(0);

export const TAG = {
  version: 0xff,
  padding: 0,
  undefined: code('_'),
  null: code('0'),
  true: code('T'),
  false: code('F'),
  int32: code('I'),
  uint32: code('U'),
  double: code('N'),
  bigInt: code('Z'),
  utf8String: code('S'),
  oneByteString: code('"'),
  twoByteString: code('c'),
  reference: code('^'),
  object: code('o'),
  endObject: code('{'),
  sparseArray: code('a'),
  endSparseArray: code('@'),
  denseArray: code('A'),
  endDenseArray: code('$'),
  hole: code('-'),
  date: code('D'),
  trueObject: code('y'),
  falseObject: code('x'),
  numberObject: code('n'),
  bigIntObject: code('z'),
  stringObject: code('s'),
  regExp: code('R'),
  map: code(';'),
  endMap: code(':'),
  set: code("'"),
  endSet: code(','),
  arrayBuffer: code('B'),
  resizableArrayBuffer: code('~'),
  transferredArrayBuffer: code('t'),
  view: code('V'),
  sharedArrayBuffer: code('u'),
  hostObject: code('\\'),
  error: code('r'),
} as const;

/** Members of an error, until `end`; the first group says the class. */
export const ERROR_TAG = { message: code('m'), cause: code('c'), stack: code('s'), end: code('.') } as const;
export const ERROR_CLASSES: Record<string, number> = {
  EvalError: code('E'),
  RangeError: code('R'),
  ReferenceError: code('F'),
  SyntaxError: code('S'),
  TypeError: code('T'),
  URIError: code('U'),
};

/** Sub tag of a view by its class, in the format's letters. */
export const VIEW_TAGS: Record<string, number> = {
  Int8Array: code('b'),
  Uint8Array: code('B'),
  Uint8ClampedArray: code('C'),
  Int16Array: code('w'),
  Uint16Array: code('W'),
  Int32Array: code('d'),
  Uint32Array: code('D'),
  Float16Array: code('h'),
  Float32Array: code('f'),
  Float64Array: code('F'),
  BigInt64Array: code('q'),
  BigUint64Array: code('Q'),
  DataView: code('?'),
};
export const VIEW_FLAG = { lengthTracking: 1, resizable: 2 } as const;

/** Bit of each RegExp flag; `l` (linear) exists only in V8. */
export const REGEXP_FLAGS = 'gimyusldv';
