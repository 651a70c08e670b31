// `.env` files as node_dotenv.cc reads them (util.parseEnv, --env-file): the same order of rules, none of them a regular expression.

function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && ' \t\n'.includes(text[start])) start++;
  while (end > start && ' \t\n'.includes(text[end - 1])) end--;
  return text.slice(start, end);
}

/** Variables of a `.env` text in order; a later line wins. */
export function parseDotenv(source: string): Map<string, string> {
  const store = new Map<string, string>();
  let content = trimSpaces(source.replaceAll('\r', ''));
  while (content.length > 0) {
    if (content[0] === '\n' || content[0] === '#') {
      const newline = content.indexOf('\n');
      if (newline < 0) break;
      content = content.slice(newline + 1);
      continue;
    }
    const equal = content.indexOf('=');
    const lineEnd = content.indexOf('\n');
    if (equal < 0 || (lineEnd >= 0 && lineEnd < equal)) {
      // A line without an assignment says nothing.
      if (lineEnd < 0) break;
      content = trimSpaces(content.slice(lineEnd + 1));
      continue;
    }
    let key = trimSpaces(content.slice(0, equal));
    content = content.slice(equal + 1);
    if (content === '' || content[0] === '\n') {
      store.set(key, '');
      content = content.slice(1);
      continue;
    }
    // An assignment to nothing: what follows the sign is read anew.
    if (key === '') continue;
    if (key.startsWith('export ')) key = trimSpaces(key.slice(7));
    content = trimSpaces(content);
    if (content === '') {
      store.set(key, '');
      break;
    }
    content = readValue(content, key, store);
  }
  return store;
}

/** Stores the value at the start of `content` and returns what follows its line. */
function readValue(content: string, key: string, store: Map<string, string>): string {
  const quote = content[0];
  if (quote === '"' || quote === "'" || quote === '`') {
    const closing = content.indexOf(quote, 1);
    if (closing >= 0) {
      const value = content.slice(1, closing);
      store.set(key, quote === '"' ? value.replaceAll('\\n', '\n') : value);
      const newline = content.indexOf('\n', closing + 1);
      return newline < 0 ? '' : content.slice(newline + 1);
    }
    // Without its other half the quote is a character of a one-line value.
    const newline = content.indexOf('\n');
    const value = newline < 0 ? content : content.slice(0, newline);
    store.set(key, value);
    return newline < 0 ? '' : content.slice(newline + 1);
  }
  const newline = content.indexOf('\n');
  let value = newline < 0 ? content : content.slice(0, newline);
  const comment = value.indexOf('#');
  if (comment >= 0) value = value.slice(0, comment);
  store.set(key, trimSpaces(value));
  return newline < 0 ? '' : content.slice(newline + 1);
}
