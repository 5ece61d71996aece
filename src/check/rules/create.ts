import { reservedWords } from '../../model/convention.ts'
import { fieldOf } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import {
  broken,
  expectItem,
  expectProblem,
  expectSame,
  expectStatus,
  type Found,
  unfit,
} from '../expect.ts'
import { isPlain, targetOf } from '../place.ts'
import type { Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { expectOffered, type Workshop } from '../workshop.ts'
import { nothing } from './list.ts'
import { below, parentOf } from './parents.ts'

/** What POST on a collection does. */
export const createRules: readonly Rule[] = [
  {
    id: 'create',
    words: 'POST makes an item: 201 with the item, its id included.',
    needs: ['write'],
    async run(subject) {
      const { path, draft } = workshopOf(subject)
      const body = await draft()
      const exchange = await subject.ask('POST', path, { body })
      expectOffered(exchange, 201)
      const item = expectItem(exchange, 201)
      const other = Object.keys(body).find(
        (field) => JSON.stringify(item[field]) !== JSON.stringify(body[field]),
      )
      if (other !== undefined) broken(exchange, `The item has not the "${other}" that was sent.`)
    },
  },
  {
    id: 'create-location',
    words:
      '201 has the "Location" of the item, with version and without trailing slash, and it can be read there.',
    needs: ['write'],
    async run(subject) {
      const { ask, place } = subject
      const { path, draft } = workshopOf(subject)
      const exchange = await ask('POST', path, { body: await draft() })
      if (exchange.answer.status >= 300) unfit('Nothing is created.')
      const { location } = exchange.answer.headers
      if (location === undefined) return broken(exchange, 'There is no "Location".')
      const url = targetOf(location, path)
      if (!url || !isPlain(url.pathname.replace(/\/$/, '')))
        return broken(exchange, `"Location" is "${location}", which names no item.`)
      const { pathname } = url
      if (place.version !== undefined && !pathname.includes(`/${place.version}/`))
        broken(exchange, `"Location" is ${location}, without the version.`)
      if (pathname.endsWith('/'))
        broken(exchange, `"Location" is ${location}, with a trailing slash.`)
      const read = await ask('GET', pathname)
      if (read.answer.status !== 200)
        broken(exchange, `What "Location" names is answered ${read.answer.status}.`)
      expectSame(read, exchange.answer.json, 'the item that was made')
    },
  },
  {
    id: 'scope-written',
    words: 'An item made below a parent belongs to it; a body that contradicts it is 422.',
    needs: ['write', 'parent'],
    async run(subject) {
      const { field } = parentOf(subject)
      if (field === undefined) unfit('The template does not name the field that owns.')
      const { path, draft } = workshopOf(subject)
      const exchange = await subject.ask('POST', path, { body: await draft() })
      expectOffered(exchange, 201)
      const owner = decodeURIComponent(path.split('/').at(-2) ?? '')
      const own = fieldOf(Object(exchange.answer.json), field)
      if (String(own) !== owner) broken(exchange, `The "${field}" of the item is not ${owner}.`)
      const stranger = isId(own) ? absentId(own) : nothing
      expectProblem(
        await subject.ask('POST', path, { body: { ...(await draft()), [field]: stranger } }),
        'validation_failed',
      )
    },
  },
  {
    id: 'create-parent-missing',
    words: 'Nothing is made below a parent that is not there: 404.',
    needs: ['write', 'parent'],
    async run(subject) {
      const body = await workshopOf(subject).draft()
      expectProblem(
        await subject.ask('POST', below(parentOf(subject), nothing), { body }),
        'parent_not_found',
      )
    },
  },
  {
    id: 'reserved-id',
    words: 'An item cannot be called "first", "last" or "count": 422.',
    needs: ['write'],
    async run(subject) {
      const { path, draft } = workshopOf(subject)
      for (const id of reservedWords)
        expectProblem(
          await subject.ask('POST', path, { body: { ...(await draft()), id } }),
          'reserved_id',
        )
    },
  },
  {
    id: 'client-ids',
    words: 'Where clients choose ids, any text is one: also with / % ? # and blanks.',
    needs: ['write'],
    async run(subject) {
      const { path, draft } = workshopOf(subject)
      const mark = Date.now().toString(36)
      for (const id of [`n${mark}/%?#`, `n${mark} é😀+&`, `n${mark}%2Fa`]) {
        const made = await subject.ask('POST', path, { body: { ...(await draft()), id } })
        const item = made.answer.json
        if (made.answer.status !== 201 || fieldOf(Object(item), 'id') !== id)
          unfit('Clients do not choose ids.')
        const read = await subject.ask('GET', itemPath(path, id))
        expectStatus(read, 200)
        expectSame(read, item, 'the item of that id')
      }
    },
  },
]

/** What writing rules work with, for rules that need it. */
export function workshopOf({ workshop }: Subject): Workshop {
  return workshop ?? unfit('It would write.')
}

/** An item that was made, and where it is. */
export interface Made {
  readonly item: Found
  readonly path: string
}

/** Makes an item. */
export async function makeItem(subject: Subject): Promise<Made> {
  const workshop = workshopOf(subject)
  const item = await workshop.make()
  return { item, path: itemPath(workshop.path, item.id) }
}

/** Makes sure that an item is as it was when it was made. */
export async function expectKept(subject: Subject, { item, path }: Made): Promise<void> {
  const exchange = await subject.ask('GET', path)
  expectStatus(exchange, 200)
  expectSame(exchange, item, 'the item as it was')
}

/** An id of the same kind as another, that nothing has. */
export function absentId(id: Found['id']): Found['id'] {
  if (typeof id === 'number') return maxNumber - Math.floor(Math.random() * 1_000_000)
  // Of the same version where it is a UUID.
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
    ? id.slice(0, -12) + crypto.randomUUID().slice(-12)
    : nothing
}

const maxNumber = 2_147_483_647

function isId(value: unknown): value is Found['id'] {
  return typeof value === 'string' || typeof value === 'number'
}
