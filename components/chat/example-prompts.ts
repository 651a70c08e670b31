// The prompts that the empty panel offers: the practice model can do all of them, and so can any other.

/** Three that suit the files of the project (names at its top level, and whether there is a failing example to fix). */
export function examplePrompts(files: readonly string[], scripts: Readonly<Record<string, unknown>>): string[] {
  const prompts = ['List the files'];
  const readable =
    ['README.md', 'index.js', 'server.js', 'index.html', 'package.json'].find((name) => files.includes(name)) ??
    files.find((name) => /\.\w+$/.test(name) && !name.startsWith('.'));
  prompts.push('test' in scripts ? 'Fix the failing test' : readable ? `Read ${readable}` : 'Run node --version');
  prompts.push(`Create notes.md with a first note`);
  return prompts;
}
