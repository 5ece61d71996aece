import { createServer } from 'node:http'
import express from 'express'
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { portOf } from './support/listening.ts'
import { bytesOf, exchange } from './support/socket.ts'

const notes = defineResource('notes', { schema: z.object({ id: z.string(), text: z.string() }) })
const api = defineApi({ v1: { '/notes': notes } })
const registry = defineRegistry(api).adapters({ notes: memoryAdapter() })

const method = 'POST'
const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ id: '7', text: 'Buy milk' })

type Row = readonly [base: string, target: string, status: number, location?: string]

const rows: readonly Row[] = [
  ['', '/v1/notes', 201, '/v1/notes/7'],
  ['/api', '/api/v1/notes', 201, '/api/v1/notes/7'],
  ['/api', '/api/notes?', 201, '/api/v1/notes/7'],
  ['/a/b', '/a/b/v1/notes', 201, '/a/b/v1/notes/7'],
  // A host may have cut it off.
  ['/api', '/v1/notes', 201, '/api/v1/notes/7'],
  ['/api', '/apis/v1/notes', 404],
  ['/api', '/api', 405],
  ['/api', '/api?q=a', 405],
  ['/api', '/api//v1/notes', 404],
]

describe('with a base', () => {
  for (const [base, target, status, location] of rows) {
    const name = `${base || 'none'}, ${target} is ${status}`

    test(`a fetch handler says ${name}`, async () => {
      const fresh = defineRegistry(api).adapters({ notes: memoryAdapter() })
      const request = new Request(`http://localhost${target}`, { method, headers, body })
      const response = await toFetchHandler(fresh, { base })(request)
      expect([response.status, response.headers.get('location')]).toEqual([
        status,
        location ?? null,
      ])
    })

    test(`a listener says ${name}`, async () => {
      const fresh = defineRegistry(api).adapters({ notes: memoryAdapter() })
      const port = await portOf(createServer(toNodeListener(fresh, { base })))
      const response = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, body })
      expect([response.status, response.headers.get('location')]).toEqual([
        status,
        location ?? null,
      ])
    })
  }

  test('a listener adds what its host has cut off', async () => {
    const app = express()
    app.use('/outer', toNodeListener(registry, { base: '/inner' }))
    const port = await portOf(createServer(app))
    const url = `http://127.0.0.1:${port}/outer/inner/v1/notes`
    const response = await fetch(url, { method, headers, body })
    expect(response.headers.get('location')).toBe('/outer/inner/v1/notes/7')
  })

  test('an absolute target gives a location without its origin', async () => {
    const app = express()
    const fresh = defineRegistry(api).adapters({ notes: memoryAdapter() })
    app.use('/outer', toNodeListener(fresh))
    const target = 'http://any.example/outer/v1/notes'
    const sent = bytesOf(['POST', target], [['Content-Type', 'application/json']], body)
    const { answers } = await exchange(await portOf(createServer(app)), sent)
    expect(answers[0]).toMatchObject({ status: 201, headers: { location: '/outer/v1/notes/7' } })
  })

  test('what is none of its paths goes on to the host', async () => {
    const app = express()
    app.use(toNodeListener(registry, { base: '/api' }))
    app.use((_request, response) => void response.send('the host'))
    const port = await portOf(createServer(app))
    expect(await (await fetch(`http://127.0.0.1:${port}/api/nothing`)).text()).toBe('the host')
  })

  for (const base of ['api', '/api/', '/api?a', '/a#b', '//']) {
    test(`no door takes "${base}"`, () => {
      expect(() => toFetchHandler(registry, { base })).toThrow(/is no path/)
      expect(() => toNodeListener(registry, { base })).toThrow(/is no path/)
    })
  }
})
