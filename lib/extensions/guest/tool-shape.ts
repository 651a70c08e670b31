// What counts as a tool in a module, and the schema of its arguments: OpenCode's shape, `{description, args, execute}` with zod types or plain
// JSON Schemas as args.
import * as zod from 'zod';

/** As its author wrote it. */
export interface ForeignTool {
  description: string;
  args?: Record<string, unknown> | null;
  execute(args: unknown, context: unknown): unknown;
}

/** Everything else that a module exports is left alone. */
export function isTool(value: unknown): value is ForeignTool {
  if (typeof value !== 'object' || value === null) return false;
  const { description, execute } = value as Partial<ForeignTool>;
  return typeof execute === 'function' && typeof description === 'string';
}

const isZod = (value: unknown): value is zod.ZodType => typeof value === 'object' && value !== null && '_zod' in value;
const isOldZod = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !('_zod' in value) && '_def' in value && 'safeParse' in value;

/** The schema of all arguments rather than one for each. */
const isWhole = (shape: Record<string, unknown>): boolean =>
  shape.type === 'object' && typeof shape.properties === 'object' && shape.properties !== null;

/** JSON Schema of all arguments. Plain schemas are taken as they are and all required. *Throws* an Error that names what can't be told. */
export function schemaOf({ args }: ForeignTool): Record<string, unknown> {
  const shape = args ?? {};
  if (typeof shape !== 'object' || Array.isArray(shape)) throw new Error('its args are not an object of schemas');
  if (isWhole(shape)) return shape;
  const entries = Object.entries(shape);
  const old = entries.find(([, value]) => isOldZod(value));
  if (old !== undefined) throw new Error(`its argument ${old[0]} is made with zod 3; use zod 4 or tool.schema`);
  if (entries.every(([, value]) => isZod(value)))
    return zod.toJSONSchema(zod.object(shape as zod.ZodRawShape), { io: 'input' }) as Record<string, unknown>;
  const strange = entries.find(([, value]) => isZod(value) || typeof value !== 'object' || value === null);
  if (strange !== undefined)
    throw new Error(`its args mix zod types with others, or ${strange[0]} is neither a zod type nor a JSON Schema`);
  return { type: 'object', properties: shape, required: entries.map(([name]) => name) };
}

/** What the author's own zod types make of the arguments: their refinements and transforms. *Throws* an Error with each problem and its path. */
export async function parseArguments({ args }: ForeignTool, input: unknown): Promise<unknown> {
  const shape = args ?? {};
  const values = Object.values(shape);
  if (values.length === 0 || !values.every(isZod)) return input;
  const parsed = await zod.object(shape as zod.ZodRawShape).safeParseAsync(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || '(the whole input)'}: ${issue.message}`,
  );
  throw new Error(`The input is not valid: ${problems.join('; ')}`);
}
