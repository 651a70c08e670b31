// The question tool: a form in the conversation. It waits for the person as an ask does: stop ends the wait, and so does a deadline.
import { z } from 'zod';
import { questionPrompt } from './question.prompt';
import { type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

const question = z.object({
  question: z.string().min(1).describe('The whole question'),
  header: z.string().min(1).max(30).describe('A few words, at most 30 characters'),
  options: z
    .array(z.object({ label: z.string().min(1).max(30), description: z.string().optional() }))
    .max(8)
    .describe('What may be chosen'),
  multiple: z.boolean().optional().describe('Several options may be chosen'),
  default: z.array(z.string().min(1)).max(8).optional().describe('What holds when nobody answers in time'),
  custom: z.boolean().optional().describe('An answer in own words is allowed (default true)'),
});
const input = z.object({ questions: z.array(question).min(1).max(4).describe('The questions') });

/** One question of a form. */
export type Question = z.infer<typeof question>;

/** `answers`: per question the labels or words chosen; empty for one that was left out. */
export type QuestionAnswer = { kind: 'answered'; answers: string[][] } | { kind: 'dismissed'; message?: string };

/** A page that an MCP server wants the person to visit: shown whole, with what to watch out for. */
export interface Address {
  href: string;
  host: string;
  warnings: string[];
}

/**
 * Resolves with what the person said, or `unanswered` past the deadline; rejects when the signal aborts. `from`: the MCP server that wants to
 * know, when it is not the agent. `given`: what was said to the same questions before. `address`: the question is whether the person opens it; `answered` means that they did.
 */
export type AskQuestions = (
  questions: Question[],
  context: Pick<ToolContext, 'callId' | 'signal'> & { from?: string; given?: string[][]; address?: Address },
) => Promise<QuestionAnswer | { kind: 'unanswered' }>;

/** The tool on a way to ask. */
export function questionTool(askQuestions: AskQuestions): Tool<z.infer<typeof input>> {
  return {
    name: 'question',
    kind: 'control',
    description: questionPrompt.description,
    input,
    example: {
      questions: [
        {
          question: 'Which database should the example use?',
          header: 'Database',
          options: [{ label: 'SQLite', description: 'No server needed' }, { label: 'Postgres' }],
        },
      ],
    },
    async execute({ questions }, context) {
      const title = questions.map((one) => one.header).join(', ');
      context.update({ title });
      const answer = await askQuestions(questions, context);
      switch (answer.kind) {
        case 'unanswered':
          return unanswered(title, questions);
        case 'dismissed':
          if (answer.message?.trim()) throw new ToolError(questionPrompt.dismissedWith(answer.message.trim()));
          throw new ToolError(questionPrompt.dismissed, { stopsTurn: true });
        case 'answered': {
          const lines = questions.map((one, at) => questionPrompt.answered(one.question, answer.answers[at] ?? []));
          return { title, output: lines.join('\n'), meta: { answers: answer.answers } };
        }
      }
    },
  };
}

/** Where every question has a default, these are the answers; else the model decides. */
function unanswered(title: string, questions: readonly Question[]): ToolResult {
  const answers = questions.map((one) => one.default ?? []);
  if (answers.some((one) => one.length === 0))
    return { title, output: questionPrompt.unanswered, meta: { unanswered: true } };
  const lines = questions.map((one, at) => questionPrompt.answered(one.question, answers[at]!));
  return { title, output: [questionPrompt.defaults, ...lines].join('\n'), meta: { unanswered: true, answers } };
}
