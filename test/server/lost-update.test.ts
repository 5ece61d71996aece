import fc from 'fast-check'
import {
  defineApi,
  defineRegistry,
  defineResource,
  handle,
  type Operation,
  problem,
  type Registry,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import '../support/properties.ts'

const Note = z.object({
  id: z.string(),
  company_id: z.string(),
  text: z.string(),
  votes: z.int(),
  rev: z.int(),
})
type Stored = z.infer<typeof Note>
const declared = {
  schema: Note,
  create: Note.pick({ text: true, company_id: true }),
  readOnly: ['votes', 'rev'],
} as const
const guarded = defineResource('notes', { ...declared, revision: 'rev' })
const bare = defineResource('notes', declared)
const companies = defineResource('companies', { schema: z.object({ id: z.string() }) })

const ids = ['a', 'b', 'c']

/** Delays by turns, so that a failure repeats. */
function waiterOf(delays: readonly number[]) {
  let turn = 0
  return () =>
    new Promise<void>((done) => {
      setTimeout(done, delays[turn++ % delays.length])
    })
}

/** Notes that an adapter of one's own writes whole, slowly. `vote` changes them below the API. */
function store(wait: () => Promise<void>) {
  const all = new Map(
    ids.map((id) => [id, { id, company_id: '7', text: 'old', votes: 0, rev: 1 } as Stored]),
  )
  let queue = Promise.resolve()
  const inTurn = <Made>(run: () => Promise<Made>): Promise<Made> => {
    const made = queue.then(run)
    queue = made.then(
      () => undefined,
      () => undefined,
    )
    return made
  }
  const find = ({ scope }: Operation, id: unknown) => {
    const note = all.get(String(id))
    return note && (scope.company_id ?? note.company_id) === note.company_id ? note : undefined
  }
  const put = (item: unknown) => {
    const note = Note.parse(item)
    all.set(note.id, { ...note, rev: note.rev + 1 })
    return all.get(note.id) as Stored
  }
  const check = (id: unknown, expected: unknown) => {
    if (expected !== undefined && all.get(String(id))?.rev !== expected)
      throw problem('precondition_failed')
  }
  const whole = {
    async read(operation: Operation) {
      await wait()
      return find(operation, operation.id)
    },
    async update({ id, item, ifRevision }: Operation) {
      await wait()
      check(id, ifRevision)
      return put(item)
    },
    async updateMany({ items = [], resource }: Operation) {
      await wait()
      const notes = items.map((item) => Note.parse(item))
      if (resource.revision) for (const { id, rev } of notes) check(id, rev)
      return notes.map(put)
    },
  }
  type Change = (stored: unknown) => unknown
  const modifying = {
    modify: (operation: Operation, _: unknown, change: Change) =>
      inTurn(async () => {
        const stored = find(operation, operation.id)
        await wait()
        return stored && put(await change(stored))
      }),
    modifyMany: (operation: Operation, _: unknown, change: Change) =>
      inTurn(async () => {
        const stored = (operation.ids ?? []).map((id) => find(operation, id))
        await wait()
        return ((await change(stored)) as readonly unknown[]).map(put)
      }),
  }
  const vote = (id: string) =>
    inTurn(async () => {
      const note = all.get(id) as Stored
      all.set(id, { ...note, votes: note.votes + 1, rev: note.rev + 1 })
    })
  return { all, whole, modifying, vote }
}

const rows = [
  ['modify', bare, true],
  ['a revision', guarded, false],
  ['both', guarded, true],
] as const

function serviceOf(resource: typeof guarded | typeof bare, adapter: object): Registry {
  const api = defineApi({
    v1: { '/notes': resource, '/companies': companies, '/companies/:company_id/notes': resource },
  })
  return Reflect.apply(defineRegistry(api).adapters, null, [
    { notes: adapter, companies: { read: ({ id }: Operation) => ({ id }) } },
  ])
}

const put = async (registry: Registry, url: string, sent: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(sent)
  return (await handle({ method: 'PUT', url: `/v1${url}`, headers, body }, registry)).status
}

const delays = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 })

async function race(registry: Registry, { vote, wait }: { vote: Vote; wait: Wait }) {
  const body = { text: 'new', company_id: '7' }
  const some = ids.map((id) => ({ ...body, id }))
  const writes = [
    put(registry, '/notes/a', body),
    put(registry, '/notes', some),
    put(registry, '/companies/7/notes/b', { text: 'newer' }),
    put(registry, '/companies/7/notes', some.toReversed()),
  ]
  for (let round = 0; round < 6; round++) {
    for (const id of ids) await vote(id)
    await wait()
  }
  return Promise.all(writes)
}

type Vote = (id: string) => Promise<void>
type Wait = () => Promise<void>

describe('a PUT of a whole item', () => {
  test.each(rows)('undoes no write below it, with %s', (_, resource, canModify) =>
    fc.assert(
      fc.asyncProperty(delays, async (all) => {
        const wait = waiterOf(all)
        const notes = store(wait)
        const adapter = { ...notes.whole, ...(canModify && notes.modifying) }
        const statuses = await race(serviceOf(resource, adapter), { vote: notes.vote, wait })
        // A client that named no condition gets no conflict.
        expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
        expect([...notes.all.values()].map(({ votes }) => votes)).toEqual([6, 6, 6])
      }),
      { numRuns: Number(process.env.RUNS ?? 20) },
    ),
  )

  // docs/adapters.md says so.
  test.each(['/notes/a', '/notes'])('at %s undoes one with neither', async (url) => {
    const notes = store(waiterOf([0]))
    const { read } = notes.whole
    const slow = async (operation: Operation) => {
      const note = await read(operation)
      await notes.vote('a')
      return note
    }
    const body = { text: 'new', company_id: '7', id: 'a' }
    const registry = serviceOf(bare, { ...notes.whole, read: slow })
    expect(await put(registry, url, url === '/notes' ? [body] : body)).toBe(200)
    expect(notes.all.get('a')).toMatchObject({ text: 'new', votes: 0 })
  })
})
