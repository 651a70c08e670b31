// Compiles lib's sources on demand. They lie in memory that all workers share, as UTF-8 with an index: only what is compiled becomes a string.
// What a start does not need may still be on its way: then the worker blocks, because require() cannot wait.
import { LIB_TEXTS, type LibText, type ProcessAssets } from '../kernel/protocol';
import { takeText } from '../memory/shared-text';
import type { BrowserGlobals } from './environment';

/** Parameters of a builtin's wrapper function, as node_builtins.cc passes them. */
export function wrapperParameters(id: string): string[] {
  if (id === 'internal/bootstrap/realm') return ['process', 'getLinkedBinding', 'getInternalBinding', 'primordials'];
  if (id.startsWith('internal/per_context/')) return ['exports', 'primordials', 'privateSymbols', 'perIsolateSymbols'];
  if (id.startsWith('internal/main/') || id.startsWith('internal/bootstrap/')) {
    return ['process', 'require', 'internalBinding', 'primordials'];
  }
  return ['exports', 'require', 'module', 'process', 'internalBinding', 'primordials'];
}

/** Offset of each line. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

export class BuiltinSources {
  private readonly browser: BrowserGlobals;
  private readonly assets: ProcessAssets;
  private readonly decoder: TextDecoder;
  private readonly compiled = new Map<string, Function>();
  private readonly lineStarts = new Map<string, number[]>();

  constructor(browser: BrowserGlobals, assets: ProcessAssets) {
    this.browser = browser;
    this.assets = assets;
    this.decoder = new browser.TextDecoder();
  }

  /** Source text of a builtin as Node has it, or undefined when there is none of that id. */
  source(id: string): string | undefined {
    let text = this.compiledText(id);
    const insertions = this.insertions(id);
    for (let index = insertions.length - 2; index >= 0; index -= 2) {
      const at = insertions[index];
      text = `${text?.slice(0, at)}${text?.slice(at + insertions[index + 1])}`;
    }
    return text;
  }

  /** The 1-based column in Node's source for one in the compiled text of `node:<id>`. */
  column(id: string, line: number, column: number): number {
    const insertions = this.insertions(id);
    if (insertions.length === 0) return column;
    const starts = this.lineStarts.get(id) ?? lineStarts(this.compiledText(id) as string);
    this.lineStarts.set(id, starts);
    const start = starts[line - 1] ?? 0;
    let shift = 0;
    for (let index = 0; index < insertions.length; index += 2) {
      const at = insertions[index];
      if (at >= start && at < start + column - 1) shift += Math.min(insertions[index + 1], start + column - 1 - at);
    }
    return column - shift;
  }

  private compiledText(id: string): string | undefined {
    const found = this.libText(id);
    if (!found) return undefined;
    const [start, end] = found.index[id];
    // A copy: browsers decode only what nobody else can write to.
    return this.decoder.decode(takeText(found.text).slice(start, end));
  }

  private insertions(id: string): number[] {
    return this.libText(id)?.index[id].slice(2) ?? [];
  }

  private libText(id: string): LibText | undefined {
    for (const name of LIB_TEXTS) {
      const found = this.assets.lib[name];
      if (Object.hasOwn(found.index, id)) return found;
    }
    return undefined;
  }

  /** The builtin's wrapper function; throws for an unknown id. */
  compile(id: string): Function {
    let compiled = this.compiled.get(id);
    if (!compiled) {
      const source = this.compiledText(id);
      if (source === undefined) throw new Error(`No such built-in module: ${id}`);
      compiled = this.browser.evaluate(
        `(function (${wrapperParameters(id).join(', ')}) {${source}\n})\n//# sourceURL=node:${id}`,
      ) as Function;
      this.compiled.set(id, compiled);
    }
    return compiled;
  }

  /** The bytes of a part that is fetched on first use (manifest's `parts`). */
  part(name: string): Uint8Array<ArrayBuffer> {
    return this.fetchNow(this.assets.partUrls[name]);
  }

  private fetchNow(url: string): Uint8Array<ArrayBuffer> {
    const request = new this.browser.XMLHttpRequest();
    request.open('GET', url, false);
    request.responseType = 'arraybuffer';
    request.send();
    if (request.status !== 200) {
      throw new Error(`Could not load a part of Node's library: ${url} answered ${request.status}`);
    }
    return new Uint8Array(request.response);
  }
}
