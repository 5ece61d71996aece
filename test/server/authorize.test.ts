import { type HttpResponse, handle, type Operation, type Outcome, problem } from 'nounful'
import { describe, expect, test } from 'vitest'
import {
  delayed,
  type Loose,
  mapOf,
  notesWith,
  noting,
  requestOf,
  verdictOf,
} from '../support/registry.ts'

const ann = { id: 'a', text: 'Ann' }
const get = { method: 'GET', url: '/notes/a' }

type Use = (operation: Operation, context: unknown, next: () => unknown) => unknown

describe('the context', () => {
  test('goes to middleware and adapter', () => {
    const seen: unknown[] = []
    const { registry } = notesWith(
      { read: (_, context) => noting(seen, context, ann) },
      {
        context: ({ headers }) => ({ user: headers?.['x-user'] }),
        use: [(_, context, next) => noting(seen, context, next())],
      },
    )
    const answer = handle({ ...get, headers: { 'x-user': 'Zoe' } }, registry)
    expect(answer).toMatchObject({ status: 200 })
    expect(seen).toEqual([{ user: 'Zoe' }, { user: 'Zoe' }])
  })

  test('is waited for where it waits', async () => {
    const { registry } = notesWith({ read: (_, context) => context }, { context: async () => ann })
    expect(await handle(get, registry)).toMatchObject({ status: 200, body: ann })
  })

  test('is made once a request', async () => {
    let made = 0
    const { registry } = notesWith(mapOf(ann), { context: () => ++made })
    await handle(
      { method: 'DELETE', url: '/notes', headers: { prefer: 'max-affected=2' } },
      registry,
    )
    expect(made).toBe(1)
  })

  test('is not made for OPTIONS and 405', () => {
    const context = () => {
      throw problem('unauthenticated')
    }
    const { registry } = notesWith(mapOf(), { context })
    expect(handle({ ...get, method: 'OPTIONS' }, registry)).toMatchObject({ status: 200 })
    expect(handle({ ...get, method: 'PATCH' }, registry)).toMatchObject({ status: 405 })
    expect(handle(get, registry)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { code: 'unauthenticated' },
    })
  })

  test('that fails is 500', async () => {
    const context = () => Promise.reject(new Error('secret'))
    const { registry, errors } = notesWith(mapOf(), { context })
    expect(verdictOf(await handle(get, registry))).toBe('500 internal_error')
    expect(errors).toEqual([new Error('secret')])
  })
})

