/**
 * The convention once more, as plainly as possible: arrays of items, and their changes. It shares
 * nothing with the library, so that each checks the other.
 */

/** An item of any resource. */
type Thing = Readonly<Record<string, unknown>> & { readonly id: string | number }

/** A request, before it is written. */
export interface Step {
  readonly method: string
  readonly noun: keyof typeof nouns
  /** The id of the company in the path. */
  readonly under?: string | undefined
  /** The segment after the noun: an id or a reserved word; none for the collection. */
  readonly end?: string | undefined
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly most?: number | undefined
}

/** An expected response. A missing member is not predicted. */
export interface Foretold {
  readonly status: number
  readonly code?: string
  /** Pointers to the faults in the body, in any order. */
  readonly pointers?: readonly string[]
  readonly body?: unknown
  readonly etag?: string | undefined
  readonly location?: string
  readonly allow?: string
  /** The next page. */
  readonly next?: Step & { readonly after: Thing }
}

const text = (value: unknown) => typeof value === 'string'
const number = (value: unknown) => typeof value === 'number'

/** The declarations of the resources. */
const nouns = {
  companies: {
    needs: { name: text },
    takes: {},
    idOf: text,
    sortable: ['name'],
    searchable: ['name'],
    isVersioned: false,
  }, // biome-ignore format: a row
  tasks: {
    needs: { title: text },
    takes: { id: text, rank: number, company_id: text },
    idOf: text,
    sortable: ['title', 'rank'],
    searchable: ['title'],
    isVersioned: true,
  }, // biome-ignore format: a row
  meters: {
    needs: { value: number },
    takes: {},
    idOf: number,
    sortable: ['value'],
    searchable: [],
    isVersioned: false,
  }, // biome-ignore format: a row
} as const

/** When everything was created. */
export const created = '2026-01-02T03:04:05.000Z'
const words = ['first', 'last', 'count']

class Refusal {
  readonly foretold: Foretold
  constructor(status: number, code: string, more: Partial<Foretold> = {}) {
    this.foretold = { status, code, ...more }
  }
}

/** A service of companies, their tasks, and meters. */
export class Model {
  items: Record<Step['noun'], readonly Thing[]> = { companies: [], tasks: [], meters: [] }
  #last = { companies: 0, tasks: 0, meters: 0 }

  /** Another that knows the same, and goes its own way. */
  copy(): Model {
    const copy = new Model()
    copy.items = { ...this.items }
    copy.#last = { ...this.#last }
    return copy
  }

  /** Applies a request, and returns its expected response. `after` is the item before the page. */
  answer(step: Step & { readonly after?: Thing }): Foretold {
    const answer = this.#told(step)
    return step.method === 'HEAD' ? withoutBody(answer) : answer
  }

