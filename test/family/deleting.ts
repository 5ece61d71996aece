import { askerOf, at, holdEqual, holdStatus, isForbidden, offers } from './hold.ts'
import { type Item, valueAt } from './levels.ts'
import { namedHere } from './reading.ts'
import type { Scene } from './script.ts'
import { itemsOf } from './trial.ts'

/** Deletes the things that a filter selects. Returns the others. */
async function deleteSome(scene: Scene, all: readonly Item[]): Promise<readonly Item[]> {
  const ask = askerOf(scene)
  let left = all
  for (const { query, isIn } of filtersOf(scene, all)) {
    const found = left.filter(isIn)
    const send = (most: number, rest = '') =>
      ask({
        method: 'DELETE',
        at: `?${query}${rest}`,
        headers: { prefer: `max-affected=${most}` },
      })
    const dry = await send(found.length, '&dry_run=true')
    if (isForbidden(scene)) {
      holdStatus(scene, 'a middleware refuses', dry, 403)
      continue
    }
    if (!offers(scene, 'deleteMany')) {
      // A DELETE with a query takes no filter, or no DELETE is offered.
      holdStatus(scene, 'a deletion by a filter needs the operation', dry, 400, 405)
      continue
    }
    holdEqual(scene, 'a dry run counts what a filter finds', dry.body, { deleted: found.length })
    if (found.length > 0) {
      const few = await send(found.length - 1)
      holdStatus(scene, 'a bound holds for a filter', few, 409)
    }
    const unbound = await ask({ method: 'DELETE', at: `?${query}` })
    holdStatus(scene, 'a deletion by a filter needs a bound', unbound, 409)
    // The last ones are for other laws.
    if (found.length > 3) continue
    const gone = await send(found.length)
    holdEqual(scene, 'a filter deletes what it finds', gone.body, { deleted: found.length })
    left = left.filter((item) => !isIn(item))
    const ids = (items: readonly Item[]) => items.map(({ id }) => id)
    const listed = await ask({ method: 'GET', at: '?limit=5' })
    holdEqual(scene, 'the others stay', ids(itemsOf(listed)), ids(left).slice(0, 5))
  }
  return left
}

interface Selection {
  readonly query: string
  readonly isIn: (item: Item) => boolean
}

function filtersOf(scene: Scene, all: readonly Item[]): readonly Selection[] {
  return ['id', ...namedHere(scene, 'filterable')].flatMap((name, index): readonly Selection[] => {
    const valuesOf = (item: Item): readonly unknown[] => [valueAt(item, name)].flat()
    const values = all.flatMap(valuesOf).filter((value) => value !== null)
    const value = values[index % Math.max(values.length, 1)]
    if (value === undefined) return []
    const text = encodeURIComponent(String(value))
    const operator = all.some((item) => Array.isArray(item[name])) ? ':has' : ''
    return [{ query: `${name}${operator}=${text}`, isIn: (item) => valuesOf(item).includes(value) }]
  })
}

/** Deletes things by filters, then one by one, then all. */
export async function deleteThings(scene: Scene, items: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const all = await deleteSome(scene, items)
  const [item] = all
  if (item !== undefined) await deleteThing(scene, item)
  const { bounded } = scene.trial.contract.row
  const few = await ask({ method: 'DELETE', headers: { prefer: 'max-affected=0' } })
  if (!offers(scene, 'deleteAll'))
    return holdStatus(scene, 'an operation that is left out is 405', few, 405)
  if (isForbidden(scene)) return holdStatus(scene, 'a middleware refuses', few, 403)
  const left = all.length - (item !== undefined && offers(scene, 'delete') ? 1 : 0)
  if (offers(scene, 'list')) holdStatus(scene, 'a bound holds', few, left > 0 ? 409 : 200)
  if (bounded === 'yes')
    holdStatus(scene, 'a bounded resource needs a bound', await ask({ method: 'DELETE' }), 409)
  const gone = await ask({ method: 'DELETE', headers: { prefer: 'max-affected=1000' } })
  holdStatus(scene, 'all items are deleted', gone, 200)
  if (!offers(scene, 'list')) return
  const list = await ask({ method: 'GET' })
  holdEqual(scene, 'a list without items is empty', list.body, [])
  if (offers(scene, 'first'))
    holdStatus(
      scene,
      'the end of an empty list is 404',
      await ask({ method: 'GET', at: '/first' }),
      404,
    )
}

async function deleteThing(scene: Scene, item: Item): Promise<void> {
  const ask = askerOf(scene)
  const before = offers(scene, 'read')
    ? (await ask({ method: 'GET', at: at(item) })).body
    : undefined
  const gone = await ask({ method: 'DELETE', at: at(item) })
  if (!offers(scene, 'delete'))
    return holdStatus(scene, 'an operation that is left out is 405', gone, 405)
  if (isForbidden(scene)) return holdStatus(scene, 'a middleware refuses', gone, 403)
  holdStatus(scene, 'DELETE is 200', gone, 200)
  if (before !== undefined) holdEqual(scene, 'DELETE gives the item', gone.body, before)
  if (offers(scene, 'read'))
    holdStatus(scene, 'a deleted item is 404', await ask({ method: 'GET', at: at(item) }), 404)
  holdStatus(scene, 'a deleted item is 404', await ask({ method: 'DELETE', at: at(item) }), 404)
}
