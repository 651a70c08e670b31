// Keys as text: `Mod+Shift+P`. `Mod` is Command on a Mac and Control elsewhere; a binding is compared in one canonical spelling.

/** The members of KeyboardEvent that matter here. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const order = ['Ctrl', 'Mod', 'Alt', 'Shift'] as const;
type Modifier = (typeof order)[number];

/** True on Apple's keyboards. */
export function isMac(): boolean {
  return typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);
}

/** The one spelling of a binding: modifiers in order, letters in capitals; off the Mac `Ctrl` is `Mod`. Undefined when it has no key. */
export function canonicalKeys(binding: string, mac: boolean): string | undefined {
  const parts = binding.split('+');
  // `Mod++` is the plus key.
  const key = binding.endsWith('++') ? '+' : parts.pop()!.trim();
  const modifiers = new Set<Modifier>();
  for (const part of parts) {
    const name = part.trim().toLowerCase();
    if (name === '') continue;
    if (name === 'mod' || name === 'cmd' || (name === 'ctrl' && !mac)) modifiers.add('Mod');
    else if (name === 'ctrl') modifiers.add('Ctrl');
    else if (name === 'alt') modifiers.add('Alt');
    else if (name === 'shift') modifiers.add('Shift');
    else return undefined;
  }
  if (key === '' || order.some((name) => name.toLowerCase() === key.toLowerCase())) return undefined;
  return [...order.filter((name) => modifiers.has(name)), key.length === 1 ? key.toUpperCase() : key].join('+');
}

/** The binding that a key press means, or undefined while only modifiers are down. */
export function keysOf(press: KeyPress, mac: boolean): string | undefined {
  const key = keyName(press);
  if (key === undefined) return undefined;
  const parts: string[] = [];
  if (press.ctrlKey) parts.push(mac ? 'Ctrl' : 'Mod');
  if (press.metaKey && mac) parts.push('Mod');
  if (press.altKey) parts.push('Alt');
  if (press.shiftKey) parts.push('Shift');
  return canonicalKeys([...parts, key].join('+'), mac);
}

function keyName({ key, code }: KeyPress): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'Dead', 'Process', 'Unidentified'].includes(key))
    return key === 'Dead' && code === 'Backquote' ? '`' : undefined;
  if (key === ' ') return 'Space';
  // Option on a Mac and Shift change the character of digits and of letters; other alphabets have none of ours: then the place counts.
  if (code.startsWith('Digit')) return code.slice(5);
  if (code === 'Backquote') return '`';
  if (code === 'Backslash') return '\\';
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (code.startsWith('Key')) return code.slice(3);
  return key;
}

/** As people read it: `⇧⌘P` on a Mac, `Ctrl+Shift+P` elsewhere. */
export function showKeys(binding: string, mac: boolean): string {
  const canonical = canonicalKeys(binding, mac);
  if (canonical === undefined) return '';
  const parts = canonical.endsWith('++') ? [...canonical.slice(0, -2).split('+'), '+'] : canonical.split('+');
  const names: Record<string, string> = mac
    ? { Ctrl: '⌃', Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩', ArrowUp: '↑', ArrowDown: '↓', Backspace: '⌫' }
    : { Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓' };
  const shown = parts.map((part) => names[part] ?? part);
  if (!mac) return shown.join('+');
  // Apple's order is ⌃⌥⇧⌘.
  const rank = ['⌃', '⌥', '⇧', '⌘'];
  return [...rank.filter((sign) => shown.includes(sign)), ...shown.filter((sign) => !rank.includes(sign))].join('');
}

/**
 * Whether a terminal in focus leaves this press to the IDE. Off the Mac, Control with a letter belongs to the shell (Ctrl+P is the previous
 * line there), so only keys with Shift or Alt and Ctrl+` pass. F6 always does: it is the way out. The other function keys are the program's.
 */
export function passesTerminal(binding: string, mac: boolean): boolean {
  const parts = binding.split('+');
  const key = parts.at(-1)!;
  if (key === 'F6') return true;
  if (mac) return parts.includes('Mod') || (parts.includes('Ctrl') && key === '`');
  if (parts.includes('Mod')) return parts.includes('Shift') || parts.includes('Alt') || key === '`';
  return false;
}

/** Binding → command id; of two commands with one binding, the one that the person set wins. */
export function bindingTable(
  commands: readonly { id: string; keys?: string | readonly string[] }[],
  custom: Readonly<Record<string, string | null>>,
  mac: boolean,
): Map<string, string> {
  const table = new Map<string, string>();
  for (const command of commands) {
    if (command.id in custom) continue;
    for (const keys of [command.keys ?? []].flat()) {
      const canonical = canonicalKeys(keys, mac);
      if (canonical !== undefined && !table.has(canonical)) table.set(canonical, command.id);
    }
  }
  for (const command of commands) {
    const keys = custom[command.id];
    const canonical = typeof keys === 'string' ? canonicalKeys(keys, mac) : undefined;
    if (canonical !== undefined) table.set(canonical, command.id);
  }
  return table;
}
