import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { Registry } from 'nounful'
import { harden, type RunningServer, serve } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { afterwards, portOf } from '../support/listening.ts'
import { mapOf, notesWith } from '../support/registry.ts'
import { bytesOf, Caller } from '../support/socket.ts'
import { generated, until } from '../support/streams.ts'

const get = (target: string) => bytesOf(['GET', target])
const json = ['Content-Type', 'application/json'] as const

function called(port: number, sent: Uint8Array | string = ''): Caller {
  const caller = new Caller(port, sent)
  afterwards(() => caller.leave())
  return caller
}

/** Reads of `held` wait until the test releases them. */
function held(list = generated(0)) {
  let go: () => void = () => undefined
  const state = { reached: 0 }
  const released = new Promise<void>((resolve) => {
    go = resolve
  })
  const { registry } = notesWith({
    ...mapOf({ id: 'a' }),
    ...list.adapter,
    read: async ({ id }) => {
      state.reached++
      if (id === 'held') await released
      return { id }
    },
  })
  return { registry, state, go: () => go() }
}

async function served(registry: Registry, closeTimeout = 6000): Promise<RunningServer> {
  const server = await serve(registry, { port: 0, closeTimeout })
  afterwards(() => server.close())
  return server
}

async function timeOf(end: Promise<unknown>): Promise<number> {
  const start = performance.now()
  await end
  return performance.now() - start
}

