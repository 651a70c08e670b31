// What the model reads when a call itself was wrong or was not allowed.

export const runToolPrompt = {
  programsOnly: (name: string) =>
    `${name} is only there in programs. Call it in one: execute with \`return await tools[${JSON.stringify(name)}]({ … })\`.`,
  unknownTool: (name: string, names: string[], nearest: string | undefined) =>
    `There is no tool named ${name} in this request.${nearest === undefined ? '' : ` Did you mean ${nearest}?`} The tools are: ${names.join(', ')}.`,
  notJson: (tool: string, message: string, example: string) =>
    `The input of ${tool} is not valid JSON (${message}). Send the call again with a complete JSON object, for example ${example}`,
  invalid: (tool: string, problems: string[], example: string) =>
    `The input of ${tool} is not valid:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nA valid example: ${example}\nCorrect it and call again.`,
  renamed: (written: string, name: string) => `the tool's name was written ${written} and means ${name}`,
  changed: 'a hook of this project changed the input',
  changedBadly: (message: string) =>
    `A hook of this project changed the input of this call, and what it made of it can't be used. Tell the person. ${message}`,
  rejected: 'The person refused this call.',
  rejectedWith: (message: string) => `The person refused this call and says: ${message}`,
  unanswered: 'Nobody answered whether this is allowed, so it was not done.',
  sandbox: (message: string) => `The file system answered: ${message}`,
  leftOut: (lines: number, bytes: number, kept: string | undefined, lostBytes: number, advice = '') => {
    const all = lostBytes === 0 ? 'All of it' : `All but ${lostBytes} bytes of the middle, which are lost,`;
    const whole = kept === undefined ? '' : ` ${all} is ${kept}: read that with offset and limit, or grep it.`;
    return `[… ${lines} lines, ${bytes} bytes left out here.${whole}${advice === '' ? '' : ` ${advice}`} …]`;
  },
  broken: (message: string) => `The tool broke: ${message}`,
};
