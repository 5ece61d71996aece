import { type } from 'arktype'
import type { StandardSchema } from 'nounful'
import * as v from 'valibot'
import { z } from 'zod'
import type { ContractRow } from './features.ts'
import type { Field, FieldType } from './fields.ts'

/** The body of an object: whether each field has to be there, and what else may. */
export interface Shape {
  readonly fields: readonly (Field & { readonly isSent: boolean })[]
  /** Another member is refused; else it is dropped. */
  readonly isStrict: boolean
}

type Validator = ContractRow['validator']

/** Makes a Standard Schema of an object by one of the validators. */
export function schemaOf(shape: Shape, validator: Validator): StandardSchema {
  return makers[validator](shape)
}

const makers: Readonly<Record<Validator, (shape: Shape) => StandardSchema>> = {
  zod: zodOf,
  arktype: arktypeOf,
  valibot: valibotOf,
  told: (shape) => handwritten(shape, 'told'),
  plain: (shape) => handwritten(shape, 'plain'),
}

/** Makes a schema of ids; `undefined` where any text is one. */
export function idSchemaOf(ids: ContractRow['ids'], validator: Validator): object | undefined {
  if (ids === 'integer' || ids === 'counted') return z.coerce.number().int()
  if (ids !== 'uuid') return undefined
  return validator === 'valibot' ? v.pipe(v.string(), v.uuid()) : z.uuid()
}

const zodTypes: Readonly<Record<FieldType, (field: Field) => z.ZodType>> = {
  text: () => z.string(),
  integer: () => z.int(),
  number: () => z.number(),
  boolean: () => z.boolean(),
  enum: ({ members }) => z.enum(members),
  date: () => z.iso.date(),
  moment: () => z.iso.datetime(),
  uuid: () => z.uuid(),
  address: () => z.object({ city: z.string(), street: z.string().optional() }),
  list: () => z.array(z.string()),
  nothing: () => z.null(),
}

function zodOf({ fields, isStrict }: Shape): StandardSchema {
  const members = fields.map((field) => {
    const one = zodTypes[field.type](field)
    const value = field.isNullable ? one.nullable() : one
    return [field.name, field.isSent ? value : value.optional()] as const
  })
  const shape = Object.fromEntries(members)
  return isStrict ? z.strictObject(shape) : z.object(shape)
}

const valibotTypes: Readonly<Record<FieldType, (field: Field) => v.GenericSchema>> = {
  text: () => v.string(),
  integer: () => v.pipe(v.number(), v.integer()),
  number: () => v.number(),
  boolean: () => v.boolean(),
  enum: ({ members }) => v.picklist(members),
  date: () => v.pipe(v.string(), v.isoDate()),
  moment: () => v.pipe(v.string(), v.isoTimestamp()),
  uuid: () => v.pipe(v.string(), v.uuid()),
  address: () => v.object({ city: v.string(), street: v.optional(v.string()) }),
  list: () => v.array(v.string()),
  nothing: () => v.null(),
}

function valibotOf({ fields, isStrict }: Shape): StandardSchema {
  const members = fields.map((field) => {
    const one = valibotTypes[field.type](field)
    const value = field.isNullable ? v.nullable(one) : one
    return [field.name, field.isSent ? value : v.optional(value)] as const
  })
  const shape = Object.fromEntries(members)
  return isStrict ? v.strictObject(shape) : v.object(shape)
}

const arktypes: Readonly<Record<FieldType, (field: Field) => string>> = {
  text: () => 'string',
  integer: () => 'number.integer',
  number: () => 'number',
  boolean: () => 'boolean',
  enum: ({ members }) => members.map((member) => `'${member}'`).join('|'),
  date: () => 'string.date.iso',
  moment: () => 'string.date.iso',
  uuid: () => 'string.uuid',
  address: () => 'address',
  list: () => 'string[]',
  nothing: () => 'null',
}

const scope = type.module({ address: { city: 'string', 'street?': 'string' } })

function arktypeOf({ fields, isStrict }: Shape): StandardSchema {
  const members = fields.map((field) => {
    const text = arktypes[field.type](field)
    const one = field.type === 'address' ? scope.address : type.raw(text)
    const name = field.isSent ? field.name : `${field.name}?`
    return [name, field.isNullable ? one.or('null') : one] as const
  })
  const object = type.raw(Object.fromEntries(members))
  return object.onUndeclaredKey(isStrict ? 'reject' : 'delete') as unknown as StandardSchema
}

// A validator of one's own, which tells its JSON Schema or does not.
function handwritten(shape: Shape, kind: 'told' | 'plain'): StandardSchema {
  const schema = zodOf(shape)
  const {
    vendor: _,
    jsonSchema,
    ...standard
  } = schema['~standard'] as (typeof schema)['~standard'] & {
    jsonSchema?: unknown
  }
  const own = { ...standard, version: 1, vendor: 'family' } as const
  return {
    '~standard': kind === 'told' ? { ...own, jsonSchema } : own,
  } as StandardSchema
}
