import { isRecord } from '../model/declared.ts'
import { followReference, type JsonSchema } from '../model/json-schema.ts'
import { toTypeName } from './names.ts'
import { withType } from './typed.ts'
import { isPlain, mapInner, type Node } from './walk.ts'

/** Where a schema is from: whoever holds it, and which side of it this is. */
interface Origin {
  /** The name under which what it refers to may be kept: `Employee`. */
  readonly owner: string
  readonly direction: 'input' | 'output'
  /** The document that its references are relative to. */
  readonly root: JsonSchema
  /** The part of the document that tells of a whole item. */
  readonly body: JsonSchema
  /** The name that the body is kept under. Default: it is given one when something refers to it. */
  readonly self?: string
}

/** The schemas that a document shares. */
export interface Schemas {
  /** By name, in the order in which they came. */
  readonly shared: Readonly<Record<string, unknown>>
  /** Keeps a name for a schema to come; another one where it is taken. */
  reserve(name: string): string
  /** Puts a schema under a reserved name. */
  set(name: string, schema: Node): void
  /** A schema that refers to what is shared, and to nothing else. */
  take(schema: unknown, origin: Origin): unknown
}

const prefix = '#/components/schemas/'

/** A reference to a shared schema. */
export function refTo(name: string): Node {
  return { $ref: prefix + name }
}

/**
 * Makes an empty collection of shared schemas.
 *
 * What a validator gives as JSON Schema is a document of its own, whose references are relative to it. Here these become
 * components of one document: what is the same is shared, what is called the same and is not gets another name.
 */
export function createSchemas(): Schemas {
  const store: Store = { shared: {}, names: new Map() }
  return {
    shared: store.shared,
    reserve: (name) => reserveIn(store, name),
    set: (name, schema) => {
      store.shared[name] = schema
    },
    take: (schema, origin) => rewrite(schema, { ...origin, store, place: '' }),
  }
}

interface Store {
  readonly shared: Record<string, unknown>
  /** By what they hold. */
  readonly names: Map<string, string>
}

interface Rewriting extends Origin {
  readonly store: Store
  /** The fields that led here. */
  readonly place: string
}

function rewrite(schema: unknown, at: Rewriting): unknown {
  if (!isRecord(schema)) return schema
  const inner = mapInner(withType(withoutFrame(schema)), (inner, field = '') =>
    rewrite(inner, { ...at, place: at.place + toTypeName(field) }),
  )
  const { $ref, ...beside } = inner
  if (typeof $ref !== 'string' || !$ref.startsWith('#') || $ref.startsWith(prefix)) return inner
  return { ...hoist($ref, at), ...beside }
}

// What a reference leads to, as a reference to what is shared.
function hoist(reference: string, at: Rewriting): Node {
  const { store, root, body, self } = at
  const target = followReference(reference, root)
  if (self !== undefined && target === body) return refTo(self)
  if (!isRecord(target)) return { description: `Refers to ${reference}, which is not there.` }
  if (isMade(reference) && isPlain(target)) return withType(withoutFrame(target))
  const wanted = nameFor(reference, target, at)
  const print = `${isMade(reference) ? '' : wanted} ${printOf(reference, root)}`
  const known = store.names.get(print)
  if (known !== undefined) return refTo(known)
  const isTaken = Object.hasOwn(store.shared, wanted) && !wanted.endsWith('Input')
  const name = reserveIn(store, isTaken && at.direction === 'input' ? `${wanted}Input` : wanted)
  store.names.set(print, name)
  store.shared[name] = rewrite(target, { ...at, place: '' })
  return refTo(name)
}

function reserveIn({ shared }: Store, name: string): string {
  const free = freeName(name, shared)
  shared[free] = undefined
  return free
}

function freeName(name: string, taken: object): string {
  if (!Object.hasOwn(taken, name)) return name
  for (let number = 2; ; number++) {
    if (!Object.hasOwn(taken, name + number)) return name + number
  }
}

// What belongs to a document of its own, and what was moved out of it.
function withoutFrame({ $schema, $id, $defs, definitions, ...schema }: Node): Node {
  return schema
}

// zod and arktype number what has no name, arktype differently each time.
const madeName = /^(?:__schema|alias|domain|intersection|morph|proto|union|unit)\d+$/

function isMade(reference: string): boolean {
  return !reference.includes('/') || madeName.test(lastStep(reference))
}

function lastStep(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function nameFor(reference: string, target: Node, { owner, body, place }: Rewriting): string {
  if (target === body) return `${owner}Input`
  if (isMade(reference)) return owner + place
  return toTypeName(lastStep(reference)) || owner + place
}

// What a reference leads to, written so that the names on the way do not matter.
function printOf(start: string, root: JsonSchema): string {
  const references = [start]
  const texts: string[] = []
  const print = (schema: unknown): unknown => {
    if (!isRecord(schema)) return schema
    const inner = mapInner(withoutFrame(schema), print)
    const { $ref } = inner
    if (typeof $ref !== 'string' || followReference($ref, root) === undefined) return inner
    const place = references.indexOf($ref)
    if (place < 0) references.push($ref)
    return { ...inner, $ref: place < 0 ? references.length - 1 : place }
  }
  for (const reference of references) {
    texts.push(JSON.stringify(print(followReference(reference, root))))
  }
  return texts.join()
}
