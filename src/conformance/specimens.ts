import type { Adapter } from '../model/adapter.ts'
import { fieldOf } from '../model/operation.ts'
import { defineResource, type Resource } from '../model/resource.ts'
import type { Json, SchemaIssue, StandardSchema } from '../model/schema.ts'

/** What is sent to create or replace a specimen; one field for each way in which stores differ. */
export interface NewSpecimen {
  /** Chosen by whoever creates it; left out, the adapter makes one. */
  readonly id?: string | undefined
  /** Searchable, sortable; may be empty. */
  readonly name: string
  /** Searchable, sortable, often missing. */
  readonly note?: string | undefined
  /** Any number JSON has; sortable. */
  readonly rank?: number | undefined
  /** Sortable; `false` is not missing. */
  readonly flag?: boolean | undefined
  /** Neither sortable nor searchable. */
  readonly data?: { readonly [key: string]: Json } | undefined
  /** The field that owns: the scope of specimens that lie under an owner. */
  readonly owner_id?: string | undefined
}

/** A specimen as it is stored. */
export interface Specimen extends NewSpecimen {
  readonly id: string
  /** The revision, changed by the adapter with every write. */
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

/** An adapter of {@link specimens}, for whoever writes one by hand. */
export type SpecimenAdapter = Adapter<
  SpecimenShape & { readonly scope: { readonly owner_id?: string }; readonly context: unknown }
>

type Fits = (value: unknown) => boolean

/** What a field holds, as a check and as JSON Schema says it. */
interface Kind {
  readonly fits: Fits
  /** `undefined` where the store decides. */
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
 * The resource that an adapter must be made for to be checked: texts, a number, a boolean and a JSON object, most of
 * them optional, an owner to be scoped by, a revision. Everything that two stores are known to disagree about has a field.
 *
 * A database needs a column each: `id`, `name`, `note`, `owner_id` text, `rank` a double, `flag` a boolean, `data` JSON,
 * `revision` whatever it makes revisions of. A missing field is stored as nothing and must come back missing.
 */
export const specimens: Resource<SpecimenShape> = defineResource('specimens', {
  schema: schemaOf<Specimen>(storedFields),
  create: schemaOf<NewSpecimen>(fields),
  sortable: ['id', 'name', 'note', 'rank', 'flag'],
  searchable: ['name', 'note'],
  revision: 'revision',
})

// By hand, so that no validator is a dependency.
function schemaOf<Output>(known: Fields): StandardSchema<Output> {
  const fits = (value: unknown): value is Output => faultsOf(value, known).length === 0
  const validate = (value: unknown) =>
    fits(value) ? { value } : { issues: faultsOf(value, known) }
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

function faultsOf(value: unknown, known: Fields): SchemaIssue[] {
  if (typeof value !== 'object' || value === null) return [{ message: 'is no object' }]
  const unknown = Object.keys(value).filter((field) => !Object.hasOwn(known, field))
  const unfit = Object.entries(known).filter(([field, { fits }]) => !fits(fieldOf(value, field)))
  return [
    ...unknown.map((field) => ({ path: [field], message: 'is not known' })),
    ...unfit.map(([field]) => ({ path: [field], message: 'is missing or of another type' })),
  ]
}
