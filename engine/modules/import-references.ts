// References to imports in a module's body: each becomes a read of the imported module's namespace, unless the name means something nearer.
import type { Edit } from './edits';
import type { Binding } from './module-shape';
import { END, NAME, original } from './names';

export interface ImportReferences {
  /** Visits what sees these names declared. */
  scoped: (names: Set<string>, visit: () => void) => void;
  /** Whether the name means an import here. */
  isImport: (name: string) => boolean;
  /** Rewrites an identifier; `called` as a function. */
  refer: (node: any, called: boolean) => void;
  /** Rewrites `{ name }` in an object. */
  referShorthand: (property: any) => void;
  /** Separates a statement from the line above, where no semicolon does; `first` is the first edit that is the statement's. */
  keepApart: (statement: any, first: number) => void;
}

/** The references of one module; rewritten ones are added to `edits`. */
export function importReferences(imports: Map<string, Binding>, edits: Edit[]): ImportReferences {
  const shadows: Set<string>[] = [];
  const target = (name: string): string | undefined => {
    const imported = imports.get(name);
    if (!imported || shadows.some((names) => names.has(name))) return undefined;
    const namespace = `${NAME.namespace}${imported.request}`;
    if (imported.name === '*') return namespace;
    return /^[A-Za-z_$][\w$]*$/.test(imported.name)
      ? `${namespace}.${imported.name}`
      : `${namespace}[${JSON.stringify(imported.name)}]`;
  };
  return {
    scoped(names, visit) {
      let shadowing = false;
      if (imports.size > 0) for (const name of names) shadowing ||= imports.has(name);
      if (shadowing) shadows.push(names);
      visit();
      if (shadowing) shadows.pop();
    },
    isImport: (name) => target(name) !== undefined,
    refer({ name, start, end }, called) {
      const text = target(name);
      if (!text) return;
      // (0, f)(): an imported function is called without a receiver.
      edits.push({ start, end, text: `${called && text.includes('.') ? `(0,${text})` : text}${original(name)}` });
    },
    referShorthand({ start, end, key, value }) {
      const text = target(value.name);
      if (text) edits.push({ start, end, text: `${key.name}:${text}${original(`:${key.name}`)}` });
    },
    keepApart({ type, start }, first) {
      if (imports.size === 0 || type !== 'ExpressionStatement') return;
      const [opening] = edits
        .slice(first)
        .filter((edit) => edit.start === start)
        .sort((a, b) => a.end - b.end);
      // A call of an import begins with `(`, which would go on with that line.
      if (opening?.text.startsWith('(')) edits.splice(first, 0, { start, end: start, text: `;${END}` });
    },
  };
}
