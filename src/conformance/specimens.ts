import type { Adapter } from '../model/adapter.ts'
import { fieldOf } from '../model/operation.ts'
import { defineResource, type Resource } from '../model/resource.ts'
import type { Json, SchemaIssue, StandardSchema } from '../model/schema.ts'

/** The input that creates or replaces a specimen. Each field shows one difference of databases. */
export interface NewSpecimen {
  /** The id that a client chooses. Without it, the adapter chooses one. */
  readonly id?: string | undefined
  /** Searchable and sortable. May be empty. */
  readonly name: string
  /** Searchable and sortable. Often missing. */
  readonly note?: string | undefined
  /** Any JSON number. Sortable. */
  readonly rank?: number | undefined
  /** Sortable. `false` is not missing. */
  readonly flag?: boolean | undefined
  /** Neither sortable nor searchable. */
  readonly data?: { readonly [key: string]: Json } | undefined
  /** The owner's id, which is the scope of the specimens under this owner. */
  readonly owner_id?: string | undefined
}

/** A stored specimen. */
export interface Specimen extends NewSpecimen {
  readonly id: string
  /** The revision. The adapter changes it with every write. */
  readonly revision?: string | number | undefined
}

/** The types of {@link specimens}. */
export interface SpecimenShape {
  readonly name: 'specimens'
  readonly item: Specimen
  readonly createInput: NewSpecimen
  readonly create: NewSpecimen
  readonly updateInput: NewSpecimen
  readonly sortable: 'id' | 'name' | 'note' | 'rank' | 'flag'
}

/** The type of an adapter of {@link specimens}, to write one by hand. */
export type SpecimenAdapter = Adapter<
  SpecimenShape & { readonly scope: { readonly owner_id?: string }; readonly context: unknown }
>

type Fits = (value: unknown) => boolean

/** The type of a field, as a function and as JSON Schema. */
interface Kind {
  readonly fits: Fits
  /** `undefined` if the adapter decides. */
  readonly type: string | undefined
  readonly isOptional?: true
}

type Fields = Readonly<Record<string, Kind>>

const isText: Fits = (value) => typeof value === 'string'
const text: Kind = { fits: isText, type: 'string' }
const number: Kind = { fits: Number.isFinite, type: 'number' }
const boolean: Kind = { fits: (value) => typeof value === 'boolean', type: 'boolean' }
const object: Kind = {
  fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  type: 'object',
}

function optional({ fits, type }: Kind): Kind {
  return { fits: (value) => value === undefined || fits(value), type, isOptional: true }
}

const fields: { readonly [Field in keyof Required<NewSpecimen>]: Kind } = {
  id: optional(text),
  name: text,
  note: optional(text),
  rank: optional(number),
  flag: optional(boolean),
  data: optional(object),
  owner_id: optional(text),
}

const storedFields: { readonly [Field in keyof Required<Specimen>]: Kind } = {
  ...fields,
  id: text,
  revision: optional({
    fits: (value) => isText(value) || Number.isFinite(value),
    type: undefined,
  }),
}

/**
 * The resource of the checks: create the adapter to check for it. It has optional texts, a number,
 * a boolean, a JSON object, an owner and a revision. Every known difference of databases has a
 * field.
 *
 * A table needs a column for each field: `id`, `name`, `note` and `owner_id` text, `rank` a double,
 * `flag` a boolean, `data` JSON, `revision` of any type. A missing field must come back missing.
 */
export const specimens: Resource<SpecimenShape> = defineResource('specimens', {
  schema: schemaOf<Specimen>(storedFields),
  create: schemaOf<NewSpecimen>(fields),
  sortable: ['id', 'name', 'note', 'rank', 'flag'],
  searchable: ['name', 'note'],
  revision: 'revision',
})

// Written by hand, so that no validator is a dependency.
function schemaOf<Output>(known: Fields): StandardSchema<Output> {
  const fits = (value: unknown): value is Output => issuesOf(value, known).length === 0
  const validate = (value: unknown) =>
    fits(value) ? { value } : { issues: issuesOf(value, known) }
  const schema = () => jsonSchemaOf(known)
  const jsonSchema = { input: schema, output: schema }
  const standard = { version: 1 as const, vendor: 'nounful', validate, jsonSchema }
  return { '~standard': standard }
}

function jsonSchemaOf(known: Fields): Record<string, unknown> {
  const kinds = Object.entries(known)
  return {
    type: 'object',
    properties: Object.fromEntries(
      kinds.map(([field, { type }]) => [field, type === undefined ? {} : { type }]),
    ),
    required: kinds.filter(([, { isOptional }]) => !isOptional).map(([field]) => field),
    additionalProperties: false,
  }
}

function issuesOf(value: unknown, known: Fields): SchemaIssue[] {
  if (typeof value !== 'object' || value === null) return [{ message: 'is no object' }]
  const unknown = Object.keys(value).filter((field) => !Object.hasOwn(known, field))
  const unfit = Object.entries(known).filter(([field, { fits }]) => !fits(fieldOf(value, field)))
  return [
    ...unknown.map((field) => ({ path: [field], message: 'is unknown' })),
    ...unfit.map(([field]) => ({ path: [field], message: 'is missing or of another type' })),
  ]
}
