import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  handle,
  type Layer,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openConnection } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { type CheckOutcome, rules, runRules } from '../../../src/trial/check/run.ts'
import { transportTo } from '../../support/check-transport.ts'
import { brokenIn, checkAt } from './check-at.ts'
import { collection, type FaultyServer, startFaultyServer } from './faulty-server.ts'
import { asks } from './violations/asks.ts'
import { nested } from './violations/nested.ts'
import { patches } from './violations/patches.ts'
import { previews } from './violations/previews.ts'
import { reads } from './violations/reads.ts'
import { inclusions, referrals } from './violations/references.ts'
import { relations } from './violations/related.ts'
import { repeats } from './violations/repeats.ts'
import { stateWrites } from './violations/states.ts'
import { targets } from './violations/targets.ts'
import { announcing } from './violations/tools.ts'
import { writes } from './violations/writes.ts'

describe('a server that says its deleteAll needs a bound', () => {
  const NewNote = z.strictObject({ text: z.string() })
  const schema = NewNote.extend({ id: z.string() })

  async function deleteAllAt(bounded: boolean, layers: readonly Layer[]): Promise<unknown> {
    const notes = defineResource('notes', { schema, create: NewNote, bounded })
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
      notes: memoryAdapter({ items: [{ id: '1', text: 'a note' }] }),
    })
    const server = await serve(registry, { port: 0, layers })
    const connection = openConnection({
      origin: server.url,
      headers: {},
      timeout: 5000,
      requests: 5000,
    })
    const emptied = { samples: {}, isEmptied: true }
    const { verdicts } = await runRules(
      connection,
      await findCollections(connection.send, '/', []),
      emptied,
    )
    connection.close()
    await server.close()
    return verdicts
      .filter(({ id, verdict }) => id === 'delete-all' || verdict === 'broken')
      .map(({ id, verdict, faults }) => [id, verdict, ...faults.map(({ message }) => message)])
  }

  test('keeps the rule where it does', async () => {
    expect(await deleteAllAt(true, [])).toEqual([['delete-all', 'kept']])
  })

  test('breaks it where it deletes all the same', async () => {
    const boasting: Layer = async (request, answer) => {
      const answered = await answer(request)
      const { body } = answered
      return request.method === 'OPTIONS'
        ? { ...answered, body: { ...Object(body), bounded: true } }
        : answered
    }
    expect(await deleteAllAt(false, [boasting])).toEqual([
      ['delete-all', 'broken', expect.stringContaining('409')],
    ])
  })
})

describe('a server that says it takes no key', () => {
  async function keysAt(layers: readonly Layer[]): Promise<unknown> {
    const NewNote = z.strictObject({ text: z.string() })
    const schema = NewNote.extend({ id: z.string() })
    const notes = defineResource('notes', { schema, create: NewNote })
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
      notes: memoryAdapter({ items: [{ id: '1', text: 'a note' }] }),
    })
    const server = await serve(registry, { port: 0, layers })
    const { verdicts } = await checkAt(server.url, { isWriting: true })
    await server.close()
    return verdicts
      .filter(({ id, verdict }) => id.startsWith('key-') && verdict !== 'not applicable')
      .map(({ id, verdict }) => [id, verdict])
  }

  test('keeps the rule where it refuses one', async () => {
    expect(await keysAt([])).toEqual([['key-unsupported', 'kept']])
  })

  test('breaks it where POST ignores one', async () => {
    const ignoring: Layer = (request, answer) => {
      const { 'idempotency-key': _, ...headers } = request.headers ?? {}
      return answer(request.method === 'POST' ? { ...request, headers } : request)
    }
    expect(await keysAt([ignoring])).toEqual([['key-unsupported', 'broken']])
  })
})

describe('a server whose PUT creates', () => {
  const NewNote = z.strictObject({ text: z.string() })
  const schema = NewNote.extend({ id: z.string() })
  type Reply = Awaited<ReturnType<typeof handle>>
  type Change = (reply: Reply, request: HttpRequest) => object
  const saying: Change = ({ body }, { method }) =>
    method === 'OPTIONS' ? { body: { ...Object(body), putCreates: true } } : {}

  async function brokenWith(change: Change, putCreates = true): Promise<readonly string[]> {
    const notes = defineResource('notes', { schema, create: NewNote, putCreates })
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
      notes: memoryAdapter({ items: [{ id: '1', text: 'a note' }] }),
    })
    const transport = transportTo(async (request) => {
      const reply = await handle(request, registry)
      return { ...reply, ...change(reply, request) }
    })
    const outcome = await checkAt('http://put.test', { isWriting: true }, transport)
    expect(outcome.left).toEqual([])
    const { body } = await handle({ method: 'GET', url: '/v1/notes' }, registry)
    expect(body).toHaveLength(1)
    return brokenIn(outcome)
  }

  test('keeps every rule', async () => {
    expect(await brokenWith(() => ({}))).toEqual([])
  })

  test('breaks one where it says so, and PUT is 404', async () => {
    expect(await brokenWith(saying, false)).toEqual(['update-absent'])
  })

  const isNew = ({ status }: Reply, { method }: HttpRequest) => method === 'PUT' && status === 201
  const rows: readonly (readonly [how: string, change: Change])[] = [
    ['it is 200', (reply, request) => (isNew(reply, request) ? { status: 200 } : {})],
    [
      'the item has another id',
      (reply, request) =>
        isNew(reply, request) ? { body: { ...Object(reply.body), id: 'other' } } : {},
    ],
    [
      'it has no "Location"',
      (reply, request) => {
        const { location: _, ...headers } = reply.headers
        return isNew(reply, request) ? { headers } : {}
      },
    ],
    [
      'a dry run is 404',
      (_, { method, url }) => (method === 'PUT' && /dry_run/.test(url) ? { status: 404 } : {}),
    ],
    [
      'no item there is no condition',
      (reply, { headers = {} }) =>
        headers['if-none-match'] === '*' && reply.status === 409
          ? { status: 200, body: { id: 'other' } }
          : {},
    ],
    [
      'a condition on no item is another problem',
      ({ body }, { headers = {} }) =>
        headers['if-match'] === '*' ? { body: { ...Object(body), code: 'conflict' } } : {},
    ],
  ]
  test.each(rows)('breaks one where %s', async (_, change) => {
    expect(await brokenWith(change)).toContain('update-absent')
  })
})

