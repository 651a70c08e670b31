// What the scripts of a vm context declare at their top level. let, const and class are seen by all of its scripts and are no properties of its
// object; var and function are, and must not have the same names (GlobalDeclarationInstantiation of ECMA-262).

interface Lexical {
  value: unknown;
  isConst: boolean;
  /** `lost`: its script ended before the declaration was reached. */
  state: 'declared' | 'given' | 'lost';
}

export class ContextNames {
  private readonly lexicals = new Map<string, Lexical>();
  private readonly variables = new Set<string>();

  /** Declares the names of a script that begins; `lexicals` says which are constants. Throws a SyntaxError. Returns what is to be called when it has ended. */
  declare(lexicals: ReadonlyMap<string, boolean>, variables: ReadonlySet<string>): () => void {
    for (const name of [...lexicals.keys(), ...variables])
      if (this.lexicals.has(name) || (lexicals.has(name) && this.variables.has(name)))
        throw new SyntaxError(`Identifier '${name}' has already been declared`);
    for (const name of variables) this.variables.add(name);
    const begun = [...lexicals].map(([name, isConst]): Lexical => {
      const lexical: Lexical = { value: undefined, isConst, state: 'declared' };
      this.lexicals.set(name, lexical);
      return lexical;
    });
    return () => {
      for (const lexical of begun) if (lexical.state === 'declared') lexical.state = 'lost';
    };
  }

  /** Whether it is a let, const or class. */
  has(name: PropertyKey): boolean {
    return typeof name === 'string' && this.lexicals.has(name);
  }

  /** Its value; throws a ReferenceError where the language does. */
  read(name: string): unknown {
    const lexical = this.lexicals.get(name)!;
    if (lexical.state === 'given') return lexical.value;
    throw new ReferenceError(
      lexical.state === 'lost' ? `${name} is not defined` : `Cannot access '${name}' before initialization`,
    );
  }

  /** Gives it a value: the first one is its declaration's. Throws where the language does. */
  write(name: string, value: unknown): void {
    const lexical = this.lexicals.get(name)!;
    if (lexical.state === 'lost') throw new ReferenceError(`${name} is not defined`);
    if (lexical.state === 'given' && lexical.isConst) throw new TypeError('Assignment to constant variable.');
    lexical.value = value;
    lexical.state = 'given';
  }
}
