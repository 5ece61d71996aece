import { isId } from '../../contract/resource/id.ts'
import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, type Parent, readList } from './collection.ts'
import { idTextsOf, skip } from './expect.ts'
import type { SendRequest } from './message.ts'
import { decodeSegment, splitAtVersion } from './path.ts'

/**
 * Finds the parent of a collection like `/v1/companies/{company_id}/customers`: the one with the
 * most items. Returns `undefined` for a collection at the top.
 */
export async function findParent(name: string, send: SendRequest): Promise<Parent | undefined> {
  const [, above = '', field = '', rest = ''] = /^(.*)\/[{:]([^{}/]+)\}?(\/[^/]+)$/.exec(name) ?? []
  if (rest === '') return parentInPath(name, send)
  const grandparent = await findParent(above, send)
  const path = grandparent === undefined ? above : pathBelow(grandparent)
  const { items } = await readList(path, send)
  const ids = idTextsOf(items)
  let [id = skip(`${path} has no item, and so no collection below one.`)] = ids
  let most = 0
  for (const other of ids.slice(0, maxParents)) {
    const { length } = (await readList(pathBelow({ path, id: other, rest }), send)).items
    if (length > most) [id, most] = [other, length]
  }
  return { path, id, otherId: ids.find((other) => other !== id), rest, field }
}

const maxParents = 10

/** Returns the path of the collection below a parent. */
export function pathBelow({ path, id, rest }: Pick<Parent, 'path' | 'id' | 'rest'>): string {
  return itemPath(path, id) + rest
}

/** The reason why a rule about parents does not apply. */
export const noParent = 'The collection has no parent.'

/** Returns the parent. Skips the rule for a collection without one. */
export function parentOf({ parent }: CheckedCollection): Parent {
  return parent ?? skip(noParent)
}

// A path may hold the parent's id: `/v1/companies/7/customers`.
async function parentInPath(name: string, send: SendRequest): Promise<Parent | undefined> {
  const { prefix, version, rest } = splitAtVersion(name)
  const segments = rest.split('/').slice(1)
  if (version === undefined || segments.length < 3 || segments.length % 2 === 0) return undefined
  const path = [prefix, version, ...segments.slice(0, -2)].join('/').replace(/^(?!\/)/, '/')
  const id = decodeSegment(segments.at(-2) ?? '')
  if (id === undefined || !isId(id)) skip(`${name} holds an invalid parent id.`)
  const { items } = await readList(path, send)
  const otherId = idTextsOf(items).find((other) => other !== id)
  return { path, id, otherId, rest: `/${segments.at(-1)}`, field: undefined }
}