  #told(step: Step & { readonly after?: Thing }): Foretold {
    try {
      return this.#answer(step)
    } catch (refusal) {
      if (refusal instanceof Refusal) return refusal.foretold
      throw refusal
    }
  }

  #answer(step: Step & { readonly after?: Thing }): Foretold {
    const { method, end } = step
    const isWord = words.includes(end ?? '')
    const allowed =
      end === undefined
        ? ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
        : isWord
          ? ['GET', 'HEAD']
          : ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']
    const allow = [...allowed, 'OPTIONS'].join(', ')
    if (method === 'OPTIONS') return { status: 200, allow }
    if (!allowed.includes(method)) throw new Refusal(405, 'method_not_allowed', { allow })
    checkQuery(step)
    if (method === 'GET' || method === 'HEAD') return this.#read(step)
    if (step.body === undefined && method !== 'DELETE') throw new Refusal(400, 'body_missing')
    if (method === 'POST')
      return Array.isArray(step.body) ? this.#createMany(step, step.body) : this.#create(step)
    if (method === 'PATCH') return end === undefined ? this.#patchMany(step) : this.#patch(step)
    if (method === 'PUT') return end === undefined ? this.#updateMany(step) : this.#update(step)
    return end === undefined ? this.#deleteAll(step) : this.#delete(step)
  }

  // The items that a path leads to.
  #owned({ noun, under }: Step): readonly Thing[] {
    if (under === undefined) return this.items[noun]
    if (!this.items.companies.some(({ id }) => id === under))
      throw new Refusal(404, 'parent_not_found')
    return this.items[noun].filter(({ company_id }) => company_id === under)
  }

  #one(step: Step): Thing {
    const found = this.#owned(step).find(({ id }) => String(id) === step.end)
    if (found === undefined) throw new Refusal(404, 'not_found')
    return found
  }

  #read(step: Step & { readonly after?: Thing }): Foretold {
    if (step.body !== undefined) throw new Refusal(400, 'body_not_allowed')
    const { noun, end, query = {}, after } = step
    if (end !== undefined && !words.includes(end)) return itemOf(noun, this.#one(step))
    const compare = orderOf(query.sort)
    const found = this.#owned(step)
      .filter((item) => matches(item, query.q, noun))
      .toSorted(compare)
    if (end === 'count') return { status: 200, body: { count: found.length } }
    if (end !== undefined) {
      const item = found.at(end === 'first' ? 0 : -1)
      if (item === undefined) throw new Refusal(404, 'empty_collection')
      return itemOf(noun, item)
    }
    const rest = after === undefined ? found : found.filter((item) => compare(item, after) > 0)
    const page = rest.slice(0, Number(query.limit ?? rest.length))
    const last = page.at(-1)
    const answer = { status: 200, body: page }
    return last === undefined || page.length === rest.length
      ? answer
      : { ...answer, next: { ...step, after: last } }
  }

  #create(step: Step): Foretold {
    const { noun, under, body } = step
    const id = fieldsOf(body).id
    const isReserved = isReservedId(id)
    const pointers = faultsOf(body, step, 'create')
    if (isReserved || pointers.length > 0)
      throw new Refusal(422, isReserved ? 'reserved_id' : 'validation_failed', {
        pointers: isReserved ? [...pointers, '/id'] : pointers,
      })
    const owned = this.#owned(step)
    const fields = { ...fieldsOf(body), ...scopeOf(step) }
    this.#checkOwners([fields], 'item')
    const item = this.#made(noun, fields)
    const own = item.id
    if (this.items[noun].some((other) => other.id === own)) throw new Refusal(409, 'conflict')
    this.items[noun] = [...this.items[noun], item]
    const path =
      under === undefined || owned === undefined ? '' : `/companies/${encodeURIComponent(under)}`
    const location = `/v1${path}/${noun}/${encodeURIComponent(String(own))}`
    return { ...itemOf(noun, item), status: 201, location }
  }

  #createMany(step: Step, body: readonly unknown[]): Foretold {
    const { noun } = step
    const ids = body.map((one) => fieldsOf(one).id)
    const isRepeated = (at: number) => ids[at] !== undefined && ids.indexOf(ids[at]) < at
    const isReserved = (at: number) => !isRepeated(at) && isReservedId(ids[at])
    const pointers = body.flatMap((one, at) => [
      ...faultsOf(one, step, 'create').map((pointer) => `/${at}${pointer}`),
      ...(isThing(one) && (isRepeated(at) || isReserved(at)) ? [`/${at}/id`] : []),
    ])
    const code = body.some((_, at) => isReserved(at)) ? 'reserved_id' : 'validation_failed'
    refuse(422, code, pointers)
    this.#owned(step)
    const all = body.map((one) => ({ ...fieldsOf(one), ...scopeOf(step) }))
    this.#checkOwners(all, 'items')
    const made = all.map((fields) => this.#made(noun, fields))
    const isTaken = ({ id }: Thing, at: number) =>
      this.items[noun].some((other) => other.id === id) ||
      made.slice(0, at).some((other) => other.id === id)
    refuse(
      409,
      'conflict',
      made.flatMap((item, at) => (isTaken(item, at) ? [`/${at}/id`] : [])),
    )
    this.items[noun] = [...this.items[noun], ...made]
    return { status: 201, body: made }
  }

  #made(noun: Step['noun'], fields: Readonly<Record<string, unknown>>): Thing {
    const id = fields.id === undefined ? this.#nextId(noun) : fields.id
    return { ...fields, id, ...(nouns[noun].isVersioned ? { created, version: 1 } : {}) } as Thing
  }

  #patch(step: Step): Foretold {
    const { noun, body } = step
    if (!isThing(body)) throw new Refusal(422, 'validation_failed', { pointers: [''] })
    refuse(422, 'validation_failed', strayIn(body, step))
    const stored = this.#one(step)
    const [item = stored] = this.#patched(step, [stored], [fieldsOf(body)])
    this.#put(noun, [item])
    return itemOf(noun, item)
  }

  #patchMany(step: Step): Foretold {
    const { noun, body } = step
    if (!Array.isArray(body)) throw new Refusal(422, 'validation_failed', { pointers: [''] })
    const ids = body.map((one) => fieldsOf(one).id)
    const pointers = body.flatMap((one, at) => {
      if (!isThing(one)) return [`/${at}`]
      const isFit = nouns[noun].idOf(ids[at]) && ids.indexOf(ids[at]) === at
      return [...strayIn(one, step), ...(isFit ? [] : ['/id'])].map((field) => `/${at}${field}`)
    })
    refuse(422, 'validation_failed', pointers)
    const owned = this.#owned(step)
    const stored = ids.map((id) => owned.find((one) => one.id === id))
    refuse(
      404,
      'not_found',
      ids.flatMap((_, at) => (stored[at] ? [] : [`/${at}/id`])),
    )
    const found = stored.filter((one) => one !== undefined)
    const items = this.#patched(step, found, body.map(fieldsOf))
    this.#put(noun, items)
    return { status: 200, body: items }
  }

  // The items after the merge; the stored ones themselves where nothing changes.
  #patched(step: Step, stored: readonly Thing[], patches: readonly Fields[]): readonly Thing[] {
    const isOne = step.end !== undefined
    const at = (place: number, field: string) => (isOne ? field : `/${place}${field}`)
    const changed = (field: string) =>
      patches.flatMap((patch, place) =>
        Object.hasOwn(patch, field) &&
        patch[field] !== stored[place]?.[field] &&
        (patch[field] !== null || stored[place]?.[field] !== undefined)
          ? [at(place, `/${field}`)]
          : [],
      )
    if (nouns[step.noun].isVersioned) refuse(422, 'validation_failed', changed('created'))
    const merged = stored.map((one, place) => mergedOf(one, patches[place] ?? {}, step))
    const faults = merged.flatMap(({ bare }, place) =>
      faultsOf(bare, step, 'update').map((pointer) => at(place, pointer)),
    )
    refuse(422, 'validation_failed', faults)
    const items = merged.map(({ item }) => item)
    this.#checkOwners(items, isOne ? 'item' : 'items')
    if (isOne) refuse(409, 'id_mismatch', changed('id'))
    if (nouns[step.noun].isVersioned) refuse(409, 'precondition_failed', changed('version'))
    const [first] = stored
    if (isOne && first) checkConditions(step, first)
    return items
  }

  #update(step: Step): Foretold {
    const { noun, body } = step
    const pointers = faultsOf(body, step, 'update')
    if (pointers.length > 0) throw new Refusal(422, 'validation_failed', { pointers })
    const stored = this.#one(step)
    const sent = fieldsOf(body)
    this.#checkOwners([{ ...sent, ...scopeOf(step) }], 'item')
    if ('created' in sent && sent.created !== stored.created)
      throw new Refusal(422, 'validation_failed', { pointers: ['/created'] })
    if ('id' in sent && sent.id !== stored.id)
      throw new Refusal(409, 'id_mismatch', { pointers: ['/id'] })
    if ('version' in sent && sent.version !== stored.version)
      throw new Refusal(409, 'precondition_failed', { pointers: ['/version'] })
    checkConditions(step, stored)
    const item = renewed(sent, stored, step)
    this.#put(noun, [item])
    return itemOf(noun, item)
  }

  #updateMany(step: Step): Foretold {
    const { noun, body } = step
    if (!Array.isArray(body)) throw new Refusal(422, 'validation_failed', { pointers: [''] })
    const ids = body.map((one) => fieldsOf(one).id)
    const pointers = body.flatMap((one, at) => [
      ...faultsOf(one, step, 'update').map((pointer) => `/${at}${pointer}`),
      ...(isThing(one) && (!nouns[noun].idOf(ids[at]) || ids.indexOf(ids[at]) < at)
        ? [`/${at}/id`]
        : []),
    ])
    if (pointers.length > 0) throw new Refusal(422, 'validation_failed', { pointers })
    const owned = this.#owned(step)
    const stored = ids.map((id) => owned.find((one) => one.id === id))
    const at = (place: number, field: string) => `/${place}/${field}`
    refuse(
      404,
      'not_found',
      ids.flatMap((_, place) => (stored[place] ? [] : [at(place, 'id')])),
    )
    this.#checkOwners(
      body.map((one) => ({ ...fieldsOf(one), ...scopeOf(step) })),
      'items',
    )
    const changed = (field: string) =>
      body.flatMap((one, place) =>
        field in one && one[field] !== stored[place]?.[field] ? [at(place, field)] : [],
      )
    refuse(422, 'validation_failed', changed('created'))
    refuse(409, 'precondition_failed', changed('version'))
    checkCollection(step)
    const items = stored.flatMap((one, place) =>
      one ? [renewed(fieldsOf(body[place]), one, step)] : [],
    )
    this.#put(noun, items)
    return { status: 200, body: items }
  }

  #delete(step: Step): Foretold {
    if (step.body !== undefined) throw new Refusal(400, 'body_not_allowed')
    const stored = this.#one(step)
    checkConditions(step, stored)
    this.#remove(step.noun, [stored])
    return itemOf(step.noun, stored)
  }

  #deleteAll(step: Step): Foretold {
    if (step.body !== undefined) throw new Refusal(400, 'body_not_allowed')
    const owned = this.#owned(step)
    checkCollection(step)
    if (owned.length > (step.most ?? owned.length)) throw new Refusal(409, 'too_many_affected')
    this.#remove(step.noun, owned)
    return { status: 200, body: { deleted: owned.length } }
  }

  #nextId(noun: Step['noun']): string | number {
    this.#last[noun] += 1
    return noun === 'meters' ? this.#last[noun] : `${noun[0]}${this.#last[noun]}`
  }

  #put(noun: Step['noun'], items: readonly Thing[]): void {
    this.items[noun] = this.items[noun].map((old) => items.find(({ id }) => id === old.id) ?? old)
  }

  #remove(noun: Step['noun'], gone: readonly Thing[]): void {
    const isNamed = ({ id }: Thing) => this.items.tasks.some(({ company_id }) => company_id === id)
    if (noun === 'companies' && gone.some(isNamed)) throw new Refusal(409, 'conflict')
    this.items[noun] = this.items[noun].filter((item) => !gone.includes(item))
  }

  // A task belongs to an existing company, or to none.
  #checkOwners(items: readonly Readonly<Record<string, unknown>>[], body: 'item' | 'items'): void {
    const isLost = ({ company_id }: Readonly<Record<string, unknown>>) =>
      company_id !== undefined && !this.items.companies.some(({ id }) => id === company_id)
    const at = (place: number) => (body === 'item' ? '/company_id' : `/${place}/company_id`)
    refuse(
      422,
      'validation_failed',
      items.flatMap((item, place) => (isLost(item) ? [at(place)] : [])),
    )
  }
}

