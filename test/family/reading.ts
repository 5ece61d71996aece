import { storedQueries } from './contract.ts'
import { referenceFieldOf, restrictedFieldOf } from './fields.ts'
import { askerOf, hold, holdEqual, holdStatus, offers, without } from './hold.ts'
import { type Item, valueAt } from './levels.ts'
import { type Scene, unseenIn } from './script.ts'
import { type Answer, itemsOf, textOf } from './trial.ts'

/** Reads the whole list page by page. */
async function pagesOf(scene: Scene, query: string): Promise<readonly Item[] | undefined> {
  const { trial, me } = scene
  const items: Item[] = []
  let url: string | undefined = `${scene.base}?limit=2${query}`
  for (let pages = 0; url !== undefined && pages < 20; pages++) {
    const page = await trial.ask({ as: me, method: 'GET', url })
    if (page.status !== 200) {
      trial.note('a page is 200', textOf(page))
      return undefined
    }
    items.push(...itemsOf(page))
    url = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1]
  }
  return items
}

/** Reads the list in every way. Returns its items. */
export async function readThings(scene: Scene): Promise<readonly Item[]> {
  const ask = askerOf(scene)
  if (!offers(scene, 'list')) {
    holdStatus(scene, 'an operation that is left out is 405', await ask({ method: 'GET' }), 405)
    return []
  }
  const { row } = scene.trial.contract
  const list = await ask({ method: 'GET' })
  holdStatus(scene, 'a list is 200', list, 200)
  const all = (await pagesOf(scene, '')) ?? itemsOf(list)
  const isCut = row.limits === 'default' || row.limits === 'both'
  const most = isCut ? 3 : all.length
  holdEqual(scene, 'joined pages are the list', itemsOf(list), all.slice(0, most))
  const head = await ask({ method: 'HEAD' })
  holdEqual(
    scene,
    'HEAD is GET',
    [head.status, head.headers, head.body],
    [200, list.headers, undefined],
  )
  await holdTotals(scene, all, list)
  await holdEnds(scene, all)
  await holdSorts(scene, all)
  await holdFilters(scene, all)
  await holdSelections(scene, all)
  return all
}

async function holdTotals(scene: Scene, all: readonly Item[], list: Answer): Promise<void> {
  const ask = askerOf(scene)
  const { total } = scene.trial.contract.row
  const counted = await ask({ method: 'GET', headers: { prefer: 'count=exact' } })
  const expected = total === 'never' ? undefined : String(all.length)
  holdEqual(scene, 'the total is the length', counted.headers['x-total-count'], expected)
  const always = total === 'always' ? String(all.length) : undefined
  holdEqual(scene, 'the total is sent as declared', list.headers['x-total-count'], always)
  const count = await ask({ method: 'GET', at: '/count' })
  if (!offers(scene, 'count')) holdStatus(scene, 'an operation that is left out is 405', count, 405)
  else holdEqual(scene, 'count is the length', count.body, { count: all.length })
  await holdGroups(scene, all)
}

async function holdGroups(scene: Scene, all: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  for (const name of namedHere(scene, 'countable')) {
    const { body } = await ask({ method: 'GET', at: `/count?by=${name}` })
    const { count, groups = [] } = Object(body)
    const heldBy = (item: Item): unknown => item[name] ?? null
    const values = [...new Set(all.map(heldBy))]
    const tally = values.map((value) => [value, all.filter((one) => heldBy(one) === value).length])
    const told = groups.map((group: Item) => [heldBy(group), group.count])
    const inOrder = (pairs: readonly unknown[]) => pairs.map((pair) => JSON.stringify(pair)).sort()
    holdEqual(scene, 'groups count each value', inOrder(told), inOrder(tally))
    holdEqual(scene, 'groups come with the count of all', count, all.length)
  }
  for (const name of unseenIn(scene)) {
    const answer = await ask({ method: 'GET', at: `/count?by=${name}` })
    const isOffered = offers(scene, 'count')
    holdStatus(scene, 'an unseen field has no groups', answer, isOffered ? 400 : 405)
  }
}

