import { defineResource } from '../../contract/declare/define-resource.ts'
import type { Adapter } from '../../contract/resource/adapter.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import type { Json, SchemaIssue, StandardSchema } from '../../contract/schema/schema.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'

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
  /** Neither sortable nor searchable. Filters name its members `name`, `rank` and `flag`. */
  readonly data?: { readonly [key: string]: Json } | undefined
  /** Texts of any order and number. */
  readonly tags?: readonly string[] | undefined
  /** The owner's id, which is the scope of the specimens under this owner. */
  readonly owner_id?: string | undefined
}

/** A stored specimen. */
export interface Specimen extends NewSpecimen {
  readonly id: string
  /** The revision. The adapter changes it with every write. */
  readonly revision?: string | number | undefined
}

type FilterName =
  | ('id' | 'name' | 'note' | 'rank' | 'flag' | 'owner_id' | 'tags')
  | ('data.name' | 'data.rank' | 'data.flag')

/** The types of {@link specimens}. */
export interface SpecimenShape {
  readonly name: 'specimens'
  readonly item: Specimen
  readonly createInput: NewSpecimen
  readonly create: NewSpecimen
  readonly updateInput: NewSpecimen
  readonly sortable: 'id' | 'name' | 'note' | 'rank' | 'flag'
  readonly searchable: 'name' | 'note'
  readonly filterable: FilterName
  readonly countable: 'name' | 'note' | 'rank' | 'flag' | 'owner_id'
  readonly references: Readonly<Record<never, never>>
  readonly ownedBy: never
  readonly restricted: never
}

/** The type of an adapter of {@link specimens}, to write one by hand. */
export type SpecimenAdapter = Adapter<
  SpecimenShape & {
    readonly scope: { readonly owner_id?: string | readonly string[] }
    readonly context: unknown
  }
>

/** The types of fields, by JSON Schema; of any type if empty. */
type Types = Readonly<Record<string, string>>

const types = {
  id: 'string',
  name: 'string',
  note: 'string',
  rank: 'number',
  flag: 'boolean',
  data: 'object',
  tags: 'array',
  owner_id: 'string',
} as const satisfies { readonly [Field in keyof Required<NewSpecimen>]: string }

const jsonSchemas: Readonly<Record<string, object>> = {
  '': {},
  array: { type: 'array', items: { type: 'string' } },
}

const declaration = {
  schema: schemaOf<Specimen>({ ...types, revision: '' }, ['id', 'name']),
  create: schemaOf<NewSpecimen>(types, ['name']),
  sortable: ['id', 'name', 'note', 'rank', 'flag'],
  searchable: ['name', 'note'],
  filterable: {
    id: 'text',
    name: 'text',
    note: 'text',
    rank: 'number',
    flag: 'boolean',
    owner_id: 'text',
    tags: 'text',
    'data.name': 'text',
    'data.rank': 'number',
    'data.flag': 'boolean',
  },
  countable: ['name', 'note', 'rank', 'flag', 'owner_id'],
  revision: 'revision',
} as const

/**
 * The resource of the checks: create the adapter to check for it. It has optional texts, a number,
 * a boolean, a JSON object, a list of texts, an owner and a revision. Every known difference of
 * databases has a field.
 *
 * A table needs a column for each field: `id`, `name`, `note` and `owner_id` text, `rank` a double,
 * `flag` a boolean, `data` and `tags` JSON, `revision` of any type. A missing field must come back
 * missing.
 */
export const specimens: Resource<SpecimenShape> = defineResource('specimens', declaration)

/** The same resource, whose texts sort without case. */
export const foldedSpecimens: Resource<SpecimenShape> = defineResource('specimens', {
  ...declaration,
  folded: ['name', 'note'],
})

// Written by hand, so that no validator is a dependency.
function schemaOf<Output>(types: Types, required: readonly string[]): StandardSchema<Output> {
  const issuesOf = (value: unknown): SchemaIssue[] => issuesOfFields(value, types, required)
  const fits = (value: unknown): value is Output => issuesOf(value).length === 0
  const validate = (value: unknown) => (fits(value) ? { value } : { issues: issuesOf(value) })
  const properties = Object.fromEntries(
    Object.entries(types).map(([field, type]) => [field, jsonSchemas[type] ?? { type }]),
  )
  const schema = () => ({ type: 'object', properties, required, additionalProperties: false })
  const jsonSchema = { input: schema, output: schema }
  const standard = { version: 1 as const, vendor: 'nounful', validate, jsonSchema }
  return { '~standard': standard }
}

function issuesOfFields(value: unknown, types: Types, required: readonly string[]): SchemaIssue[] {
  if (typeof value !== 'object' || value === null) return [{ message: 'is no object' }]
  const unknown = Object.keys(value).filter((field) => !Object.hasOwn(types, field))
  const unfit = Object.entries(types).filter(([field, type]) => {
    const member = fieldOf(value, field)
    return member === undefined ? required.includes(field) : !isOfType(member, type)
  })
  return [
    ...unknown.map((field) => ({ path: [field], message: 'is unknown' })),
    ...unfit.map(([field]) => ({ path: [field], message: 'is missing or of another type' })),
  ]
}

function isOfType(value: unknown, type: string): boolean {
  if (type === '') return typeof value === 'string' || Number.isFinite(value)
  if (type === 'array')
    return Array.isArray(value) && value.every((element) => typeof element === 'string')
  if (type === 'number') return Number.isFinite(value)
  return type === 'object' ? isRecord(value) : typeof value === type
}
