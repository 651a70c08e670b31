// What the model reads about question.

export const questionPrompt = {
  description: `Asks the person up to four questions at once and waits for the answers.

- questions: each has question (the whole question), header (at most 30 characters, to tell them apart), options (each with label, at most 30 characters, and description), and optionally multiple (several options may be chosen), default (labels or words that hold when nobody answers in time) and custom (an answer in own words is allowed; default true).

Ask only when the answer changes what you do and you can't find it out yourself. Put the option that you would take first.`,
  answered: (question: string, answers: readonly string[]) =>
    `${question}\n  ${answers.length === 0 ? 'Unanswered' : answers.join('; ')}`,
  dismissed: 'The person did not want to answer.',
  dismissedWith: (message: string) => `The person did not answer the questions and says: ${message}`,
  defaults: 'Nobody answered in time, so the defaults hold:',
  unanswered:
    'Nobody answered in time. Take the option that you would recommend, and say in your final answer what you assumed.',
};
