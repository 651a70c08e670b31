// What the model reads about read.

export const readPrompt = {
  description: `Reads a text file, shows an image or a PDF document, or lists a directory.

- path: relative to the project or absolute.
- offset: the first line to show, 1-based (default 1).
- limit: how many lines (default and maximum 2000).
- column: the first character to show of each line, 1-based, to read on in a line that was cut (up to 20000 characters of it; set limit too).
- encoding: only for text that is not Unicode, for example gbk, shift_jis or windows-1252. Such files can be read, not edited.
- depth: for a directory, how many levels to show as a tree (1 to 6); from 2 on, what .gitignore excludes is left out and counted.

Lines come as "12: text"; the number and the colon are not part of the file. Unsaved text of the editor counts. Output of a tool that was too long is kept whole under a name such as output://1f2e…: read that like a file, with offset and limit.`,
  missing: (path: string, near: string[]) =>
    `${path} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ' Use glob to look for it.'}`,
  binary: (path: string, what: string) => `${path} can't be shown as text: ${what}.`,
  legacy: (path: string, what: string) =>
    `${path} can't be shown as text: ${what}. If it is text in an older encoding, name it: encoding "gbk", "shift_jis", "windows-1252" …`,
  special: (path: string) => `${path} is neither a file nor a directory (a device, a pipe or a socket).`,
  unknownEncoding: (encoding: string) =>
    `There is no encoding ${JSON.stringify(encoding)}. Name one of the web's, for example gbk, big5, shift_jis, euc-kr, windows-1252, iso-8859-2 or koi8-r.`,
  notInEncoding: (path: string, encoding: string) => `${path} is not valid ${encoding}.`,
  tooLarge: (path: string, words: string, bytes: number, most: number) =>
    `${path} is ${words} of ${bytes} bytes; at most ${most} can be shown.`,
  shown: (words: string, bytes: number) => `It is ${words}, ${bytes} bytes.`,
  beyond: (path: string, offset: number, total: number) =>
    `offset ${offset} is beyond the end: ${path} has ${total} line${total === 1 ? '' : 's'}.`,
  more: (from: number, to: number, total: number) => `(lines ${from}-${to} of ${total}; go on with offset ${to + 1})`,
  end: (total: number) => `(end of file, ${total} line${total === 1 ? '' : 's'})`,
  entries: (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`,
  tree: (files: number, directories: number, ignored: number, cut: boolean) => {
    const parts = [
      `${files} file${files === 1 ? '' : 's'}`,
      `${directories} director${directories === 1 ? 'y' : 'ies'}`,
    ];
    if (ignored > 0) parts.push(`${ignored} ignored left out`);
    return `(${parts.join(', ')}${cut ? '; this is not all: name a directory or a smaller depth' : ''})`;
  },
};