async function holdEnds(scene: Scene, all: readonly Item[], query = ''): Promise<void> {
  const ask = askerOf(scene)
  for (const [kind, item] of [
    ['first', all[0]],
    ['last', all.at(-1)],
  ] as const) {
    const answer = await ask({ method: 'GET', at: `/${kind}${query}` })
    if (!offers(scene, kind)) {
      holdStatus(scene, 'an operation that is left out is 405', answer, 405)
      continue
    }
    if (item === undefined) holdStatus(scene, 'the end of an empty list is 404', answer, 404)
    else holdEqual(scene, `${kind} is the ${kind} item`, answer.body, item)
  }
}

/** The names here of the fields that an option of the stored resource names. */
export function namedHere(
  scene: Scene,
  option: 'sortable' | 'searchable' | 'filterable' | 'countable',
) {
  const { level, trial } = scene
  const unseen = unseenIn(scene)
  const names = storedQueries(trial.contract.row)[option].flatMap(level.namesOf)
  const { worded: searchable, tabled: filterable } = level
  const made = { sortable: [], searchable, filterable, countable: [] }[option]
  return [...names, ...made].filter((name) => !unseen.includes(name))
}

async function holdSorts(scene: Scene, all: readonly Item[]): Promise<void> {
  const ids = (items: readonly Item[]) => items.map(({ id }) => id)
  const sorted = (items: readonly Item[]) => ids(items).map(String).sort()
  for (const name of ['id', ...namedHere(scene, 'sortable')]) {
    const up = await pagesOf(scene, `&sort=${name}`)
    const down = await pagesOf(scene, name === 'id' ? '&sort=-id' : `&sort=-${name},-id`)
    if (up === undefined || down === undefined) continue
    holdEqual(scene, 'a sorted list has all items', sorted(up), sorted(all))
    holdEqual(scene, 'a reversed list is the reverse', ids(down), ids(up).reverse())
    await holdEnds(scene, up, `?sort=${name}`)
    await holdFolded(scene, name, up)
  }
}

// Holds that an order and a range of a folded text ignore case.
async function holdFolded(scene: Scene, name: string, up: readonly Item[]): Promise<void> {
  const isFolded = storedQueries(scene.trial.contract.row).folded.flatMap(scene.level.namesOf)
  const [first] = up
  if (!isFolded.includes(name) || first === undefined) return
  const keysOf = (item: Item) => [String(item[name]).toUpperCase(), String(item[name])] as const
  const isBefore = (one: Item, other: Item): boolean => {
    const [fold, text] = keysOf(one)
    const [otherFold, otherText] = keysOf(other)
    return fold === otherFold ? text < otherText : fold < otherFold
  }
  const isOrdered = up.every((item, index) => index === 0 || !isBefore(item, up[index - 1] as Item))
  hold(scene, 'a folded order ignores case', isOrdered, () => JSON.stringify(up.map(keysOf)))
  const middle = up[Math.floor(up.length / 2)] as Item
  const ask = askerOf(scene)
  const value = encodeURIComponent(String(middle[name]))
  const found = await ask({ method: 'GET', at: `?${name}:gt=${value}&sort=${name}&limit=5` })
  const later = up.filter((item) => isBefore(middle, item)).slice(0, 5)
  holdEqual(scene, 'a folded range ignores case', itemsOf(found), later)
}

async function holdFilters(scene: Scene, all: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const limit = '&limit=5'
  for (const name of ['id', ...namedHere(scene, 'filterable')]) {
    const value = all.map((item) => valueAt(item, name)).find((one) => one !== null)
    if (value === undefined || Array.isArray(value)) continue
    const text = encodeURIComponent(String(value))
    const matching = all.filter((item) => valueAt(item, name) === value)
    const equal = await ask({ method: 'GET', at: `?${name}=${text}${limit}` })
    holdEqual(scene, 'a filter finds what is equal', itemsOf(equal), matching.slice(0, 5))
    const differing = await ask({ method: 'GET', at: `?${name}:ne=${text}${limit}` })
    const rest = all.filter((item) => valueAt(item, name) !== value)
    holdEqual(scene, 'a filter finds what differs', itemsOf(differing), rest.slice(0, 5))
    if (name === 'id') continue
    const missing = await ask({ method: 'GET', at: `?${name}:null=true${limit}` })
    const none = all.filter((item) => valueAt(item, name) === null)
    holdEqual(scene, 'a filter finds what is missing', itemsOf(missing), none.slice(0, 5))
    if (offers(scene, 'count')) {
      const count = await ask({ method: 'GET', at: `/count?${name}=${text}` })
      holdEqual(scene, 'count counts what a filter finds', count.body, { count: matching.length })
    }
  }
  await holdOperators(scene)
  await holdNested(scene, all)
  for (const name of unseenIn(scene))
    holdStatus(
      scene,
      'an unseen field is no filter',
      await ask({ method: 'GET', at: `?${name}=1` }),
      400,
    )
}

