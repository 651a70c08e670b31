// A shell command as facts that rules can judge: which programs run with which words, and which files are written or read.
// It is parsed by a real shell parser, wrappers are looked through, and what can't be understood is opaque: it must be asked about as text.
import { FactReader } from './fact-reader';
import { type BashFacts, factLists } from './shell-facts';

const maxLength = 65_536;

/** Reads `source` as bash run in `cwd` (absolute). Never throws. */
export function bashFacts(source: string, cwd: string, home = '/root'): BashFacts {
  const facts: BashFacts = {
    commands: [],
    always: [],
    writes: [],
    reads: [],
    visits: [],
    mentions: [],
    perhaps: [],
    maybeReads: [],
    readGlobs: [],
  };
  const reader = new FactReader(facts, [cwd], home);
  if (source.length > maxLength) reader.opaque('it is too long to be read');
  else readScript(reader, source);
  reader.countHints();
  if (facts.opaque === undefined && facts.commands.length === 0 && facts.writes.length === 0)
    facts.opaque = 'it runs no program that could be recognised';
  if (facts.opaque !== undefined || reader.unsavable) facts.always = [];
  for (const key of factLists) facts[key] = [...new Set(facts[key])];
  return facts;
}

function readScript(reader: FactReader, source: string): void {
  try {
    reader.script(source, 0);
  } catch {
    // The parser resolves nested scripts late and may run out of stack in the middle of a visit.
    reader.opaque('it could not be parsed');
  }
}
