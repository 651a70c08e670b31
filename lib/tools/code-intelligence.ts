// What a language service knows of a project, as tools ask for it: errors, where things are defined and used, and the edits of a rename.

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

/** Paths are absolute. Positions must lie in the file; what is not found is an empty answer. Every call ends when the signal aborts. */
export interface CodeIntelligence {
  /** Whether it knows this kind of file. */
  covers(path: string): boolean;
  /** Resolves when it has seen exactly this text of the file; false when it did not in time. */
  knows(path: string, text: string, timeoutMs: number): Promise<boolean>;
  errors(path: string): Promise<CodeError[]>;
  definition(place: CodePlace): Promise<CodePlace[]>;
  references(place: CodePlace): Promise<CodePlace[]>;
  hover(place: CodePlace): Promise<string | undefined>;
  symbols(path: string): Promise<CodeSymbol[]>;
  /** By file; undefined when what is there can't be renamed, with the reason. */
  rename(place: CodePlace, newName: string): Promise<{ edits: Map<string, CodeEdit[]> } | { refused: string }>;
}
