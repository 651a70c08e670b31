// Which files can be shown as a page. Apart from the page itself, whose code is loaded when the first one is shown.

/** True for the names that Markdown goes by. */
export function isMarkdown(path: string): boolean {
  return /\.(md|markdown|mdown)$/i.test(path);
}
