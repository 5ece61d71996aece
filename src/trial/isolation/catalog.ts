import { isRecord } from '../../convention/value.ts'
import type { CallerResponse, SendAs } from './exchange.ts'

/** A collection that the proof asks about. */
export interface ProvenCollection {
  /** `/v1/companies/{company_id}/employees` */
  readonly name: string
  /** Letters that no other collection has, for the texts of its items. */
  readonly letters: string
  readonly resource: string
  /** The names of the collections around it, outermost first. */
  readonly ancestors: readonly string[]
  /** The parameter of the nearest parent; `undefined` at the top. */
  readonly parameter: string | undefined
  /** Every caller sees every item. */
  readonly isShared: boolean
  readonly owners: readonly string[]
  readonly references: readonly ProvenReference[]
  /** The fields that the server fills in. */
  readonly readOnly: readonly string[]
  /** The fields that only some callers see. */
  readonly restricted: readonly string[]
  /** `undefined` when the server does not list them. */
  readonly sortable: readonly string[] | undefined
  readonly filterable: readonly string[] | undefined
  /** The methods of an item. */
  readonly methods: readonly string[]
  /** The methods of the collection. */
  readonly listMethods: readonly string[]
}

/** Tells a collection whose items are owners: each caller has one item at most. */
export function isOfOwners({ owners }: ProvenCollection): boolean {
  return owners.includes('id')
}

interface ProvenReference {
  readonly field: string
  readonly to: string
  /** The member of `include`. */
  readonly include: string | undefined
}

/** Returns the names of all collections that the server lists. */
export async function listCollections(send: SendAs): Promise<readonly string[]> {
  const { json } = await send('bob', { method: 'OPTIONS', path: '*' })
  return textsIn(json, 'paths') ?? []
}

/** Describes collections, parents and referenced ones first. */
export async function describeCollections(
  names: readonly string[],
  send: SendAs,
): Promise<readonly ProvenCollection[]> {
  const written = names.map((name) => name.replace(/:(\w+)/g, '{$1}'))
  const described: ProvenCollection[] = []
  for (const name of written) described.push(await describeCollection(name, written, send))
  // The versions of a resource share its items, so the texts of each collection are its own.
  return inOrderOf(described).map((one, index) => ({ ...one, letters: lettersOf(index) }))
}

function lettersOf(index: number): string {
  return index.toString(16).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? 'q')
}

async function describeCollection(
  name: string,
  names: readonly string[],
  send: SendAs,
): Promise<ProvenCollection> {
  const path = name.replace(/\{\w+\}/g, '1')
  const list = await send('bob', { method: 'OPTIONS', path })
  const item = await send('bob', { method: 'OPTIONS', path: `${path}/1` })
  const { json } = list
  const ownedBy = memberIn(json, 'ownedBy')
  const prefixes = [...name.matchAll(/\/\{(\w+)\}/g)].map(({ index }) => name.slice(0, index))
  return {
    name,
    letters: '',
    resource: `${memberIn(json, 'resource') ?? name.split('/').at(-1)}`,
    ancestors: prefixes.filter((prefix) => names.includes(prefix)),
    parameter: /\{(\w+)\}\/[^/]+$/.exec(name)?.[1],
    isShared: Array.isArray(ownedBy) && ownedBy.length === 0,
    owners: textsIn(json, 'ownedBy') ?? [],
    references: referencesIn(json),
    readOnly: textsIn(json, 'readOnly') ?? [],
    restricted: textsIn(json, 'restricted') ?? [],
    sortable: textsIn(json, 'sortable'),
    filterable: textsIn(json, 'filterable'),
    methods: methodsOf(item, ['GET', 'PUT', 'PATCH', 'DELETE']),
    listMethods: methodsOf(list, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  }
}

function methodsOf(
  { status, headers: { allow } }: CallerResponse,
  all: readonly string[],
): readonly string[] {
  if (status >= 300 || allow === undefined) return all
  return allow.split(',').map((method) => method.trim())
}

function referencesIn(json: unknown): readonly ProvenReference[] {
  const references = memberIn(json, 'references')
  if (!Array.isArray(references)) return []
  return references.filter(isRecord).map(({ field, to, include }) => ({
    field: `${field}`,
    to: `${to}`,
    include: typeof include === 'string' ? include : undefined,
  }))
}

function textsIn(json: unknown, name: string): readonly string[] | undefined {
  const list = memberIn(json, name)
  if (!Array.isArray(list)) return undefined
  return list.filter((value): value is string => typeof value === 'string')
}

function inOrderOf(collections: readonly ProvenCollection[]): readonly ProvenCollection[] {
  const left = [...collections].sort((one, other) => one.ancestors.length - other.ancestors.length)
  const ordered: ProvenCollection[] = []
  while (left.length > 0) {
    const isReady = ({ name, resource, ancestors, references }: ProvenCollection): boolean =>
      left.every(
        (other) =>
          other.name === name ||
          (!ancestors.includes(other.name) &&
            !references.some(({ to }) => to === other.resource && to !== resource)),
      )
    const [next] = left.splice(Math.max(0, left.findIndex(isReady)), 1)
    if (next !== undefined) ordered.push(next)
  }
  return ordered
}

function memberIn(json: unknown, name: string): unknown {
  return isRecord(json) && Object.hasOwn(json, name) ? json[name] : undefined
}
