// errors: stack preparation, fatal exceptions and source positions.
import type { Binding } from '../process/environment';

export const errors: Binding = (environment) => {
  const { exceptions, traces } = environment;
  return Object.assign(environment.dumped('errors'), {
    setPrepareStackTraceCallback: traces.setCallback.bind(traces),
    setEnhanceStackForFatalException(beforeInspector: any, afterInspector: any) {
      exceptions.enhancers.beforeInspector = beforeInspector;
      exceptions.enhancers.afterInspector = afterInspector;
    },
    // Source maps are resolved by lib itself when --enable-source-maps is given.
    setGetSourceMapErrorSource() {},
    setSourceMapsEnabled() {},
    setMaybeCacheGeneratedSourceMap() {},
    noSideEffectsToString(value: unknown): string {
      if (typeof value === 'string') return value;
      if (typeof value === 'function') return Function.prototype.toString.call(value);
      if (value !== null && typeof value === 'object') {
        if (value instanceof Error) return Error.prototype.toString.call(value);
        return `#<${value.constructor?.name || 'Object'}>`;
      }
      return String(value);
    },
    triggerUncaughtException: (error: unknown, fromPromise: boolean) => exceptions.trigger(error, fromPromise),
    getErrorSourcePositions(error: object) {
      const site = traces.capture(error)?.[0];
      const script = site?.getScriptNameOrSourceURL() ?? '';
      const lineNumber = site?.getLineNumber() ?? 1;
      return {
        sourceLine: exceptions.sourceLine(script, lineNumber) ?? '',
        scriptResourceName: script,
        lineNumber,
        startColumn: (site?.getColumnNumber() ?? 1) - 1,
      };
    },
  });
};
