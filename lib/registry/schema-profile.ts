// What providers differ in when they take a JSON Schema, and the state of one walk that brings a schema into a provider's form.
import type { Schema } from './schema-shape';

/** What a provider takes. */
export interface Profile {
  /** Everything else is left out. `all`: JSON Schema 2020-12 as it stands. */
  keywords: readonly string[] | 'all';
  formats: readonly string[] | 'all';
  /** `alone`: nothing beside a `$ref`. `inline`: there is none; recursion ends in an open value. */
  refs: 'alone' | 'with siblings' | 'inline';
  tuples: 'keep' | 'any item' | 'first item';
  /** How null is one of several: `type: [t, 'null']`, `nullable: true`, or a branch of its own. Only the first allows several types at once. */
  nulls: 'type list' | 'nullable' | 'branch';
  enumsAreStrings?: boolean;
  /** A node with `anyOf` has nothing else (or a description at most): what stood beside it goes into the branches. */
  combinersAlone?: true | 'but description';
  /** Every node names its type. */
  typesEverywhere?: boolean;
  /** A property with another name can't be told. */
  propertyNames?: RegExp;
}

/** One walk over one schema. */
export interface Walk {
  profile: Profile;
  root: Schema;
  nodes: number;
  /** Pointer → name in `$defs`. */
  names: Map<string, string>;
  defs: Schema;
  /** Rewrites a node wherever it stands. */
  visit(node: unknown, place: Place): Schema;
  /** The node with its own reference, its `allOf` and its `const` written out. */
  resolved(node: unknown): Schema;
}

/** Where the walk is: how deep, and inside of which references that were written out. */
export interface Place {
  depth: number;
  inside: readonly string[];
}

/** A schema for any value at all. */
export function anything({ typesEverywhere }: Profile): Schema {
  if (!typesEverywhere) return {};
  return { anyOf: ['string', 'number', 'boolean', 'object'].map((type) => ({ type })) };
}
