// Errors as node's C++ throws them: a plain Error, TypeError or RangeError with a `code` and nothing else.

/** The error of `THROW_ERR_*(env, message)`; properties of `extra` follow `code`. */
export function nodeError(
  Type: ErrorConstructor | TypeErrorConstructor | RangeErrorConstructor,
  code: string,
  message: string,
  extra?: Record<string, unknown>,
): Error {
  const error = new Type(message) as Error & Record<string, unknown>;
  error.code = code;
  if (extra) Object.assign(error, extra);
  return error;
}
