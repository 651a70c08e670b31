// What a language service knows of a project, as tools ask for it: errors, where things are defined and used, and what it would change. It works on
// texts that move on, so what it says of a file comes with the text that it is about.

/** 1-based line and column (UTF-16 units). */
export interface CodePlace {
  path: string;
  line: number;
  column: number;
}

export interface CodeError extends CodePlace {
  message: string;
}

export interface CodeSymbol extends CodePlace {
  name: string;
  kind: string;
  /** 0 for what stands at the top of the file. */
  depth: number;
}

/** A replacement in a file: offsets in UTF-16 units. */
export interface CodeEdit {
  start: number;
  end: number;
  text: string;
}

/** What is wrong in one version of a file. */
export interface CodeErrors {
  /** The text that they are about. */
  text: string;
  errors: CodeError[];
}

/** What is to become of files. Paths are absolute. */
export interface CodeChange {
  /** `base`: the text that the offsets are about. */
  edits: Map<string, { base: string; edits: CodeEdit[] }>;
  /** Files that are to be made. */
  created: Map<string, string>;
}

/** Something that the language service can do about an error or a hint. */
export interface CodeAction {
  title: string;
  error: CodeError;
  /** It does the same about every error of this kind in the file. */
  isForAll: boolean;
  /** Undefined when the file is not what it was about any more. */
  change(): Promise<CodeChange | undefined>;
}

/** Paths are absolute. Positions must lie in the file; what is not found is an empty answer. Every call ends when the signal aborts. */
export interface CodeIntelligence {
  /** Whether it knows this kind of file. */
  covers(path: string): boolean;
  /** Resolves when it has seen exactly this text of the file; false when it did not in time. */
  knows(path: string, text: string, timeoutMs: number): Promise<boolean>;
  /** Undefined when the text moves on faster than it can be judged, or is not known. */
  errors(path: string): Promise<CodeErrors | undefined>;
  definition(place: CodePlace): Promise<CodePlace[]>;
  references(place: CodePlace): Promise<CodePlace[]>;
  hover(place: CodePlace): Promise<string | undefined>;
  symbols(path: string): Promise<CodeSymbol[]>;
  /** `refused`: why what is there can't be renamed. */
  rename(place: CodePlace, newName: string): Promise<{ change: CodeChange } | { refused: string }>;
  /** What can be done about what is wrong or could be better, in the whole file or on one line; `text` is what they are about. */
  actions(path: string, line?: number): Promise<{ text: string; actions: CodeAction[] } | undefined>;
  /** Imports that are not used are gone, the others sorted and merged. */
  organizeImports(path: string): Promise<CodeChange | undefined>;
}
