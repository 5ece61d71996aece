import { isId } from '../model/id.ts'
import { itemPath } from '../wire/path.ts'
import { idsOf, Unfit } from './expect.ts'
import { decodedOnce, placeOf } from './place.ts'
import { read } from './reading.ts'
import type { Ask } from './sent.ts'
import type { Parent } from './subject.ts'

/** Where a name like `/v1/companies/{company_id}/customers` leads: the parent with the most items; `undefined` at the top. */
export async function parentFor(name: string, ask: Ask): Promise<Parent | undefined> {
  const [, above = '', parameter = '', rest = ''] =
    /^(.*)\/[{:]([^{}/]+)\}?(\/[^/]+)$/.exec(name) ?? []
  if (rest === '') return concreteParent(name, ask)
  const grandparent = await parentFor(above, ask)
  const path =
    grandparent === undefined
      ? above
      : itemPath(grandparent.path, grandparent.id) + grandparent.rest
  const { items } = await read(path, ask)
  let best: { readonly id: string; readonly size: number } | undefined
  for (const id of idsOf(items).slice(0, maxParents)) {
    const below = await read(itemPath(path, id) + rest, ask)
    if (best === undefined || below.items.length > best.size)
      best = { id, size: below.items.length }
  }
  if (best === undefined) throw new Unfit(`${path} has no item to look below.`)
  const { id } = best
  const otherId = idsOf(items).find((other) => other !== id)
  return { path, id, otherId, rest, field: parameter }
}

const maxParents = 10

// A path may name its parent itself: `/v1/companies/7/customers`.
async function concreteParent(name: string, ask: Ask): Promise<Parent | undefined> {
  const { prefix, version, rest } = placeOf(name)
  const segments = rest.split('/').slice(1)
  if (version === undefined || segments.length < 3 || segments.length % 2 === 0) return undefined
  const path = [prefix, version, ...segments.slice(0, -2)].join('/').replace(/^(?!\/)/, '/')
  const id = decodedOnce(segments.at(-2) ?? '')
  if (id === undefined || !isId(id)) throw new Unfit(`${name} names a parent that cannot be.`)
  const { items } = await read(path, ask)
  const otherId = idsOf(items).find((other) => other !== id)
  return { path, id, otherId, rest: `/${segments.at(-1)}`, field: undefined }
}
