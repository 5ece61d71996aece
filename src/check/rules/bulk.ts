import { itemPath } from '../../wire/path.ts'
import { broken, expectIds, expectItems, expectSame, type Found, idsOf, unfit } from '../expect.ts'
import type { Rule } from '../rule.ts'
import { listAll, type Subject } from '../subject.ts'
import { expectOffered } from '../workshop.ts'
import { changed, expectOfferedProblem, makeItems } from './change.ts'
import { absentId, expectKept, workshopOf } from './create.ts'
import { nothing } from './list.ts'

/** What PUT and DELETE do to a collection. On a server that breaks these rules they could reach every item there is, so the items must all be the check's own. */
export const bulkRules: readonly Rule[] = [
  {
    id: 'bulk-update',
    words:
      'PUT on a collection replaces exactly the items that are sent, and gives them back in that order.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items, bodies } = await prepare(subject, 3)
      const path = workshopOf(subject).path
      const exchange = await subject.ask('PUT', path, { body: [bodies[1], bodies[0]] })
      expectOffered(exchange, 200)
      const given = expectItems(exchange)
      expectIds(exchange, given, idsOf([items[1], items[0]].filter((item) => item !== undefined)))
      for (const item of given) {
        const read = await subject.ask('GET', itemPath(path, item.id))
        expectSame(read, item, 'the item as PUT gave it')
      }
      const [, , unlisted] = items
      if (unlisted === undefined) return
      const read = await subject.ask('GET', itemPath(path, unlisted.id))
      if (read.answer.status !== 200) broken(exchange, 'An item that was not sent is gone.')
      expectSame(read, unlisted, 'the item that was not sent, as it was')
    },
  },
  {
    id: 'bulk-whole-or-not',
    words:
      'A bulk is done whole or not at all: an unknown id is 404, a fault in one item 422, and nothing is changed.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items, bodies } = await prepare(subject, 2)
      const path = workshopOf(subject).path
      const strange = { ...bodies[1], id: absentId(items[1]?.id ?? nothing) }
      const unknown = await subject.ask('PUT', path, { body: [bodies[0], strange] })
      expectOfferedProblem(unknown, 'not_found')
      await expectUnchanged(subject, items)
      const faulty = await subject.ask('PUT', path, { body: [bodies[0], 5] })
      expectOfferedProblem(faulty, 'validation_failed')
      await expectUnchanged(subject, items)
    },
  },
  {
    id: 'bulk-ids',
    words: 'In a bulk a missing or repeated id is 422.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items, bodies } = await prepare(subject, 1)
      const path = workshopOf(subject).path
      const anonymous = Object.fromEntries(
        Object.entries(bodies[0] ?? {}).filter(([field]) => field !== 'id'),
      )
      for (const body of [[bodies[0], bodies[0]], [anonymous]])
        expectOfferedProblem(await subject.ask('PUT', path, { body }), 'validation_failed')
      await expectUnchanged(subject, items)
    },
  },
  {
    id: 'bulk-no-array',
    words: 'A bulk that is no array is 422.',
    needs: ['write', 'own'],
    async run(subject) {
      const { bodies } = await prepare(subject, 1)
      const exchange = await subject.ask('PUT', workshopOf(subject).path, { body: bodies[0] })
      expectOfferedProblem(exchange, 'validation_failed')
    },
  },
  {
    id: 'bulk-empty',
    words: 'A bulk of nothing is answered [], and changes nothing.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items } = await prepare(subject, 1)
      const exchange = await subject.ask('PUT', workshopOf(subject).path, { body: [] })
      expectOffered(exchange, 200)
      expectSame(exchange, [], '[]')
      await expectUnchanged(subject, items)
    },
  },
  {
    id: 'collection-slash',
    words:
      'PUT and DELETE on a collection with a trailing slash are 400: an id may have come out empty.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items } = await prepare(subject, 1)
      const path = `${workshopOf(subject).path}/`
      expectOfferedProblem(await subject.ask('PUT', path, { body: [] }), 'bad_path')
      expectOfferedProblem(await subject.ask('DELETE', path), 'bad_path')
      await expectUnchanged(subject, items)
    },
  },
  {
    id: 'delete-all-parameter',
    words:
      'DELETE on a collection takes no parameter, not even an empty query: 400, and nothing is deleted.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items } = await prepare(subject, 1)
      const { path } = workshopOf(subject)
      expectOfferedProblem(await subject.ask('DELETE', `${path}?q=${nothing}`), 'unknown_parameter')
      expectOfferedProblem(await subject.ask('DELETE', `${path}?`), 'bad_path')
      await expectUnchanged(subject, items)
    },
  },
  {
    id: 'delete-all-body',
    words: 'DELETE on a collection takes no body: 400, and nothing is deleted.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items } = await prepare(subject, 1)
      const exchange = await subject.ask('DELETE', workshopOf(subject).path, { body: idsOf(items) })
      expectOfferedProblem(exchange, 'body_not_allowed')
      await expectUnchanged(subject, items)
    },
  },
  {
    id: 'max-affected',
    words:
      '"Prefer: max-affected=n" makes DELETE on a collection 409 when more would go, and nothing is deleted.',
    needs: ['write', 'own'],
    async run(subject) {
      const { items } = await prepare(subject, 2)
      const headers = { prefer: 'max-affected=1' }
      const exchange = await subject.ask('DELETE', workshopOf(subject).path, { headers })
      expectOfferedProblem(exchange, 'too_many_affected')
      await expectUnchanged(subject, items)
    },
  },
  {
    id: 'delete-all',
    words:
      'DELETE on a collection deletes all of it: 200 with { "deleted": n }. Where OPTIONS says "bounded", it needs "Prefer: max-affected=n".',
    needs: ['write', 'own'],
    async run(subject) {
      const made = await prepare(subject, 2)
      const { path } = workshopOf(subject)
      const { items } = await listAll(subject.ask, path)
      if (subject.isBounded) {
        expectOfferedProblem(await subject.ask('DELETE', path), 'too_many_affected')
        await expectUnchanged(subject, made.items)
      }
      const asked = subject.isBounded
        ? { headers: { prefer: `max-affected=${items.length}` } }
        : undefined
      const exchange = await subject.ask('DELETE', path, asked)
      if (exchange.answer.status === 409) unfit('Other items refer to these.')
      expectOffered(exchange, 200)
      expectSame(exchange, { deleted: items.length }, `{ "deleted": ${items.length} }`)
      const left = await subject.ask('GET', path)
      expectIds(left, expectItems(left), [])
      expectSame(await subject.ask('DELETE', path, asked), { deleted: 0 }, '{ "deleted": 0 }')
    },
  },
]

interface Prepared {
  readonly items: readonly Found[]
  /** Each with its id, changed. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[]
}

async function prepare(subject: Subject, count: number): Promise<Prepared> {
  const items = await makeItems(subject, count)
  const bodies: Readonly<Record<string, unknown>>[] = []
  for (const { id } of items) bodies.push({ ...changed(await workshopOf(subject).draft()), id })
  return { items, bodies }
}

async function expectUnchanged(subject: Subject, items: readonly Found[]): Promise<void> {
  const { path } = workshopOf(subject)
  for (const item of items) await expectKept(subject, { item, path: itemPath(path, item.id) })
}
