// A server's form for the person, as questions of the conversation whose call is running. Only what a flat form can hold is asked; answers are
// checked against the form before the server gets them.
import { z } from 'zod';
import { byName } from '../../std/by-name';
import type { Question, QuestionAnswer } from '../../tools/question';

/** As it came from the server. */
export interface ElicitForm {
  message: string;
  schema: unknown;
}

export type ElicitAnswer =
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' };

const maxFields = 24;

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
  /** Titles of `enum`, from before `oneOf`. */
  enumNames: z.array(z.string()).optional(),
  default: z.unknown().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
const form = z.object({ properties: z.record(z.string(), field), required: z.array(z.string()).optional() });
type Field = z.infer<typeof field>;

/** A form that can be asked. */
export interface AskedForm {
  fields: [string, Field][];
  required: ReadonlySet<string>;
  questions: Question[];
}

/** The questions, field by field; undefined when the form is not flat, or has more fields than one form of ours takes. */
export function elicitQuestions(server: string, { message, schema }: ElicitForm): AskedForm | undefined {
  const parsed = form.safeParse(schema);
  if (!parsed.success) return undefined;
  const fields = Object.entries(parsed.data.properties);
  if (fields.length > maxFields) return undefined;
  const required = new Set(parsed.data.required ?? []);
  const from = message;
  if (fields.length === 0)
    return {
      fields,
      required,
      questions: [
        { question: from, header: server.slice(0, 30), options: [{ label: 'Yes' }, { label: 'No' }], custom: false },
      ],
    };
  const questions = fields.map(([name, one], at): Question => {
    const label = [one.title ?? name, one.description].filter(Boolean).join(': ');
    const byDefault = one.default === undefined ? [] : [`otherwise ${labelsOf(one, one.default)}`];
    const notes = [...(required.has(name) ? [] : ['optional']), ...limits(one), ...byDefault];
    const options = choices(one).map(({ label: text }) => ({ label: text }));
    return {
      question: `${at === 0 ? `${from}\n` : ''}${label}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
      header: (one.title ?? name).slice(0, 30) || name.slice(0, 30),
      options,
      multiple: one.type === 'array',
      custom: options.length === 0,
    };
  });
  return { fields, required, questions };
}

/** What an answer must be like, for people. */
function limits({ type, format, minimum, maximum, minLength, maxLength, minItems, maxItems }: Field): string[] {
  const between = (what: string, low: number | undefined, high: number | undefined) => {
    if (low === undefined && high === undefined) return [];
    if (low === undefined) return [`at most ${high}${what}`];
    return [high === undefined ? `at least ${low}${what}` : `${low} to ${high}${what}`];
  };
  return [
    ...(type === 'integer' ? ['a whole number'] : type === 'number' ? ['a number'] : []),
    ...(type === 'integer' || type === 'number' ? between('', minimum, maximum) : []),
    ...(type === 'string' ? between(' characters', minLength, maxLength) : []),
    ...(type === 'array' ? between(' of them', minItems, maxItems) : []),
    ...(format === undefined ? [] : [formats[format]?.words ?? format]),
  ];
}

const formats: Record<string, { words: string; fits: (text: string) => boolean }> = byName({
  email: { words: 'an e-mail address', fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { words: 'an address such as https://example.org', fits: (text) => URL.canParse(text) },
  date: {
    words: 'a date such as 2026-01-31',
    fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  'date-time': {
    words: 'a time such as 2026-01-31T12:00:00Z',
    fits: (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
  },
});

function labelsOf(one: Field, value: unknown): string {
  const options = choices(one);
  const label = (raw: unknown) => options.find((option) => option.value === String(raw))?.label ?? String(raw);
  return Array.isArray(value) ? value.map(label).join(', ') : label(value);
}

function choices(one: Field): { label: string; value: string }[] {
  if (one.type === 'boolean')
    return [
      { label: 'Yes', value: 'true' },
      { label: 'No', value: 'false' },
    ];
  const titled = one.oneOf ?? one.items?.anyOf;
  if (titled) return titled.map((choice) => ({ label: choice.title ?? choice.const, value: choice.const }));
  return (one.enum ?? one.items?.enum ?? []).map((value, at) => ({ label: one.enumNames?.[at] ?? value, value }));
}

/**
 * What the person said as the server's fields; a string names what is not as the form wants it, so that it can be asked again. Leaving without a
 * word is a cancel, saying no a decline.
 */
export function elicitAnswer(
  { fields, required }: Pick<AskedForm, 'fields' | 'required'>,
  answer: QuestionAnswer | { kind: 'unanswered' },
): ElicitAnswer | string {
  if (answer.kind === 'unanswered') return { action: 'cancel' };
  if (answer.kind === 'dismissed') return { action: answer.message === undefined ? 'cancel' : 'decline' };
  if (fields.length === 0)
    return answer.answers[0]?.[0] === 'Yes' ? { action: 'accept', content: {} } : { action: 'decline' };
  const content: Record<string, string | number | boolean | string[]> = {};
  const wrong: string[] = [];
  fields.forEach(([name, one], at) => {
    const options = choices(one);
    const values = (answer.answers[at] ?? []).map(
      (label) => options.find((option) => option.label === label)?.value ?? label,
    );
    const value = values.length === 0 ? defaultOf(one) : typed(one, values);
    if (value !== undefined) content[name] = value;
    else if (values.length > 0) wrong.push(`${one.title ?? name} must be ${limits(one).join(', ')}`);
    else if (required.has(name)) wrong.push(`${one.title ?? name} is missing`);
  });
  return wrong.length === 0 ? { action: 'accept', content } : `${wrong.join('; ')}.`;
}

type Value = string | number | boolean | string[];

/** A default that is of the field's own type; others are the server's mistake and not used. */
function defaultOf(one: Field): Value | undefined {
  const { default: value } = one;
  if (Array.isArray(value)) return one.type === 'array' ? typed(one, value.map(String)) : undefined;
  return value === undefined || typeof value === 'object' ? undefined : typed(one, [String(value)]);
}

/** Undefined where the values are not as the field wants them. */
function typed(one: Field, values: string[]): Value | undefined {
  const first = values[0];
  if (first === undefined) return undefined;
  const isWithin = (size: number, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY) =>
    size >= low && size <= high;
  switch (one.type) {
    case 'array':
      return isWithin(values.length, one.minItems, one.maxItems) ? values : undefined;
    case 'boolean':
      return first === 'true';
    case 'integer':
    case 'number': {
      const number = first.trim() === '' ? Number.NaN : Number(first);
      const fits = Number.isFinite(number) && (one.type === 'number' || Number.isInteger(number));
      return fits && isWithin(number, one.minimum, one.maximum) ? number : undefined;
    }
    default: {
      const fits = one.format === undefined || (formats[one.format]?.fits(first) ?? true);
      return fits && isWithin([...first].length, one.minLength, one.maxLength) ? first : undefined;
    }
  }
}
