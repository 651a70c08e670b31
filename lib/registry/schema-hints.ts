// What a provider's schema can't say and a few words can: it goes into the description, where the model reads it.
import type { Profile } from './schema-profile';
import { concerns, isSchemaObject, listOf, type Schema } from './schema-shape';

const hinted = ['default', 'pattern', 'format', 'minLength', 'maxLength', 'multipleOf'];
const maxHintChars = 120;

/** `out` with what of `node` it has left out. */
export function withHints(out: Schema, node: Schema, { keywords }: Profile): Schema {
  if (keywords === 'all') return out;
  const said = hinted
    .filter((key) => node[key] !== undefined && node[key] !== null && out[key] === undefined)
    .filter((key) => typeof out.type !== 'string' || concerns(key, out.type))
    .map((key) => `${key}: ${JSON.stringify(node[key])}`)
    .filter((hint) => hint.length <= maxHintChars);
  const values = listOf(node.enum);
  if (values.length === 1 && typeof values[0] === 'boolean' && out.enum === undefined) said.push(`always ${values[0]}`);
  if (isSchemaObject(node.additionalProperties) && out.type === 'object' && out.additionalProperties === undefined)
    said.push('any keys are allowed');
  const own = typeof node.description === 'string' ? node.description : '';
  const all = [own, said.length > 0 ? `(${said.join(', ')})` : ''].filter((part) => part !== '').join(' ');
  return all === '' ? out : { ...out, description: all };
}