function refuse(status: number, code: string, pointers: readonly string[]): void {
  if (pointers.length > 0) throw new Refusal(status, code, { pointers })
}

function withoutBody({ body, code, pointers, ...answer }: Foretold): Foretold {
  return answer
}

function itemOf(noun: Step['noun'], item: Thing): Foretold {
  return {
    status: 200,
    body: item,
    etag: nouns[noun].isVersioned ? `"${item.version}"` : undefined,
  }
}

function scopeOf({ under }: Step): object {
  return under === undefined ? {} : { company_id: under }
}

function renewed(sent: object, stored: Thing, step: Step): Thing {
  const own = nouns[step.noun].isVersioned ? { created, version: Number(stored.version) + 1 } : {}
  return { ...sent, ...scopeOf(step), id: stored.id, ...own }
}

type Fields = Readonly<Record<string, unknown>>

// The given fields that contradict the path.
function strayIn(patch: unknown, { under }: Step): string[] {
  const { company_id } = fieldsOf(patch)
  return under === undefined || company_id === undefined || company_id === under
    ? []
    : ['/company_id']
}

// A stored item with a patch: as an update sees it, and as it is stored.
function mergedOf(stored: Thing, patch: Fields, { noun, under }: Step) {
  const { isVersioned } = nouns[noun]
  const own = isVersioned ? ['created', 'version'] : []
  const fixed = ['id', ...own, ...(under === undefined ? [] : ['company_id'])]
  const given = Object.entries(patch).filter(([field]) => !fixed.includes(field))
  const all = new Map<string, unknown>([...Object.entries(stored), ...given])
  for (const [field, value] of given) if (value === null) all.delete(field)
  const bare = Object.fromEntries([...all].filter(([field]) => !fixed.includes(field)))
  const isSame =
    JSON.stringify(sortedOf(Object.fromEntries(all))) === JSON.stringify(sortedOf(stored))
  const next = isVersioned ? { version: Number(stored.version) + 1 } : {}
  return { bare, item: isSame ? stored : ({ ...Object.fromEntries(all), ...next } as Thing) }
}

