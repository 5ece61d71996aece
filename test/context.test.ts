import { createServer, type IncomingMessage } from 'node:http'
import express from 'express'
import { defineApi, defineRegistry, defineResource, type HostRequest, handle } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { toNodeListener } from 'nounful/node'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { portOf } from './support/listening.ts'

const notes = defineResource('notes', { schema: z.object({ id: z.string(), text: z.string() }) })
const api = defineApi({ v1: { '/notes': notes } })

interface Env {
  readonly greeting: string
}
interface Waiting {
  waitUntil(work: Promise<unknown>): void
}
interface User {
  readonly name: string
}

const ofWorker = defineRegistry(api)
  .context(({ given: [env, context] }: HostRequest<Request, [env: Env, context: Waiting]>) => {
    context.waitUntil(Promise.resolve())
    return env
  })
  .adapters({ notes: { list: (_, { greeting }) => [{ id: '1', text: greeting }] } })

const ofUser = defineRegistry(api)
  .context(({ source }: HostRequest<IncomingMessage & { user?: User }>) => source.user)
  .adapters({ notes: { list: (_, { name }) => [{ id: '1', text: name }] } })

const url = 'http://localhost/v1/notes'
const waited: unknown[] = []
const context: Waiting = { waitUntil: (work) => waited.push(work) }

test('a fetch handler hands over what it is given', async () => {
  const response = await toFetchHandler(ofWorker)(new Request(url), { greeting: 'Hi' }, context)
  expect(await response.json()).toEqual([{ id: '1', text: 'Hi' }])
  expect(waited).toHaveLength(1)
})

test('every call is given its own', async () => {
  const serve = toFetchHandler(ofWorker)
  const greetings = ['one', 'two', 'three']
  const responses = await Promise.all(
    greetings.map((greeting) => serve(new Request(url), { greeting }, context)),
  )
  const texts = await Promise.all(
    responses.map(async (response) => (await response.json())[0].text),
  )
  expect(texts).toEqual(greetings)
})

test('layers pass on what was given', async () => {
  const serve = toFetchHandler(ofWorker, { layers: [explorer(ofWorker)] })
  const headers = { accept: 'text/html' }
  const response = await serve(new Request(url, { headers }), { greeting: 'Hi there' }, context)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(await response.text()).toContain('Hi there')
})

test('a request of plain values is given it too', async () => {
  const given: [Env, Waiting] = [{ greeting: 'Hi' }, context]
  const headers = { Accept: 'application/json' }
  const request = { method: 'GET', url: '/v1/notes', headers, source: new Request(url), given }
  expect((await handle(request, ofWorker)).body).toEqual([{ id: '1', text: 'Hi' }])
})

test('a user of Express reaches adapters', async () => {
  const app = express()
  app.use((request, _response, next) => {
    const name = request.get('x-user')
    Object.assign(request, name === undefined ? {} : { user: { name } })
    next()
  })
  app.use('/api', toNodeListener(ofUser))
  const server = createServer(app)
  const place = `http://127.0.0.1:${await portOf(server)}/api/v1/notes`
  const known = await fetch(place, { headers: { 'x-user': 'Ann' } })
  expect(await known.json()).toEqual([{ id: '1', text: 'Ann' }])
  expect((await fetch(place)).status).toBe(401)
  server.close()
})
