// Text that a person decides about must look like what it is. Unicode has characters that turn the order of others around, take no room, or hide whole
// sentences; in a command or in a file's name they are shown by their numbers.

/** Controls but tab and line feed, format characters (bidi, zero width, tags), and letters and marks that draw nothing. */
const hidden =
  /(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|\u2800|\u3164|\uffa0|[\u{e0100}-\u{e01ef}]|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** `text` with every character that can't be seen as `⟨U+202E⟩`. Tabs, line feeds and the joiners inside emoji stay. */
export function visibleText(text: string): string {
  return text.replace(hidden, byNumber);
}

/** A file's name on one line: as visibleText, and tabs, line feeds and blanks at its ends by number too. */
export function visibleName(name: string): string {
  return visibleText(name.replace(/[\t\n]|^ +| +$/g, (characters) => Array.from(characters, byNumber).join('')));
}

function byNumber(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
