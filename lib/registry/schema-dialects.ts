// JSON Schema as each provider takes it. One walk (schema-walk.ts), with what differs as data here. What a provider can't be told becomes wider,
// never narrower, and is said in the description where words can: the call itself is still judged by the tool's own schema.
import type { Profile } from './schema-profile';
import { walkSchema } from './schema-walk';

export type SchemaDialect = 'anthropic' | 'openai' | 'gemini' | 'kimi' | 'plain';

const generic = ['type', 'description', 'enum'];
const structure = ['properties', 'required', 'items', 'minItems', 'maxItems', 'anyOf'];
const numbers = ['minimum', 'maximum'];

/** https://platform.openai.com/docs/guides/structured-outputs (supported schemas). */
const openai: Profile = {
  keywords: [
    ...generic,
    ...structure,
    ...numbers,
    'additionalProperties',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'pattern',
    'format',
    '$ref',
  ],
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
  refs: 'alone',
  tuples: 'any item',
  nulls: 'type list',
};

/** https://ai.google.dev/api/caching#Schema; the stricter of the two forms that the API takes. */
const gemini: Profile = {
  keywords: [...generic, ...structure, ...numbers, 'nullable', 'format'],
  formats: ['date-time'],
  refs: 'inline',
  tuples: 'any item',
  nulls: 'nullable',
  enumsAreStrings: true,
  combinersAlone: true,
  typesEverywhere: true,
};

/** Moonshot wants a type on everything, one at a time, outside of combiners; servers of open models (Qwen's templates too) choke on the same. */
const kimi: Profile = {
  keywords: [...generic, ...structure, ...numbers, 'additionalProperties', 'minLength', 'maxLength', '$ref', 'default'],
  formats: [],
  refs: 'alone',
  tuples: 'first item',
  nulls: 'branch',
  combinersAlone: 'but description',
  typesEverywhere: true,
};

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use: JSON Schema 2020-12 as it is, without combiners at the top. */
const anthropic: Profile = {
  keywords: 'all',
  formats: 'all',
  refs: 'with siblings',
  tuples: 'keep',
  nulls: 'type list',
  propertyNames: /^[a-zA-Z0-9_.-]{1,64}$/,
};

/** For whoever reads it here: references only into `$defs`, nothing of older versions. */
const standard: Profile = {
  keywords: 'all',
  formats: 'all',
  refs: 'with siblings',
  tuples: 'keep',
  nulls: 'type list',
};

const profiles: Record<SchemaDialect, Profile> = {
  openai,
  gemini,
  kimi,
  anthropic,
  // Nothing is known of the server: what the narrowest one takes.
  plain: kimi,
};

/** The same in the words of 2020-12. Throws as `normalisedSchema`. */
export function standardSchema(schema: Record<string, unknown>): Record<string, unknown> {
  return walkSchema(schema, standard);
}

/**
 * The schema of a tool's input in a provider's dialect, an object at the top. The given one is not changed. Throws an InexpressibleSchema with
 * the reason when the provider could not be told what the tool takes.
 */
export function normalisedSchema(schema: Record<string, unknown>, dialect: SchemaDialect): Record<string, unknown> {
  return walkSchema(schema, profiles[dialect]);
}