function sortedOf(item: object): unknown {
  return Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function isReservedId(id: unknown): boolean {
  return typeof id === 'string' && (id === '' || words.includes(id))
}

function isThing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return isThing(body) ? Object(body) : {}
}

// Lists the invalid fields of a body.
function faultsOf(body: unknown, { noun, under }: Step, kind: 'create' | 'update'): string[] {
  if (!isThing(body)) return ['']
  const { needs, takes, isVersioned } = nouns[noun]
  const sent = Object.entries(fieldsOf(body))
  const missing = Object.keys(needs).filter((field) => !Object.hasOwn(fieldsOf(body), field))
  const own = isVersioned ? ['created', 'version'] : []
  const wrong = sent.filter(([field, value]) => {
    if (own.includes(field)) return kind === 'create'
    if (field === 'id' && kind === 'update') return false
    if (field === 'company_id' && under !== undefined) return value !== under
    const fits: ((value: unknown) => boolean) | undefined = Reflect.get(
      { ...needs, ...takes },
      field,
    )
    return fits === undefined || !fits(value)
  })
  return [...missing, ...wrong.map(([field]) => field)].map((field) => `/${field}`)
}

function checkQuery({ method, end, noun, query = {} }: Step): void {
  const { sortable, searchable } = nouns[noun]
  const isRead = method === 'GET' || method === 'HEAD'
  const all =
    end === undefined
      ? ['q', 'sort', 'limit']
      : end === 'count'
        ? ['q']
        : words.includes(end)
          ? ['q', 'sort']
          : []
  const taken = isRead ? all.filter((name) => name !== 'q' || searchable.length > 0) : []
  const { sort = '', limit = '1' } = query
  if (Object.keys(query).some((name) => !taken.includes(name)))
    throw new Refusal(400, 'unknown_parameter')
  const fields = sort === '' ? [] : sort.split(',').map((field) => field.replace(/^-/, ''))
  const isKnown = (field: string) => sortable.some((known) => known === field)
  if (!fields.every(isKnown)) throw new Refusal(400, 'sort_unknown_field')
  if (new Set(fields).size < fields.length) throw new Refusal(400, 'sort_duplicate_field')
  if (!/^[1-9]\d*$/.test(limit) || Number(limit) > 1000) throw new Refusal(400, 'bad_parameter')
}