async function holdOperators(scene: Scene): Promise<void> {
  const ask = askerOf(scene)
  const { sortable, searchable, filterable } = {
    sortable: namedHere(scene, 'sortable'),
    searchable: namedHere(scene, 'searchable'),
    filterable: namedHere(scene, 'filterable'),
  }
  for (const name of filterable) {
    const type = scene.level.fields.find((field) => field.name === name)?.type
    const samples: Readonly<Record<string, string>> = { text: 'ada', enum: 'open', integer: '2' }
    const value = type && samples[type]
    if (value === undefined) continue
    for (const operator of ['gt', 'lte']) {
      const answer = await ask({ method: 'GET', at: `?${name}:${operator}=${value}&limit=2` })
      holdStatus(
        scene,
        'ranges are for sortable fields',
        answer,
        sortable.includes(name) ? 200 : 400,
      )
    }
    if (type === 'enum') continue
    const answer = await ask({ method: 'GET', at: `?${name}:contains=${value}&limit=2` })
    const isText = searchable.includes(name) && scene.level.namesOf('x').length > 0
    holdStatus(scene, 'contains is for searchable fields', answer, isText ? 200 : 400)
  }
}

// Holds filters into lists, and by members of objects.
async function holdNested(scene: Scene, all: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const names = namedHere(scene, 'filterable')
  const holds = (text: string) => (item: Item) => [valueAt(item, 'tags')].flat().includes(text)
  const cityOf = (item: Item) => String(valueAt(item, 'address.city'))
  const selections = [
    ['tags:has=all', holds('all')],
    ['tags:has=tag%201', holds('tag 1')],
    ['tags:has=tag%201&tags:has=tag%202', (item: Item) => holds('all')(item)],
    ['tags:has=nothing', () => false],
    ['address.city:gt=City%202', (item: Item) => cityOf(item) > 'City 2'],
    ['address.city:startsWith=city%201', (item: Item) => cityOf(item).startsWith('City 1')],
    ['address.city:contains=TY%203', (item: Item) => cityOf(item).includes('ty 3')],
  ] as const
  for (const [filter, isIn] of selections) {
    if (!names.includes(filter.replace(/[:=].*/, ''))) continue
    const found = await ask({ method: 'GET', at: `?${filter}&limit=5` })
    holdEqual(scene, 'a filter reaches into a field', itemsOf(found), all.filter(isIn).slice(0, 5))
  }
  if (!names.includes('tags')) return
  const whole = await ask({ method: 'GET', at: '?tags=all&limit=2' })
  holdStatus(scene, 'a list has no other filter', whole, 400)
}

/** Holds `q`, `fields`, `include`, `offset` and lists of ids. */
async function holdSelections(scene: Scene, all: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const { row } = scene.trial.contract
  const found = await ask({ method: 'GET', at: '?q=ada&limit=5' })
  const searched = namedHere(scene, 'searchable').length > 0
  holdStatus(scene, 'q is for searchable fields', found, searched ? 200 : 400)
  if (searched) {
    const missing = await ask({ method: 'GET', at: '?q=nobody&limit=5' })
    holdEqual(scene, 'q finds no other words', missing.body, [])
  }
  const names = Object.keys(all[0] ?? {}).slice(1, 3)
  const fields = await ask({ method: 'GET', at: `?fields=${names.join()}&limit=5` })
  const parts = all
    .slice(0, 5)
    .map((item) =>
      Object.fromEntries(
        Object.entries(item).filter(([name]) => name === 'id' || names.includes(name)),
      ),
    )
  if (names.length > 0) holdEqual(scene, 'fields leaves out the others', fields.body, parts)
  const skipped = await ask({ method: 'GET', at: '?offset=1&limit=2' })
  holdEqual(scene, 'offset skips items', itemsOf(skipped), all.slice(1, 3))
  const ids = all.slice(0, 3).map(({ id }) => `id=${encodeURIComponent(String(id))}`)
  const several = await ask({ method: 'GET', at: `?${ids.join('&')}&limit=5` })
  if (ids.length > 0)
    holdEqual(scene, 'a list of ids finds them', itemsOf(several), all.slice(0, 3))
  if (row.reference !== 'none') await holdIncludes(scene, all)
}

