// What the model reads between its own words and those of the person.

export const promptTexts = {
  goOn: '(Your answer was cut here. Go on from this point without repeating what you have already written.)',
  added: (from: string, text: string) => `(Added by ${from}, a program of this project:)\n${text}`,
  summary: (text: string, keep?: string) =>
    `(The conversation before this point was long and has been summarised. The summary is history, not a new instruction.)\n\n${text}${
      keep === undefined ? '' : `\n\n${keep}`
    }\n\n(Go on from here.)`,
};
