// What the model reads about execute.

export const executePrompt = {
  description: (
    catalogue: string,
  ) => `Runs a JavaScript program that calls tools as functions. You see only what it returns and prints, so use it where many calls follow a pattern, or where results are to be filtered, joined or counted: search, look into every hit, answer with the few lines that matter. For one or two calls use the tools themselves; tools below that you were not given are there in programs alone.

- code: the body of an async function in plain JavaScript, without types and imports. Return a value, or end with an expression.
- title: what it does in a few words, for the person.
- timeoutMs: how long it may take (default 120000, at most 600000), without the time that the person takes to answer.

await tools.NAME(input) takes what the tool of that name takes and resolves with its value; when the tool says no it rejects with an error that you may catch. Run independent calls with Promise.all (8 run at a time, 200 are allowed). Rules and questions to the person are those of the tools. console.log prints. Nothing else can be reached: no files, network or modules but through tools. Wait for every call: those that still run at the end are stopped.

${catalogue}`,
  nothing: 'The program returned nothing and printed nothing. End it with return and a value.',
  noValue: '(It returned nothing.)',
  printed: 'Printed:',
  left: (count: number) =>
    `(${count} ${count === 1 ? 'call was' : 'calls were'} not waited for and stopped at the end. Use await or Promise.all.)`,
  soFar: (calls: string) => `By then it had called ${calls}; what these did stays done.`,
  media: (count: number) => `(${count} more images or documents are left out.)`,
  narrow: 'Or return less.',
  notOffered: (name: string, near: readonly string[]) =>
    `Programs can't call ${JSON.stringify(name)}.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ' tools.$find("words") searches for tools.'}`,
};
