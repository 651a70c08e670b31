// What became of a tool's or plugin's file, in words.
import { type ExtensionState, whyNotUsed } from '../../lib/extensions/extensions';

/** One line for each thing that there is to know. */
export function extensionLines(state: ExtensionState): string[] {
  const { status, problems } = state;
  if (status.kind !== 'running') return [whyNotUsed(state), ...problems];
  const { tools, refused, hooks, unsupported } = status.loaded;
  return [
    ...(tools.length > 0 ? [`Tools: ${tools.map(({ id }) => id).join(', ')}.`] : []),
    ...(hooks.length > 0 ? [`Hooks: ${hooks.join(', ')}.`] : []),
    ...(unsupported.length > 0 ? [`Not called here: ${unsupported.join(', ')}.`] : []),
    ...refused.map(({ id, why }) => `${id}: ${why}`),
    ...problems,
  ];
}
