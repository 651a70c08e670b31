// What the practice model understands: plain requests, each a small plan of tool calls. It is not an AI: a request either matches one of
// these patterns or it says that it does not.
import { parseJson } from '../std/json';
import { practiceRepairs } from './practice-repairs';

/** One tool call of a plan. */
export interface PlannedCall {
  tool: string;
  input: Record<string, unknown>;
}

/** What came back from it. */
export interface PlannedResult {
  output: string;
  failed: boolean;
}

/** Yields the calls of one step (they run in parallel), gets their results, returns what to say at the end. */
export type Plan = Generator<PlannedCall[], string, PlannedResult[]>;

export const practiceHelp = `I am the practice model: not an AI, only a few patterns that use the real tools. I understand requests such as

- list the files
- read src/main.ts
- fetch https://example.org
- find TODO
- run npm test
- replace "old" by "new" in src/main.ts
- create notes.txt with some text
- delete notes.txt
- call TOOL with {"its": "input"}
- fix the failing test (in the shipped example)

and several of them joined by "then". For everything else choose a model in the menu; you can use your own key.`;

const quoted = /^(["'`“])([\s\S]*?)["'`”]$/;

function unquoted(text: string): string {
  const trimmed = text.trim();
  return quoted.exec(trimmed)?.[2] ?? trimmed;
}

function fileName(text: string): string {
  return unquoted(text.replace(/^(the )?(file|directory|folder) /i, '')).replace(/[?!]$/, '');
}

const patterns: [RegExp, (match: RegExpExecArray) => Plan][] = [
  [
    /^(?:list|show|what are)(?: me)?(?: all)?(?: the| my)? files(?: (?:in|of|below) (.+?))?[.?!]?$/i,
    (match) => listFiles(match[1]),
  ],
  [/^ls(?: (\S+))?$/i, (match) => listFiles(match[1])],
  [/^(?:please )?(?:fix|repair|mend) (?:the |this |that )?(?:failing |broken )?tests?[.!]?$/i, () => fixTest()],
  [
    /^(?:fetch|get|download|open|read)(?: the)?(?: page| url)? (https?:\/\/\S+?)[.!?]?$/i,
    (match) => fetchPage(match[1]!),
  ],
  [/^(?:read|open|show|print|cat)(?: me)? (.+?)[.!]?$/i, (match) => readFiles(match[1]!)],
  [
    /^(?:find|search(?: for)?|grep(?: for)?|look for) (.+?)(?: in ((?:[\w.@-]+\/)*[\w.@-]+\/?))?[.?!]?$/i,
    (match) => find(match[1]!, match[2]),
  ],
  [
    /^replace ([\s\S]+?) (?:by|with) ([\s\S]*?) in (\S+?)[.!]?$/i,
    (match) => replaceText(match[1]!, match[2]!, match[3]!),
  ],
  [
    /^(?:create|write|make|add)(?: a| the)?(?: new)?(?: file)?(?: called| named)? (\S+?) (?:with|containing)(?: the)?(?: text| content| contents)?:?\s([\s\S]+)$/i,
    (match) => createFile(match[1]!, match[2]!),
  ],
  [/^(?:delete|remove)(?: the file)? (\S+?)[.!]?$/i, (match) => run(`rm ${shellQuoted(unquoted(match[1]!))}`)],
  [/^(?:run|execute|start)(?: the)?(?: command)? (?:tests?|test suite)[.!]?$/i, () => run('npm test')],
  [/^(?:run|execute)(?: the)?(?: command)? ([\s\S]+)$/i, (match) => run(unquoted(match[1]!))],
  [/^call ([A-Za-z0-9_-]+)(?: with)? (\{[\s\S]*\})$/i, (match) => callTool(match[1]!, match[2]!)],
  [/^((?:npm|npx|node|git|bash|sh) [\s\S]+)$/, (match) => run(match[1]!)],
];

/** The plan for a request, or undefined when there is none. */
export function planFor(request: string): Plan | undefined {
  const text = request.trim().replace(/^(?:please|now|can you|could you)[, ]+/i, '');
  // A word `then` inside of quotes or of a file's text is not a joint.
  const joined = /["'`“]/.test(text) ? [text] : text.split(/[,;.]?\s+(?:and )?then\s+/i);
  const plans: Plan[] = [];
  for (const part of joined) {
    const plan = planForOne(part.trim());
    if (plan === undefined) return undefined;
    plans.push(plan);
  }
  return inOrder(plans);
}

function planForOne(text: string): Plan | undefined {
  for (const [pattern, plan] of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return plan(match);
  }
  return undefined;
}

function* inOrder(plans: Plan[]): Plan {
  const said: string[] = [];
  for (const plan of plans) said.push(yield* plan);
  return said.join('\n\n');
}

function* listFiles(directory: string | undefined): Plan {
  const path = directory === undefined ? {} : { path: fileName(directory) };
  const [result] = yield [{ tool: 'glob', input: { pattern: '**', limit: 200, ...path } }];
  return result!.failed ? failure(result!) : 'Those are the files. Say "read" and a name to see one.';
}

function* readFiles(names: string): Plan {
  const files = names.split(/\s*,\s*|\s+and\s+/).map(fileName);
  const results = yield files.map((path) => ({ tool: 'read', input: { path } }));
  const failed = results.filter((result) => result.failed);
  if (failed.length > 0) return failed.map(failure).join('\n');
  return files.length === 1 ? `That is ${files[0]}.` : `Those are ${files.join(' and ')}.`;
}

function* fetchPage(url: string): Plan {
  const [result] = yield [{ tool: 'webfetch', input: { url } }];
  return result!.failed ? failure(result!) : `That is what ${url} says; open the line above to read it.`;
}

function* callTool(tool: string, json: string): Plan {
  const parsed = parseJson(json);
  if (!parsed.ok) return `The input of ${tool} is not JSON: ${parsed.message}`;
  const [result] = yield [{ tool, input: parsed.value as Record<string, unknown> }];
  return result!.failed ? failure(result!) : `${tool} answered: ${result!.output.slice(0, 400)}`;
}

function* find(what: string, where: string | undefined): Plan {
  const path = where === undefined ? {} : { path: fileName(where) };
  const [result] = yield [{ tool: 'grep', input: { pattern: unquoted(what), literal: true, ...path } }];
  if (result!.failed) return failure(result!);
  return result!.output.startsWith('No matches')
    ? `"${unquoted(what)}" is nowhere in there.`
    : `That is where "${unquoted(what)}" occurs.`;
}

function* run(command: string): Plan {
  const [result] = yield [{ tool: 'bash', input: { command } }];
  if (result!.failed) return failure(result!);
  const code = /\[exit code (\d+);/.exec(result!.output)?.[1];
  if (code === '0') return `\`${command}\` ended well.`;
  return code === undefined
    ? `\`${command}\` did not end by itself.`
    : `\`${command}\` ended with exit code ${code}; its output says why.`;
}

function* replaceText(from: string, to: string, file: string): Plan {
  const path = fileName(file);
  const [read] = yield [{ tool: 'read', input: { path } }];
  if (read!.failed) return failure(read!);
  const [edit] = yield [
    { tool: 'edit', input: { path, oldString: unquoted(from), newString: unquoted(to), replaceAll: true } },
  ];
  return edit!.failed ? failure(edit!) : `Done: ${edit!.output.split('\n')[0]}`;
}

function* createFile(name: string, text: string): Plan {
  const content = unquoted(text);
  const [result] = yield [
    { tool: 'write', input: { path: fileName(name), content: content.endsWith('\n') ? content : `${content}\n` } },
  ];
  return result!.failed ? failure(result!) : `Done: ${result!.output.split('\n')[0]}`;
}

function* fixTest(): Plan {
  const [first] = yield [{ tool: 'bash', input: { command: 'npm test' } }];
  if (first!.failed) return failure(first!);
  if (/\[exit code 0;/.test(first!.output)) return 'All tests pass already; there is nothing to fix.';
  const test = /([\w./-]*?)([\w-]+)\.test\.([cm]?[jt]sx?)/.exec(first!.output.replaceAll('file://', ''));
  if (test === null)
    return 'A test fails, but I could not read from the output which file it is in. A real model could look further.';
  const [found] = yield [{ tool: 'glob', input: { pattern: `**/${test[2]}.${test[3]}` } }];
  const source = found!.output.split('\n')[0]!;
  if (found!.failed || !source.endsWith(`${test[2]}.${test[3]}`))
    return `${test[0]} fails, but I found no ${test[2]}.${test[3]} that it tests.`;
  const [read] = yield [{ tool: 'read', input: { path: source } }];
  if (read!.failed) return failure(read!);
  const repair = practiceRepairs.find((one) => read!.output.includes(one.wrong));
  if (repair === undefined)
    return `The failing test is about ${source}. I only know the mistakes of the shipped examples, and this is none of them: it needs a real model, or you.`;
  const [edit] = yield [{ tool: 'edit', input: { path: source, oldString: repair.wrong, newString: repair.right } }];
  if (edit!.failed) return failure(edit!);
  const [again] = yield [{ tool: 'bash', input: { command: 'npm test' } }];
  if (again!.failed) return failure(again!);
  return /\[exit code 0;/.test(again!.output)
    ? `${repair.why} I changed that in ${source}, and now all tests pass. (I knew this mistake: it is part of the shipped example.)`
    : `${repair.why} I changed that in ${source}, but the tests still fail.`;
}

function failure(result: PlannedResult): string {
  return `That did not work. ${result.output.split('\n')[0]}`;
}

function shellQuoted(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
