// A server's form for the person, as questions of the conversation whose call is running. Only what a flat form can hold is asked; answers are
// checked against the form before the server gets them.
import { z } from 'zod';
import type { Question, QuestionAnswer } from '../../tools/question';

/** As it came from the server. */
export interface ElicitForm {
  message: string;
  schema: unknown;
}

export type ElicitAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' };

const field = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  oneOf: z.array(z.object({ const: z.string(), title: z.string().optional() })).optional(),
  items: z
    .object({
      enum: z.array(z.string()).optional(),
      anyOf: z.array(z.object({ const: z.string(), title: z.string().optional() })).optional(),
    })
    .optional(),
  default: z.unknown().optional(),
});
const form = z.object({ properties: z.record(z.string(), field), required: z.array(z.string()).optional() });
type Field = z.infer<typeof field>;

/** The questions, field by field; undefined when the form is not flat, or has more fields than one form of ours takes. */
export function elicitQuestions(
  server: string,
  { message, schema }: ElicitForm,
): { fields: [string, Field][]; questions: Question[] } | undefined {
  const parsed = form.safeParse(schema);
  if (!parsed.success) return undefined;
  const fields = Object.entries(parsed.data.properties);
  if (fields.length > 8) return undefined;
  const from = `The MCP server ${server} asks: ${message}`;
  if (fields.length === 0)
    return {
      fields,
      questions: [
        { question: from, header: server.slice(0, 30), options: [{ label: 'Yes' }, { label: 'No' }], custom: false },
      ],
    };
  const questions = fields.map(([name, one], at): Question => {
    const label = [one.title ?? name, one.description].filter(Boolean).join(': ');
    const isRequired = parsed.data.required?.includes(name) === true;
    const options = choices(one).map(({ label: text }) => ({ label: text }));
    return {
      question: `${at === 0 ? `${from}\n` : ''}${label}${isRequired ? '' : ' (optional)'}`,
      header: (one.title ?? name).slice(0, 30) || name.slice(0, 30),
      options,
      multiple: one.type === 'array',
      custom: options.length === 0,
    };
  });
  return { fields, questions };
}

function choices(one: Field): { label: string; value: string }[] {
  if (one.type === 'boolean')
    return [
      { label: 'Yes', value: 'true' },
      { label: 'No', value: 'false' },
    ];
  const titled = one.oneOf ?? one.items?.anyOf;
  if (titled) return titled.map((choice) => ({ label: choice.title ?? choice.const, value: choice.const }));
  return (one.enum ?? one.items?.enum ?? []).map((value) => ({ label: value, value }));
}

/** What the person said as the server's fields. What is not of the field's type is left out, so that the server can say what it misses. */
export function elicitAnswer(fields: [string, Field][], answer: QuestionAnswer | { kind: 'unanswered' }): ElicitAnswer {
  if (answer.kind !== 'answered') return { action: answer.kind === 'dismissed' ? 'decline' : 'cancel' };
  if (fields.length === 0)
    return answer.answers[0]?.[0] === 'Yes' ? { action: 'accept', content: {} } : { action: 'decline' };
  const content: Record<string, string | number | boolean | string[]> = {};
  fields.forEach(([name, one], at) => {
    const options = choices(one);
    const values = (answer.answers[at] ?? []).map(
      (label) => options.find((option) => option.label === label)?.value ?? label,
    );
    const value = typed(one, values);
    if (value !== undefined) content[name] = value;
  });
  return { action: 'accept', content };
}

function typed(one: Field, values: string[]): string | number | boolean | string[] | undefined {
  const first = values[0];
  if (first === undefined) return undefined;
  switch (one.type) {
    case 'array':
      return values;
    case 'boolean':
      return first === 'true';
    case 'integer':
    case 'number': {
      const number = Number(first);
      return Number.isFinite(number) && (one.type === 'number' || Number.isInteger(number)) ? number : undefined;
    }
    default:
      return first;
  }
}