async function holdIncludes(scene: Scene, all: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const { row, levels } = scene.trial.contract
  const field = referenceFieldOf(row) as string
  const as = row.reference === 'alias' ? 'mate' : field.replace(/_id$/, '')
  const answer = await ask({ method: 'GET', at: `?include=${as}&limit=5` })
  const isAbsent =
    row.target === 'absent' &&
    row.reference !== 'self' &&
    scene.version === 'v1' &&
    levels.shown.length > 1
  const isUnseen =
    (restrictedFieldOf(row) === field && row.restricted !== 'seen') ||
    (row.reference === 'self' && !offers(scene, 'read'))
  if (isAbsent || isUnseen)
    return holdStatus(scene, 'an unseen reference is not included', answer, 400)
  holdStatus(scene, 'a reference is included', answer, 200)
  for (const [index, item] of itemsOf(answer).entries()) {
    const value = item[field] ?? null
    const member = item[as]
    const id = member === null ? null : Object(member).id
    holdEqual(scene, 'include adds the item that is named', id, value)
    holdEqual(scene, 'include changes no other member', without(item, [as]), all[index])
  }
  // The things themselves have fields of every kind, which other laws hold.
  if (row.reference !== 'self') await holdRelated(scene, as)
}

// Holds filters by the name of the peer that a reference names.
async function holdRelated(scene: Scene, as: string): Promise<void> {
  const ask = askerOf(scene)
  const included = (await pagesOf(scene, `&include=${as}`)) ?? []
  const linked = included.filter((item) => (item[as] ?? null) !== null)
  const member = Object(linked[0]?.[as])
  const name = Object.hasOwn(member, 'label') ? 'label' : 'name'
  const ids = (items: readonly Item[]) => items.map(({ id }) => id)
  const value = encodeURIComponent(String(member[name] ?? 'nobody'))
  for (const [filter, expected] of [
    [`${as}.${name}=${value}`, linked.filter((item) => Object(item[as])[name] === member[name])],
    [`${as}.${name}=nobody`, []],
    [`${as}.${name}:ne=nobody`, linked],
    [`${as}.${name}:null=true`, []],
  ] as const) {
    const found = await pagesOf(scene, `&${filter}`)
    if (found !== undefined)
      holdEqual(scene, 'a filter finds items by a related one', ids(found), ids(expected))
    if (!offers(scene, 'count')) continue
    const count = await ask({ method: 'GET', at: `/count?${filter}` })
    const length = { count: expected.length }
    holdEqual(scene, 'count counts what a related filter finds', count.body, length)
  }
  const id = await ask({ method: 'GET', at: `?${as}.id=1&limit=2` })
  holdStatus(scene, 'a filter by a related id is 400', id, 400)
  await holdRelatedOrder(scene, `${as}.${name}`, included)
}

// Holds orders by the name of the peer: items without a peer come last.
async function holdRelatedOrder(
  scene: Scene,
  path: string,
  included: readonly Item[],
): Promise<void> {
  const ids = (items: readonly Item[] | undefined) => items?.map(({ id }) => id)
  const up = await pagesOf(scene, `&sort=${path}`)
  const down = await pagesOf(scene, `&sort=-${path},-id`)
  const nameOf = ({ id }: Item) => valueAt(included.find((item) => item.id === id) ?? {}, path)
  const names = up?.map(nameOf) ?? []
  const texts = names.filter((name) => name !== null).map(String)
  const sorted = [...texts.toSorted(), ...names.slice(texts.length).fill(null)]
  holdEqual(scene, 'a related order sorts by the related field', names, sorted)
  holdEqual(scene, 'a reversed related order is the reverse', ids(down), ids(up)?.reverse())
}
