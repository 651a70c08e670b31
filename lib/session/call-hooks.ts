// The hooks of a project in the form in which a call meets them.
import type { RunToolOptions } from '../tools/run-tool';
import type { Tool } from '../tools/tool';
import type { HookedCall } from './session-hooks';
import type { SessionOptions } from './session-options';

/** For one call; what nobody hooks is absent. */
export function callHooks(
  { hooks = {} }: SessionOptions,
  call: Omit<HookedCall, 'tool'>,
  signal: AbortSignal,
): Pick<RunToolOptions, 'before' | 'after' | 'environment'> {
  const { beforeCall, afterCall, environment } = hooks;
  const hooked = (tool: Tool): HookedCall => ({ ...call, tool: tool.name });
  return {
    ...(beforeCall && { before: (tool, input) => beforeCall(hooked(tool), input, signal) }),
    ...(afterCall && { after: (tool, input, result) => afterCall(hooked(tool), input, result, signal) }),
    ...(environment && { environment: (directory) => environment({ ...call, directory }, signal) }),
  };
}
