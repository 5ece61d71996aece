import { Ajv2020 } from 'ajv/dist/2020.js'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { type OpenApiDocument, toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { info } from './contracts.ts'
import { finderFor } from './declared.ts'

const Team = z.strictObject({ id: z.string(), name: z.string() })
const card = z.strictObject({ id: z.string(), kind: z.literal('card'), number: z.string() })
const cash = z.strictObject({ id: z.string(), kind: z.literal('cash'), amount: z.number() })
const Note = z.strictObject({
  id: z.string(),
  text: z.string(),
  rank: z.number(),
  team_id: z.string(),
})
const api = defineApi({
  v1: {
    '/teams': defineResource('teams', { schema: Team, create: Team.omit({ id: true }) }),
    '/payments': defineResource('payments', { schema: z.union([card, cash]) }),
    '/notes': defineResource('notes', {
      schema: Note,
      create: Note.omit({ id: true, rank: true }),
      readOnly: ['rank'],
      filled: ['rank'],
      references: { team_id: 'teams' },
    }),
  },
})

type Sent = readonly [method: string, url: string, body?: unknown]
const note = { text: 'a', team_id: '1' }
// biome-ignore format: a row stays a line
const requests: readonly Sent[] = [
  ['GET',   '/v1/notes'],
  ['GET',   '/v1/notes?fields=id'],
  ['GET',   '/v1/notes?fields=text,rank&limit=1'],
  ['GET',   '/v1/notes?fields='],
  ['GET',   '/v1/notes?fields=text&include=team&limit=1'],
  ['GET',   '/v1/notes/1?fields=rank'],
  ['GET',   '/v1/notes/1?include=team'],
  ['GET',   '/v1/notes/1?fields=id&include=team'],
  ['GET',   '/v1/notes/first?fields=text'],
  ['GET',   '/v1/notes/last'],
  ['GET',   '/v1/payments?fields=number'],
  ['GET',   '/v1/payments/p2?fields=kind'],
  ['POST',  '/v1/teams', { name: 'b' }],
  ['POST',  '/v1/teams', [{ name: 'b' }, { name: 'c' }]],
  ['POST',  '/v1/teams', []],
  ['POST',  '/v1/notes?dry_run=true', note],
  ['POST',  '/v1/notes?dry_run=true', [note, note]],
  ['PUT',   '/v1/notes/1?dry_run=true', { ...note, text: 'b' }],
  ['PATCH', '/v1/notes/1?dry_run=true', { text: 'b' }],
]

/** Returns the faults of an answer and of the request that it accepts. */
async function faultsOf(
  document: OpenApiDocument,
  [method, url, body]: readonly unknown[],
): Promise<readonly unknown[]> {
  const team = { id: '1', name: 'a' }
  const payments = [
    { id: 'p1', kind: 'card' as const, number: '4' },
    { id: 'p2', kind: 'cash' as const, amount: 4 },
  ]
  const registry = defineRegistry(api).adapters({
    teams: memoryAdapter({ items: [team] }),
    notes: memoryAdapter({ items: [{ id: '1', text: 'a', rank: 1, team_id: '1' }] }),
    payments: memoryAdapter({ items: payments }),
  })
  const text = body === undefined ? undefined : JSON.stringify(body)
  const request = { method: String(method), url: String(url) }
  const headers = { 'content-type': 'application/json' }
  const answer = await handle({ ...request, ...(text && { headers, body: text }) }, registry)
  const declared = finderFor(document)(request.method, request.url, text)
  const { schema } = Object(declared?.responses[answer.status]?.content)['application/json'] ?? {}
  expect([answer.status < 400, schema]).toEqual([true, expect.anything()])
  const judge = (schema: unknown, value: unknown): readonly unknown[] => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    const validate = ajv.compile({ ...Object(schema), components: document.components })
    return validate(value) ? [] : (validate.errors ?? [])
  }
  return [
    ...judge(schema, JSON.parse(JSON.stringify(answer.body))),
    ...(text === undefined ? [] : judge(declared?.body, body)),
  ]
}

describe.each(['extension', 'union'] as const)('bodies by %s', (arrays) => {
  const document = toOpenApi(api, { info, arrays })

  test.each(requests)('of %s %s %j conform', async (...sent) => {
    expect(await faultsOf(document, sent)).toEqual([])
  })

  const partial = requests.filter(([, url]) => /fields=[^&]*\w|POST.*dry/.test(url))
  test.each(partial)('of %s %s need their own schema', async (...sent) => {
    const plain = JSON.parse(JSON.stringify(document), (key, value) =>
      key.startsWith('x-nounful-') ? undefined : value,
    )
    const faults = await faultsOf(plain, sent)
    expect(faults.length > 0).toBe(arrays === 'extension')
  })
})

test('an item that requires its id alone has no second schema', () => {
  const schema = z.object({ id: z.string(), text: z.string().optional() })
  const notes = defineResource('notes', { schema })
  for (const arrays of ['extension', 'union'] as const) {
    const document = toOpenApi(defineApi({ v1: { '/notes': notes } }), { info, arrays })
    expect(JSON.stringify(document)).not.toMatch(/x-nounful-fields|NoteFields/)
  }
})