function checkConditions({ ifMatch, ifNoneMatch }: Step, { version }: Thing): void {
  const isOneOf = (tags: string) => tags === '*' || tags.split(', ').includes(`"${version}"`)
  if (ifMatch !== undefined && !isOneOf(ifMatch)) throw new Refusal(409, 'precondition_failed')
  if (ifNoneMatch !== undefined && isOneOf(ifNoneMatch.replaceAll('W/', '')))
    throw new Refusal(409, 'precondition_failed')
}

function checkCollection({ ifMatch, ifNoneMatch }: Step): void {
  if ((ifMatch ?? '*') !== '*' || ifNoneMatch === '*') throw new Refusal(409, 'precondition_failed')
}

function matches(item: Thing, q: string | undefined, noun: Step['noun']): boolean {
  const fields = nouns[noun].searchable.map((field) => String(item[field]).toLowerCase())
  const found = (word: string) => fields.some((field) => field.includes(word.toLowerCase()))
  return (q ?? '').split(' ').filter(Boolean).every(found)
}

function orderOf(sort = ''): (one: Thing, other: Thing) => number {
  const fields = [...sort.split(',').filter(Boolean), 'id']
  return (one, other) => {
    for (const name of fields) {
      const field = name.replace(/^-/, '')
      const order = compare(one[field], other[field])
      if (order !== 0) return name.startsWith('-') ? -order : order
    }
    return 0
  }
}

// Missing values last, text by code point.
function compare(one: unknown, other: unknown): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined)
  if (typeof one === 'number') return one - Number(other)
  const [left, right] = [one, other].map((value) =>
    Array.from(String(value), (character) => character.codePointAt(0) ?? 0),
  )
  const at = (left ?? []).findIndex((code, place) => code !== right?.[place])
  return at < 0
    ? (left?.length ?? 0) - (right?.length ?? 0)
    : (left?.[at] ?? 0) - (right?.[at] ?? -1)
}