describe('a server that stops', () => {
  test('closes the connection with open responses', async () => {
    const { registry, state, go } = held()
    const server = await served(registry)
    const caller = called(server.port, get('/notes/held'))
    await until(() => state.reached === 1)
    const closed = server.close()
    go()
    await caller.ended()
    expect([caller.statuses, /^connection: close\r$/im.test(caller.text)]).toEqual([[200], true])
    expect(await timeOf(closed)).toBeLessThan(1000)
  })

  test('responds to all earlier requests', async () => {
    const { registry, state, go } = held()
    const server = await served(registry)
    const sent = Buffer.concat([get('/notes/held'), get('/notes/a'), get('/notes/b')])
    const caller = called(server.port, sent)
    await until(() => state.reached === 1)
    const closed = server.close()
    go()
    await caller.ended()
    expect(caller.text.match(/^connection: .*\r$/gim)?.map((line) => line.slice(12, -1))).toEqual([
      'keep-alive',
      'keep-alive',
      'close',
    ])
    await closed
  })

  test('finishes a list', async () => {
    const list = generated(200_000)
    const { registry } = held(list)
    const server = await served(registry)
    const caller = called(server.port, get('/notes'))
    await caller.answered()
    caller.socket.pause()
    const closed = server.close()
    await new Promise((resolve) => setTimeout(resolve, 700))
    caller.socket.resume()
    await caller.heard('0\r\n\r\n')
    expect([list.made, list.closed]).toEqual([200_000, 1])
    expect(await timeOf(closed)).toBeLessThan(1000)
  })

  // biome-ignore format: a row stays a line
  const waiting: readonly (readonly [name: string, sent: string])[] = [
    ['that have sent nothing',          ''],
    ['with half a head',                'GET /notes HTTP/1.1\r\nHost: localhost\r\nX:'],
    ['with half a line',                'GET /no'],
    ['of CONNECT',                      'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['that were refused',               'GET /notes HTTP/1.1\r\n\r\n'],
    ['that were refused a body',        `POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n{`],
    ['that are idle',                   'GET /notes/a HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ]
  for (const [name, sent] of waiting) {
    test(`does not wait for connections ${name}`, async () => {
      const server = await served(held().registry)
      const caller = called(server.port, sent)
      if (/\r\n\r\n/.test(sent)) await caller.answered()
      else await new Promise((resolve) => setTimeout(resolve, 30))
      // A byte now and then is no open request.
      const saying = setInterval(() => caller.socket.writable && caller.say('y'), 50)
      afterwards(() => clearInterval(saying))
      if (sent.endsWith('\r\n\r\n')) clearInterval(saying)
      expect(await timeOf(server.close())).toBeLessThan(1000)
    })
  }

  test('waits for a body until its time limit', async () => {
    const server = await served(notesWith(mapOf()).registry, 400)
    const caller = called(
      server.port,
      bytesOf(['POST', '/notes'], [json, ['Content-Length', '12']]),
    )
    await new Promise((resolve) => setTimeout(resolve, 30))
    const closed = server.close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    caller.say('{"text":"x"}')
    await caller.answered()
    expect(caller.statuses).toEqual([201])
    await closed
  })

  // biome-ignore format: a row stays a line
  const stuck: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['an adapter that hangs',     get('/notes/held')],
    ['a body that does not come', bytesOf(['POST', '/notes'], [json, ['Content-Length', '12']])],
    ['a list nobody reads',       get('/notes')],
  ]
  for (const [name, bytes] of stuck) {
    test(`ends in spite of ${name}`, async () => {
      const list = generated(10_000_000, { text: 'x'.repeat(200) })
      const server = await served(held(list).registry, 150)
      const caller = called(server.port)
      caller.socket.pause()
      caller.say(bytes)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(await timeOf(server.close())).toBeLessThan(1000)
      await until(() => list.opened === list.closed)
    })
  }

  test('answers clients that became idle just now', async () => {
    const releases: (() => void)[] = []
    const { registry } = notesWith({
      read: ({ id }) => ({ id }),
      async *list() {
        yield { id: 'a', text: 'x'.repeat(100_000) }
        await new Promise<void>((resolve) => {
          releases.push(resolve)
        })
        yield { id: 'b' }
      },
    })
    const server = await served(registry)
    const callers = Array.from({ length: 60 }, () => called(server.port, get('/notes')))
    await Promise.all(callers.map((caller) => caller.answered()))
    const closed = server.close()
    // The server looks for idle connections each 250 ms: some of the lists end just before.
    for (const [index, release] of releases.entries()) setTimeout(release, 230 + index / 2)
    await Promise.all(
      callers.map(async (caller) => {
        await caller.heard('0\r\n\r\n')
        caller.say(get('/notes/a'))
        await caller.ended()
      }),
    )
    expect(callers.filter(({ statuses }) => `${statuses}` !== '200,200')).toEqual([])
    expect(await timeOf(closed)).toBeLessThan(1000)
  })

  test('takes no new connection', async () => {
    const { registry, state, go } = held()
    const server = await served(registry)
    const caller = called(server.port, get('/notes/held'))
    await until(() => state.reached === 1)
    const closed = server.close()
    const error = await new Promise((resolve) => {
      connect(server.port, '127.0.0.1').on('error', ({ message }) => resolve(message))
    })
    expect(error).toMatch(/ECONNREFUSED/)
    go()
    await caller.ended()
    expect(server.close()).toBe(closed)
    await closed
  })

  test('keeps responses of busy clients whole', async () => {
    const { registry } = held()
    const server = await served(registry)
    const failed: unknown[] = []
    let answered = 0
    // Each sends its next request after a response, until a response is the last.
    const busy = Array.from({ length: 50 }, async () => {
      const caller = called(server.port)
      const isLast = () => /^connection: close\r$/im.test(caller.text)
      while (!isLast() && !caller.isEnded) {
        caller.text = ''
        caller.say(get('/notes/a'))
        await until(() => caller.text.endsWith('}') || caller.isEnded)
        if (caller.statuses.join() !== '200') failed.push(caller.text)
        answered++
      }
    })
    await until(() => answered > 500)
    const closing = server.close()
    expect(await timeOf(closing)).toBeLessThan(1000)
    await Promise.all(busy)
    expect(failed).toEqual([])
  })
})

describe('a server of your own that stops', () => {
  test('finishes the responses of its listener', async () => {
    let finish: () => void = () => undefined
    const server = createServer((_, response) => {
      finish = () => response.end('mine')
    })
    const { close } = harden(server, notesWith(mapOf()).registry)
    const caller = called(await portOf(server), get('/'))
    await until(() => String(finish).includes('mine'))
    const closed = close()
    finish()
    await caller.ended()
    expect([caller.statuses, caller.text.includes('mine')]).toEqual([[200], true])
    expect(caller.text).toMatch(/^connection: close\r$/im)
    expect(await timeOf(closed)).toBeLessThan(1000)
  })

  test('keeps other protocols open until they end', async () => {
    const server = createServer().on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
      socket.on('data', (chunk) => socket.write(chunk))
    })
    const { close } = harden(server, notesWith(mapOf()).registry, { closeTimeout: 1200 })
    const upgrade = [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'x'],
    ] as const
    const caller = called(await portOf(server), bytesOf(['GET', '/'], upgrade))
    await caller.heard('\r\n\r\n')
    const closed = close()
    await new Promise((resolve) => setTimeout(resolve, 900))
    caller.say('still here')
    await caller.heard('still here')
    expect(await timeOf(closed)).toBeLessThan(1000)
    await caller.ended()
  })

  test('may never have listened', async () => {
    const { close } = harden(createServer(), notesWith(mapOf()).registry)
    expect(await timeOf(close())).toBeLessThan(500)
  })
})
