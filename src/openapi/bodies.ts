import { type Collection, lastNounOf } from '../contract/resource/api.ts'
import { ownerFieldsOf } from '../contract/resource/resource.ts'
import { listOf, membersOf } from '../contract/schema/json-schema.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import { takesField } from '../contract/values/patch.ts'
import { bodyOf, bodySchemaOf } from '../convention/kinds.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import type { Items, SchemaKit } from './items.ts'
import { type Node, refTo } from './json-schema.ts'
import { singularOf, toTypeName } from './names.ts'
import { type BodyFields, reshape, toPatchSchema } from './reshape.ts'
import type { OperationAt, Service } from './source.ts'

/** The schemas of request bodies, where the path and the server set some fields. */
export interface Bodies {
  /**
   * Returns the schema of an operation's body: a new item, a whole item, or a merge patch. A bulk
   * takes an array of them, each with its id unless it is new.
   *
   * @param most The most items of an array.
   */
  readonly schemaFor: (operation: OperationAt, most: number) => Node
}

/**
 * Shares the schemas of request bodies. Collections of one resource share a schema, unless their
 * paths set different fields.
 */
export function createBodies(items: Items, kit: SchemaKit): Bodies {
  const share = createShare(kit)
  const bodyFor = (form: Form, collection: Collection): SharedSchema => {
    const name = items.nameOf(collection.resource)
    const schema = bodySchema(form, { collection, items, kit })
    return { schema, reference: share(namesOfForms[form](name), collection, schema) }
  }
  return {
    schemaFor: ({ kind, collection, sends }, maxItems) => {
      const form = bodyOf(kind)?.isPatch ? 'patch' : (bodySchemaOf(kind) ?? 'update')
      const { schema, reference } = bodyFor(form, collection)
      const arrayOf = (members: Node): Node => ({ type: 'array', maxItems, ...members })
      if (sends === 'one') return reference
      if (form === 'create') {
        const list = arrayOf({ items: reference })
        return sends === 'many' ? list : { oneOf: [reference, list] }
      }
      const { resource } = collection
      const id = items.fieldOf(resource, 'id')
      const withId = { type: 'object', properties: { id }, required: ['id'] }
      const examples = examplesOfList(schema, fieldOf(kit.examples, resource.name))
      return arrayOf({ items: { allOf: [reference, withId] }, ...examples })
    },
  }
}

/** Returns the member `requestBody` of an operation; `undefined` for no body. */
export function requestBodyOf(
  operation: OperationAt,
  { bodies, service }: { readonly bodies: Bodies; readonly service: Pick<Service, 'limits'> },
): Node | undefined {
  const body = bodyOf(operation.kind)
  if (body === undefined) return undefined
  const schema = bodies.schemaFor(operation, service.limits.bulk)
  return {
    required: true,
    content: Object.fromEntries(body.types.map((type) => [type, { schema }])),
  }
}

/** The form of an item of a body: a new item, a whole item, or a merge patch. */
type Form = 'create' | 'update' | 'patch'

const namesOfForms: { readonly [F in Form]: (item: string) => string } = {
  create: (item) => `New${item}`,
  update: (item) => `${item}Update`,
  patch: (item) => `${item}Patch`,
}

interface SharedSchema {
  readonly schema: Node
  readonly reference: Node
}

type ShareSchema = (name: string, collection: Collection, schema: Node) => Node

// Shares a schema under its name. If the name is taken, adds the names of the parents.
function createShare({ schemas }: SchemaKit): ShareSchema {
  const references = new Map<string, Node>()
  return (name, collection, schema) => {
    const key = `${name} ${JSON.stringify(schema)}`
    const reference = references.get(key)
    if (reference !== undefined) return reference
    const isTaken = Object.hasOwn(schemas.shared, name)
    const uniqueName = schemas.reserve(isTaken ? name + parentNames(collection) : name)
    schemas.set(uniqueName, schema)
    references.set(key, refTo(uniqueName))
    return refTo(uniqueName)
  }
}

interface Body {
  readonly collection: Collection
  readonly items: Items
  readonly kit: SchemaKit
}

