// What hooks answered, read with distrust: only what they may change counts, and what they may not is told.

import { isRecord } from '../std/json';
import type { ToolResult } from '../tools/tool';
import type { HookedSettings, HookWord } from './hook-types';

const maxTextUnits = 2_000_000;
const maxMetadataUnits = 200_000;

/** *Throws* an Error for what is no effect: the caller takes that for a denial. An allowance is told and does nothing. */
export function wordOf(answer: unknown, key: 'effect' | 'status', note: (problem: string) => void): HookWord {
  const { [key]: said, message } = (answer ?? {}) as Record<string, unknown>;
  const remark = typeof message === 'string' ? { message: message.slice(0, 2000) } : {};
  switch (said) {
    case undefined:
    case 'unchanged':
      return { effect: 'unchanged' };
    case 'allow':
      note('A hook wanted to allow a call. Hooks of a project can only forbid or ask, so it changed nothing.');
      return { effect: 'unchanged' };
    case 'ask':
    case 'deny':
      return { effect: said, ...remark };
    default:
      throw new Error(`it answered with ${key} ${JSON.stringify(said)?.slice(0, 80)}`);
  }
}

const order = { unchanged: 0, ask: 1, deny: 2 };

/** Of two words the one that narrows more, the first when they are alike. */
export function stricter(first: HookWord, second: HookWord): HookWord {
  return order[second.effect] > order[first.effect] ? second : first;
}

/** The metadata as hooks see them: what a tool of the project gave stands among the others. */
export function metadataGiven({ meta = {} }: ToolResult): Record<string, unknown> {
  const { extra, ...own } = meta;
  return { ...(isRecord(extra) ? extra : {}), ...own };
}

/** Title and text are the hook's; of the metadata it may add members, since views rely on the others. */
export function mergedResult(result: ToolResult, answer: unknown, note: (problem: string) => void): ToolResult {
  if (!isRecord(answer)) return result;
  const { title, output, metadata } = answer;
  const { extra: _extra, ...own } = result.meta ?? {};
  const extra: Record<string, unknown> = {};
  if (isRecord(metadata) && JSON.stringify(metadata).length <= maxMetadataUnits)
    for (const [key, value] of Object.entries(metadata)) {
      if (!Object.hasOwn(own, key)) extra[key] = value;
      else if (JSON.stringify(value) !== JSON.stringify(own[key]))
        note(`A hook wanted to change the metadata ${key} of a call. Hooks may add members, so it stayed.`);
    }
  return {
    ...result,
    ...(typeof title === 'string' ? { title: title.split('\n')[0]!.slice(0, 200) } : {}),
    ...(typeof output === 'string' && output !== result.output ? { output: output.slice(0, maxTextUnits) } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { meta: { ...own, extra } }),
  };
}

const limits: Record<keyof HookedSettings, [least: number, most: number, isWhole: boolean]> = {
  temperature: [0, 2, false],
  topP: [0, 1, false],
  topK: [1, 1000, true],
  maxOutputTokens: [1, 1_000_000, true],
};

/** The settings with what the hook set; what is out of bounds or unknown is told and left. */
export function readSettings(answer: unknown, now: HookedSettings, note: (problem: string) => void): HookedSettings {
  if (!isRecord(answer)) return now;
  const settings = { ...now };
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined || value === null) continue;
    if (key === 'options' && isRecord(value) && Object.keys(value).length === 0) continue;
    const limit = Object.hasOwn(limits, key) ? limits[key as keyof HookedSettings] : undefined;
    if (limit === undefined) {
      const what = key === 'options' && isRecord(value) ? `options (${Object.keys(value).join(', ')})` : key;
      note(`chat.params: ${what.slice(0, 200)} can’t be set here.`);
    } else if (typeof value !== 'number' || !(value >= limit[0] && value <= limit[1]) || (limit[2] && value % 1 !== 0))
      note(`chat.params: ${key} must be a ${limit[2] ? 'whole ' : ''}number from ${limit[0]} to ${limit[1]}.`);
    else settings[key as keyof HookedSettings] = value;
  }
  return settings;
}
