import { type HttpRequest, type Operation, problem } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { describe, expect, test } from 'vitest'
import { notesWith } from './support/registry.ts'
import { type Generated, generated, notesUpTo, throwing, until } from './support/streams.ts'

const boom = new Error('boom')

async function answerOf(
  list: Generated,
  { method = 'GET' }: Partial<HttpRequest> = {},
): Promise<{ readonly response: Response; readonly errors: unknown[] }> {
  const { registry, errors } = notesWith(list.adapter)
  const request = new Request('http://any.example/notes', { method })
  return { response: await toFetchHandler(registry)(request), errors }
}

describe('a streamed list', () => {
  test('is the text of its array', async () => {
    const list = generated(5000)
    const { response } = await answerOf(list)
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      200,
      { 'content-type': 'application/json' },
    ])
    expect(await response.text()).toBe(JSON.stringify(notesUpTo(5000)))
    expect([list.made, list.closed]).toEqual([5000, 1])
  })

  test('is never far ahead of its reader', async () => {
    const list = generated(1_000_000)
    const { response } = await answerOf(list)
    const reader = response.body?.getReader()
    let [read, worst] = [0, 0]
    for (;;) {
      worst = Math.max(worst, list.made - read)
      const chunk = await reader?.read()
      if (chunk?.done !== false) break
      read += 1000
    }
    expect(worst).toBeLessThanOrEqual(2000)
    expect([list.made, list.closed]).toEqual([1_000_000, 1])
  }, 60_000)

  test('waits for a client that does not read', async () => {
    const list = generated(1_000_000)
    const { response } = await answerOf(list)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(list.made).toBe(1000)
    await response.body?.cancel()
    expect([list.made, list.closed]).toEqual([1000, 1])
  })

  test('closes when its request aborts', async () => {
    const list = generated(1_000_000)
    const { registry } = notesWith(list.adapter)
    const controller = new AbortController()
    const request = new Request('http://any.example/notes', { signal: controller.signal })
    const response = await toFetchHandler(registry)(request)
    controller.abort()
    await expect(response.text()).rejects.toThrow('aborted')
    expect(list.closed).toBe(1)
  })

  test('tells its adapter that the reader left', async () => {
    const list = generated(1_000_000)
    const signals: AbortSignal[] = []
    const { registry } = notesWith({
      list(operation: Operation, context: unknown) {
        signals.push(operation.signal)
        return list.adapter.list?.(operation, context)
      },
    })
    const response = await toFetchHandler(registry)(new Request('http://any.example/notes'))
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await response.body?.cancel()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('has a length when it is short', async () => {
    const { response } = await answerOf(generated(3))
    const text = JSON.stringify(notesUpTo(3))
    expect([response.headers.get('content-length'), await response.text()]).toEqual([
      `${text.length}`,
      text,
    ])
  })

  test('keeps a character whole between two slices', async () => {
    const text = '😀'.repeat(30)
    const { response } = await answerOf(generated(3000, { text }))
    expect(await response.json()).toEqual(notesUpTo(3000, text))
  })

  test('reads one slice for HEAD', async () => {
    const list = generated(1_000_000)
    const { response } = await answerOf(list, { method: 'HEAD' })
    expect([response.status, response.body, Object.fromEntries(response.headers)]).toEqual([
      200,
      null,
      { 'content-type': 'application/json' },
    ])
    await until(() => list.closed === 1)
    expect(list.made).toBe(1000)
  })
})

describe('a list that fails', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, fault: unknown, status: number])[] = [
    ['an error',      throwing(boom),                    500],
    ['a problem',     throwing(problem('unavailable')),  503],
    ['no such item',  throwing(problem('not_found')),    404],
    ['a bigint',      { id: 'a', text: 1n },              500],
    ['no item',       7,                                 500],
  ]
  for (const [name, fault, status] of rows) {
    test(`with ${name} at first is ${status}`, async () => {
      const list = generated(5000, { at: { 0: fault } })
      const { response } = await answerOf(list)
      expect([response.status, (await response.json()).status]).toEqual([status, status])
      expect(list.opened - list.closed).toBe(0)
    })

    test(`with ${name} later breaks off`, async () => {
      const list = generated(5000, { at: { 3500: fault } })
      const { response, errors } = await answerOf(list)
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toBeInstanceOf(Error)
      expect([errors.length, list.made, list.closed]).toEqual([1, 3501, 1])
    })
  }
})

describe('a client that cancels a list', () => {
  test('closes it while the adapter waits for an item', async () => {
    const list = generated(5000)
    const { response, errors } = await answerOf(list)
    const reader = response.body?.getReader()
    await reader?.read()
    const pending = reader?.read()
    await reader?.cancel()
    expect(await pending).toMatchObject({ done: true })
    await until(() => list.closed === 1)
    expect([list.made < 5000, errors]).toEqual([true, []])
  })

  test('sees no error of closing it', async () => {
    const { response, errors } = await answerOf(generated(5000, { fault: boom }))
    await response.body?.cancel()
    expect(errors).toEqual([boom])
  })
})