function bodySchema(form: Form, { collection, items, kit }: Body): Node {
  const { resource } = collection
  const { omitted, optional } = bodyFieldsOf(form, collection, items)
  const source = kit.schemaOf(form === 'create' ? resource.create : resource.update, 'input')
  if (source === undefined) {
    const description = 'Its other fields are unknown.'
    const base = reshape({ type: 'object' }, { omitted, optional }, {})
    return { ...base, additionalProperties: true, description }
  }
  const bodySource = { ...source, body: reshape(source.body, { omitted, optional }, source.root) }
  const isPatch = form === 'patch'
  const { body, root } = isPatch
    ? toPatchSchema(bodySource, unremovableFieldsOf(collection))
    : bodySource
  const name = items.nameOf(resource)
  const owner = isPatch ? namesOfForms.patch(name) : name
  const origin = { ...source, root, owner, direction: 'input' } as const
  const schema: Node = {
    ...Object(kit.schemas.rewrite(body, origin)),
    ...keepDescription(form, resource),
  }
  const requestFields = requestFieldsIn(schema, fieldOf(kit.examples, resource.name), [
    ...Object.keys(optional),
    ...omitted,
  ])
  // One field shows that a patch needs no other.
  const exampleFields = isPatch ? requestFields?.slice(0, 1) : requestFields
  return exampleFields ? { ...schema, examples: [Object.fromEntries(exampleFields)] } : schema
}

function keepDescription(form: Form, { keep }: Collection['resource']): Node {
  if (form !== 'update' || keep.length === 0) return {}
  return { description: `A field that the body leaves out keeps its value: ${keep.join(', ')}.` }
}

// No patch removes these, unless the stored item lacks them.
function unremovableFieldsOf({ resource, owners }: Collection): readonly string[] {
  const required = requiredFieldsOf(resource.schema) ?? []
  const fields = ['id', ...owners, ...ownerFieldsOf(resource)]
  return [...fields, ...resource.readOnly.filter((field) => required.includes(field))]
}

// Returns the fields of an example that the client must send.
function requestFieldsIn(
  schema: Node,
  example: unknown,
  serverFields: readonly string[],
): readonly [string, unknown][] | undefined {
  const fieldNames = membersOf(schema).flatMap((member) =>
    Object.keys(Object(fieldOf(member, 'properties'))),
  )
  if (!isRecord(example) || fieldNames.length === 0) return undefined
  return Object.entries(example).filter(
    ([field]) => fieldNames.includes(field) && !serverFields.includes(field),
  )
}

// In a bulk, the example of an item needs its id.
function examplesOfList({ examples }: Node, example: unknown): Node {
  const [item] = listOf(examples)
  const id = isRecord(example) ? fieldOf(example, 'id') : undefined
  return isRecord(item) && id !== undefined ? { examples: [[{ id, ...item }]] } : {}
}

function bodyFieldsOf(form: Form, collection: Collection, items: Items): BodyFields {
  if (form !== 'create') return { omitted: [], optional: optionalInUpdate(collection, items) }
  const { create, readOnly, states } = collection.resource
  const optional = {
    ...restrictedFields(collection),
    ...parentFields(collection, items),
    // A new item without a state gets the first one.
    ...(states && takesField(create, states.field) && { [states.field]: {} }),
  }
  return { omitted: readOnly, optional }
}

const pathOwnerText = 'The path sets it. If you send it, it must be equal.'
const callerOwnerText =
  'The server sets it for a caller with one owner. Another caller names one of its owners.'

function parentFields({ resource, owners }: Collection, items: Items): BodyFields['optional'] {
  const fields = new Set([...owners, ...ownerFieldsOf(resource)])
  return Object.fromEntries(
    [...fields].map((field) => [
      field,
      {
        ...items.fieldOf(resource, field),
        description: owners.includes(field) ? pathOwnerText : callerOwnerText,
      },
    ]),
  )
}

// A client that does not see them must leave them out, and the server keeps what is stored.
function restrictedFields({ resource }: Collection): BodyFields['optional'] {
  return Object.fromEntries(resource.restricted.map((field) => [field, {}]))
}

function optionalInUpdate(collection: Collection, items: Items): BodyFields['optional'] {
  const { resource } = collection
  const readOnly = resource.readOnly.map((field) => [
    field,
    {
      ...items.fieldOf(resource, field),
      description:
        field === resource.revision
          ? 'The revision to replace. If you send it, it must equal the stored one.'
          : 'The server sets it. If you send it, it must equal the stored value.',
    },
  ])
  const id = {
    ...items.fieldOf(resource, 'id'),
    description: 'The id of the item. It must equal an id in the path.',
  }
  const contextFields = { ...restrictedFields(collection), ...parentFields(collection, items) }
  return { id, ...contextFields, ...Object.fromEntries(readOnly) }
}

function parentNames({ ancestors }: Collection): string {
  const names = ancestors.map((owner) => `Of${toTypeName(singularOf(lastNounOf(owner)))}`)
  return names.reverse().join('')
}
