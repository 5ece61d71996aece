import { createServer, type IncomingMessage } from 'node:http'
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type CheckOptions, checkServer } from '../../../src/trial/check/command.ts'
import { formatReport } from '../../../src/trial/check/report.ts'
import { portOf, serving } from '../../support/listening.ts'
import { tenantService } from './service.ts'

const lines = ['authorization: Bearer alice', 'authorization: Bearer bob']
const options: CheckOptions = {
  collection: [],
  header: [],
  timeout: '10000',
  requests: '100000',
  bytes: '16777216',
  time: '600000',
  write: true,
  as: lines,
}
const quiet = () => {}

interface Note {
  readonly id: string
  readonly text: string
  readonly owner: string
}

// Notes of several owners, without nounful.
function notesServer({ leaks }: { readonly leaks: boolean }) {
  const notes = new Map<string, Note>()
  return createServer(async (request, response) => {
    const owner = `${request.headers.authorization}`
    const { pathname } = new URL(`${request.url}`, 'http://localhost')
    const id = pathname.split('/')[2] ?? ''
    const own = [...notes.values()].filter((note) => note.owner === owner)
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const body = await bodyOf(request)
    const note = own.find((one) => one.id === id)
    if (!pathname.startsWith('/notes')) return answer(404, { error: 'unknown' })
    if (id === 'count') return answer(200, { count: leaks ? notes.size : own.length })
    if (id === '' && request.method === 'GET') return answer(200, own)
    if (id === '' && request.method === 'POST') {
      if (typeof body?.text !== 'string') return answer(422, { error: 'text' })
      const made = { id: crypto.randomUUID(), text: body.text, owner }
      notes.set(made.id, made)
      return answer(201, made)
    }
    if (id === '') return answer(405, { error: 'method' })
    if (note === undefined) return answer(404, { error: 'unknown' })
    if (request.method === 'DELETE') notes.delete(id)
    return answer(request.method === 'GET' || request.method === 'DELETE' ? 200 : 405, note)
  })
}

async function bodyOf(request: IncomingMessage): Promise<{ text?: unknown } | undefined> {
  try {
    return Object(JSON.parse((await request.toArray()).join('')))
  } catch {
    return undefined
  }
}

async function checkNotes(leaks: boolean) {
  const port = await portOf(notesServer({ leaks }))
  const url = `http://127.0.0.1:${port}/notes`
  const sample = new URL('sample.json', import.meta.url).pathname
  return checkServer(url, { ...options, sample }, quiet)
}

const brokenIn = ({ verdicts }: Awaited<ReturnType<typeof checkServer>>) =>
  verdicts.filter(({ verdict }) => verdict === 'broken')

describe('check --as', () => {
  test('keeps every rule on an isolated service', { timeout: 120_000 }, async () => {
    const registry = tenantService()
    const { url } = await serving(registry as never)
    const sample = new URL('samples.json', import.meta.url).pathname
    const asEverything = 'authorization: Bearer root'
    const report = await checkServer(url, { ...options, sample, asEverything }, quiet)
    expect(brokenIn(report)).toEqual([])
    expect(report.left).toEqual([])
    expect(report.verdicts.filter(({ verdict }) => verdict === 'kept')).toHaveLength(7)
  })

  test('keeps every rule on another server', { timeout: 60_000 }, async () => {
    const report = await checkNotes(false)
    expect(brokenIn(report)).toEqual([])
    expect(report.left).toEqual([])
  })

  test('leaves out rows whose ids no path can hold', { timeout: 60_000 }, async () => {
    const Page = z.object({ id: z.string(), user: z.string(), title: z.string() })
    const Line = z.object({ id: z.string(), user: z.string(), page_id: z.string() })
    const pages = defineResource('pages', {
      schema: Page,
      create: Page.omit({ id: true, user: true }),
      ownedBy: ['user'],
    })
    const rows = defineResource('lines', {
      schema: Line,
      create: Line.omit({ id: true, user: true }),
      ownedBy: ['user'],
      references: { page_id: 'pages' },
    })
    const api = defineApi({
      v1: { '/pages': pages, '/lines': rows, '/pages/:page_id/lines': rows },
    })
    const page = { id: 'p', user: 'alice', title: 'A' }
    const lineIds = ['first', 'last', '..', 'a\u0000', 'l']
    const items = lineIds.map((id, index) => {
      return { id, user: index % 2 ? 'alice' : 'bob', page_id: 'p' }
    })
    const registry = defineRegistry(api)
      .context(({ headers }) => ({ user: String(headers?.authorization).replace('Bearer ', '') }))
      .scope(({ user }) => ({ user }))
      .adapters({
        pages: memoryAdapter({ items: [page] }),
        lines: memoryAdapter({ items }),
      })
    const { url } = await serving(registry as never)
    const report = await checkServer(url, options, quiet)
    expect(brokenIn(report)).toEqual([])
    expect(report.left).toEqual([])
  })

  test('finds a count over all callers', { timeout: 60_000 }, async () => {
    const report = await checkNotes(true)
    const [broken] = brokenIn(report)
    expect(broken?.id).toBe('responses-tell-nothing-of-other-callers')
    expect(broken?.faults[0]?.message).toMatch(/^GET \/notes\/count/)
    expect(formatReport(report)).not.toMatch(/Bearer (?:alice|bob)/)
  })

  test('needs --write and two callers', async () => {
    const url = 'http://127.0.0.1:1/notes'
    const reading = { ...options, write: false }
    await expect(checkServer(url, reading, quiet)).rejects.toThrow(/with --write/)
    const one = { ...options, as: lines.slice(1) }
    await expect(checkServer(url, one, quiet)).rejects.toThrow(/needs two/)
  })
})