describe('a server that sorts without case', () => {
  const NewNote = z.strictObject({ text: z.string() })
  const schema = NewNote.extend({ id: z.string() })
  const options = { schema, create: NewNote, sortable: ['text'], filterable: ['text'] } as const
  const items = ['b', 'A', 'a', 'B', 'Zz', 'c'].map((text, id) => ({ id: `${id}`, text }))

  // Says that it folds, and answers as one that does not.
  async function brokenIfPlain(isPlain: (request: HttpRequest) => boolean) {
    const registryOf = (folded: readonly ['text'] | readonly []) =>
      defineRegistry(
        defineApi({ v1: { '/notes': defineResource('notes', { ...options, folded }) } }),
      ).adapters({ notes: memoryAdapter({ items }) })
    const [folding, plain] = [registryOf(['text']), registryOf([])]
    const transport = transportTo(async (request) =>
      handle(request, isPlain(request) ? plain : folding),
    )
    return brokenIn(await checkAt('http://folded.test', { isWriting: false }, transport))
  }

  test('keeps every rule', async () => {
    expect(await brokenIfPlain(() => false)).toEqual([])
  })

  test.each([
    ['sort-text', 'sort=text', 'its order is by code point'],
    ['filter-range', 'text:gt', 'its ranges are by code point'],
    ['first-is-first', 'first?sort=', 'its first item is'],
    ['pages-join', 'after=', 'its second page is'],
  ])('breaks %s where %s: %s', async (rule, part) => {
    const broken = await brokenIfPlain(({ url }) => url.replace('%3A', ':').includes(part))
    expect(broken).toContain(rule)
  })
})

describe('a service of a deprecated version and its successor', () => {
  async function outcomeAt(layers: readonly Layer[]): Promise<CheckOutcome> {
    const NewNote = z.strictObject({ text: z.string() })
    const schema = NewNote.extend({ id: z.string() })
    const notes = defineResource('notes', { schema, create: NewNote })
    const lifecycle = { v1: { deprecated: '2026-11-01', successor: 'v2' } } as const
    const api = defineApi({ v1: { '/notes': notes }, v2: { '/notes': notes } }, { lifecycle })
    const items = ['1', '2'].map((id) => ({ id, text: 'a note' }))
    const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({
      notes: memoryAdapter({ items }),
    })
    const server = await serve(registry, { port: 0, layers })
    const outcome = await checkAt(server.url, { isWriting: true })
    await server.close()
    return outcome
  }

  test('breaks no rule', async () => {
    const outcome = await outcomeAt([])
    expect(brokenIn(outcome)).toEqual([])
    const needed = ['deprecation-everywhere', 'successor-answers', 'first-is-first']
    const kept = outcome.verdicts.filter(
      ({ id, verdict }) => needed.includes(id) && verdict === 'kept',
    )
    expect(kept).toHaveLength(3)
  })

  // Each of its responses has a `Link`, also those of whole lists.
  test('is found where "first" of the old version is the last item', async () => {
    const wrong: Layer = ({ url, ...request }, answer) =>
      answer({ ...request, url: url.replace(/(?<=v1.*)first/, 'last') })
    expect(brokenIn(await outcomeAt([wrong]))).toContain('first-is-first')
  })
})

describe('a service with something for every rule', () => {
  let server: FaultyServer
  beforeAll(async () => {
    // The server deprecates nothing by itself, and names another collection as its successor.
    server = await startFaultyServer(
      announcing({
        deprecation: '@1793491200',
        sunset: 'Mon, 01 Nov 2027 00:00:00 GMT',
        link: '</v1/teams>; rel="successor-version"',
      }),
    )
  })
  afterAll(() => server.close())

  test('keeps every one of them', async () => {
    const before = await server.stored()
    const { verdicts, left } = await checkAt(server.url, { named: [collection], isWriting: true })
    expect(verdicts.filter(({ verdict }) => verdict !== 'kept')).toEqual([])
    expect(left).toEqual([])
    expect(await server.stored()).toEqual(before)
  })
})

test('a violation is injected for every rule', () => {
  const injected = [
    reads,
    asks,
    targets,
    inclusions,
    relations,
    nested,
    writes,
    stateWrites,
    referrals,
    patches,
    previews,
    repeats,
  ]
  const covered = new Set(injected.flat().map(([rule]) => rule))
  expect(rules.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([])
})
