import type { ContractRow } from './features.ts'

/** The kinds of values. */
export type FieldType =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'date'
  | 'moment'
  | 'uuid'
  | 'address'
  | 'list'
  | 'nothing'

/** A field of an item. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly isRequired: boolean
  readonly isNullable: boolean
  /** The body of a POST holds it: it must, may or must not. */
  readonly inCreate: 'required' | 'optional' | 'never'
  /** The body of a PUT likewise. */
  readonly inUpdate: 'required' | 'optional' | 'never'
  /** The members of an enumeration. */
  readonly members: readonly string[]
}

/** Makes a required field that clients write. */
export function field(name: string, type: FieldType, change: Partial<Field> = {}): Field {
  const isRequired = change.isRequired ?? true
  const inBody = isRequired ? 'required' : 'optional'
  return {
    name,
    type,
    isRequired,
    isNullable: false,
    inCreate: inBody,
    inUpdate: change.inCreate ?? inBody,
    members: type === 'enum' ? states : [],
    ...change,
  }
}

/** The members of each enumeration. */
const states: readonly string[] = ['open', 'paid', 'void']

const server = { inCreate: 'never', inUpdate: 'never' } as const
const maybe = { isRequired: false, isNullable: true }

/** Returns the parameters of the path of things that are their fields. */
function parentFieldsOf({ nesting }: ContractRow): readonly string[] {
  if (nesting === 'top') return []
  return nesting === 'two parents' ? ['group_id', 'list_id'] : ['list_id']
}

/** Returns the field that says whose a thing is; `undefined` for none. */
export function ownerFieldOf({ owner }: ContractRow): 'tenant_id' | undefined {
  return ['field', 'several', 'everything'].includes(owner) ? 'tenant_id' : undefined
}

/** Tells whether a caller may write for more owners than one. */
export function namesOwner({ owner }: ContractRow): boolean {
  return owner === 'several' || owner === 'everything'
}

/** Returns the field that names another item; `undefined` for none. */
export function referenceFieldOf({ reference }: ContractRow): string | undefined {
  if (reference === 'none') return undefined
  return reference === 'self' ? 'origin_id' : 'peer_id'
}

/** Returns the restricted field of things; `undefined` for none. */
export function restrictedFieldOf({ restricted }: ContractRow): string | undefined {
  if (restricted === 'none') return undefined
  return restricted === 'reference' ? 'peer_id' : 'secret'
}

/** The name of a field that a naming changes. */
export function amountOf({ columns }: ContractRow): string {
  return columns === 'snake' ? 'amountDue' : 'amount'
}

/** Returns the fields of things as they are stored. */
export function fieldsOf(row: ContractRow): readonly Field[] {
  const { ids, server: kept, revision, restricted } = row
  const isCounted = ids === 'integer' || ids === 'counted'
  const idType = isCounted ? 'integer' : ids === 'uuid' ? 'uuid' : 'text'
  const inPath = row.nesting === 'both' ? {} : server
  const owner = namesOwner(row) ? ({ inCreate: 'optional', inUpdate: 'optional' } as const) : server
  return [
    field('id', idType, {
      inCreate: ids === 'client' ? 'optional' : 'never',
      inUpdate: 'never',
    }),
    ...parentFieldsOf(row).map((name) => field(name, 'text', inPath)),
    ...(ownerFieldOf(row) === undefined ? [] : [field('tenant_id', 'text', owner)]),
    field('title', 'text'),
    field('first', 'text'),
    field('last', 'text'),
    field('state', 'enum'),
    field('note', 'text', { isRequired: false }),
    field('address', 'address'),
    field(amountOf(row), 'integer'),
    field('code', 'text', { isRequired: false }),
    ...(row.nested === 'yes' ? [field('tags', 'list')] : []),
    ...markOf(row),
    ...referencesOf(row, idType),
    ...(restricted === 'unseen' || restricted === 'seen' ? [field('secret', 'text', maybe)] : []),
    ...(revision === 'none'
      ? []
      : [field('revision', revision === 'number' ? 'integer' : 'text', server)]),
    ...(kept === 'readOnly' || kept === 'touched' ? [field('made_at', 'moment', server)] : []),
    ...(kept === 'keep' ? [field('color', 'text', maybe)] : []),
    ...(kept === 'filled'
      ? [field('rank', 'integer', { inCreate: 'optional', inUpdate: 'required' })]
      : []),
  ]
}

function markOf({ filtered }: ContractRow): readonly Field[] {
  if (filtered === 'nullable') return [field('mark', 'text', maybe)]
  return [field('mark', filtered, { isRequired: true })]
}

function referencesOf({ reference }: ContractRow, idType: FieldType): readonly Field[] {
  if (reference === 'none') return []
  if (reference === 'self') return [field('origin_id', idType, maybe)]
  return [field('peer_id', 'text', reference === 'required' ? {} : maybe)]
}

/** The n-th value of a type. */
export function sampleOf({ type, members }: Pick<Field, 'type' | 'members'>, n: number): unknown {
  const digits = String(n).padStart(2, '0')
  switch (type) {
    case 'text':
      return `word ${n}`
    case 'integer':
      return n
    case 'number':
      return n + 0.5
    case 'boolean':
      return n % 2 === 0
    case 'enum':
      return members[n % members.length]
    case 'date':
      return `2026-01-${String(1 + (n % 28)).padStart(2, '0')}`
    case 'moment':
      return `2026-01-02T03:04:${String(n % 60).padStart(2, '0')}.000Z`
    case 'uuid':
      return `00000000-0000-4000-8000-0000000000${digits.slice(-2)}`
    case 'address':
      return n % 2 === 0 ? { city: `City ${n}` } : { city: `City ${n}`, street: 'Main' }
    case 'list':
      return n % 3 === 0 ? [] : [`tag ${n % 3}`, 'all']
    case 'nothing':
      return null
  }
}