describe('middleware', () => {
  test('runs around the adapter, the first outermost', async () => {
    const steps: string[] = []
    const around =
      (name: string): Use =>
      async (_, __, next) => {
        steps.push(`${name} in`)
        const outcome = await next()
        steps.push(`${name} out`)
        return outcome
      }
    const read = () => noting(steps, 'read', ann)
    await handle(get, notesWith({ read }, { use: [around('one'), around('two')] }).registry)
    expect(steps).toEqual(['one in', 'two in', 'read', 'two out', 'one out'])
  })

  test('stays synchronous where it is', () => {
    const { registry } = notesWith(mapOf(ann), { use: [(_, __, next) => next()] })
    expect(handle(get, registry)).toMatchObject({ status: 200, body: ann })
  })

  test('may answer in the place of the adapter', () => {
    const read = () => {
      throw new Error('not asked')
    }
    const answered: Use = () => ({ gives: 'item', item: { id: 'a', text: 'kept' } })
    const { registry } = notesWith({ read }, { use: [answered] })
    expect(handle(get, registry)).toMatchObject({ status: 200, body: { text: 'kept' } })
    const posting = requestOf(['POST', '/notes', { text: 'new' }])
    const { registry: creating } = notesWith({ create: read }, { use: [answered] })
    expect(handle(posting, creating)).toMatchObject({ status: 201, body: { text: 'kept' } })
  })

  test('may change what is given', async () => {
    const shout: Use = async (_, __, next) => {
      const outcome = (await next()) as Outcome & { item: object }
      return { ...outcome, item: { ...outcome.item, text: 'ANN' } }
    }
    const { registry } = notesWith(mapOf(ann), { use: [shout] })
    expect(await handle(get, registry)).toMatchObject({ body: { id: 'a', text: 'ANN' } })
  })

  test('sees what was sent when next has answered', async () => {
    const seen: unknown[] = []
    const look: Use = (operation, _, next) => {
      seen.push(operation.item)
      const outcome = next()
      seen.push(operation.item)
      return outcome
    }
    const { registry } = notesWith(mapOf(ann), { use: [look] })
    await handle(requestOf(['PUT', '/notes/a', { text: 'new' }]), registry)
    expect(seen).toEqual([undefined, { id: 'a', text: 'new' }])
  })

  // biome-ignore format: a row stays a line
  const answers: [name: string, use: Use, verdict: string][] = [
    ['throws a problem',              () => { throw problem('forbidden') },           '403 forbidden'],
    ['rejects with a problem',        () => Promise.reject(problem('rate_limited')),  '429 rate_limited'],
    ['throws an error',               () => { throw new Error('x') },                 '500 internal_error'],
    ['throws after next',             async (_, __, next) => { await next(); throw problem('conflict') }, '409 conflict'],
    ['forgets to return',             (_, __, next) => { next() },                    '500 internal_error'],
    ['forgets to return, later',      async (_, __, next) => { await next() },        '500 internal_error'],
    ['answers null',                  () => null,                                     '500 internal_error'],
    ['answers another kind',          () => ({ gives: 'items', items: [] }),          '500 internal_error'],
    ['answers an item itself',        () => ann,                                      '500 internal_error'],
  ]
  for (const [name, use, verdict] of answers) {
    test(`that ${name} is ${verdict}`, async () => {
      for (const read of [() => ann, async () => ann]) {
        const { registry } = notesWith({ read }, { use: [use] })
        expect(verdictOf(await handle(get, registry))).toBe(verdict)
      }
    })
  }

  test('may answer in the place of a problem', async () => {
    const otherwise: Use = async (_, __, next) => {
      try {
        return await next()
      } catch {
        return { gives: 'item', item: ann }
      }
    }
    const { registry } = notesWith({ read: () => null }, { use: [otherwise] })
    expect(await handle(get, registry)).toMatchObject({ status: 200, body: ann })
  })

  test('may call next again after a failure', async () => {
    const again: Use = async (_, __, next) => {
      try {
        return await next()
      } catch {
        return next()
      }
    }
    const one = { text: 'one' }
    for (const body of [one, [one, { text: 'two' }]]) {
      let calls = 0
      const create = (items: readonly object[]) => {
        calls++
        if (calls === 1) throw problem('conflict')
        return items.map((item, index) => ({ id: `${index}`, ...item }))
      }
      const adapter: Loose = {
        create: ({ item = {} }) => create([item])[0],
        createMany: ({ items = [] }) => create(items),
      }
      const { registry } = notesWith(adapter, { use: [again] })
      const response = await handle(requestOf(['POST', '/notes', body]), registry)
      expect([response.status, calls]).toEqual([201, 2])
    }
  })

  test('that calls next again after a success is 500', async () => {
    const twice: Use = async (_, __, next) => {
      await next()
      return next()
    }
    const adapter = mapOf()
    const { registry, errors } = notesWith(adapter, { use: [twice] })
    const response = await handle(requestOf(['POST', '/notes', { text: 'one' }]), registry)
    expect(verdictOf(response)).toBe('500 internal_error')
    expect(adapter.stored.size).toBe(1)
    expect(errors).toEqual([
      new TypeError(
        'A middleware called next() again after a success: keep the outcome of the first call.',
      ),
    ])
  })

  test('that forgets what fails later is 500', async () => {
    const read = () => Promise.reject(problem('conflict'))
    const { registry, errors } = notesWith({ read }, { use: [(_, __, next) => void next()] })
    expect(verdictOf(await handle(get, registry))).toBe('500 internal_error')
    // An unhandled rejection would end the process.
    await new Promise(setImmediate)
    expect(errors).toHaveLength(1)
  })

  test('that forgets to return is told so', () => {
    const { registry, errors } = notesWith(mapOf(ann), { use: [() => undefined] })
    handle(get, registry)
    expect(errors).toEqual([
      new TypeError(
        `A middleware returned no { gives: 'item', … } for "read": return the outcome of next().`,
      ),
    ])
  })

  for (const [method, url, outcome] of [
    ['GET', '/notes', { gives: 'items' }],
    ['GET', '/notes', { gives: 'items', items: 'all' }],
    ['GET', '/notes/count', { gives: 'count', count: '3' }],
    ['GET', '/notes/a', { gives: 'item', item: null }],
    ['GET', '/notes/a', { gives: 'item', item: 'Ann' }],
  ] as const) {
    test(`that makes up ${JSON.stringify(outcome)} is 500`, () => {
      const { registry } = notesWith(mapOf(ann), { use: [() => outcome as never] })
      expect(handle({ method, url }, registry)).toMatchObject({ status: 500 })
    })
  }

  test('is judged one by one', () => {
    const forgets: Use = (_, __, next) => void next()
    const steps: unknown[] = []
    const catches: Use = (_, __, next) => {
      try {
        return next()
      } catch (error) {
        steps.push(error)
        return { gives: 'item', item: ann }
      }
    }
    const { registry } = notesWith(mapOf(ann), { use: [catches, forgets] })
    expect(handle(get, registry)).toMatchObject({ status: 200 })
    expect(steps).toEqual([expect.any(TypeError)])
  })
})

describe('authorization comes before what was sent', () => {
  const faulty = '/notes?sort=nothing'

  test('a faulty query is seen by who looks', () => {
    const look: Use = ({ query }, _, next) => (query.q === '' ? next() : next())
    for (const use of [
      look,
      ({ query }: Operation) => ({ gives: 'items', items: [...query.words] }),
    ]) {
      const { registry } = notesWith(mapOf(), { use: [use] })
      expect(verdictOf(handle({ method: 'GET', url: faulty }, registry) as HttpResponse)).toBe(
        '400 sort_unknown_field',
      )
    }
  })

  test('a faulty query troubles nobody else', () => {
    const use: Use = ({ kind, scope, id, resource }) => {
      expect([kind, scope, id, resource.name]).toEqual(['list', {}, undefined, 'notes'])
      throw problem('forbidden')
    }
    const { registry } = notesWith(mapOf(), { use: [use] })
    expect(handle({ method: 'GET', url: faulty }, registry)).toMatchObject({ status: 403 })
  })

  test('the body of who is forbidden stays unread', async () => {
    const read: unknown[] = []
    const request = {
      method: 'POST',
      url: '/notes',
      headers: { 'content-type': 'application/json' },
      body: (limit: number) => noting(read, limit, '{"text":"x"}'),
    }
    const forbid: Use = () => {
      throw problem('forbidden')
    }
    expect(handle(request, notesWith(mapOf(), { use: [forbid] }).registry)).toMatchObject({
      status: 403,
    })
    expect(read).toEqual([])
    expect(await handle(request, notesWith(delayed(mapOf())).registry)).toMatchObject({
      status: 201,
    })
    expect(read).toEqual([1_048_576])
  })
})
