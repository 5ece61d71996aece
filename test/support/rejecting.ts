import { type } from 'arktype'
import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type HttpRequest,
  handle,
  type Registry,
  type StandardSchema,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import * as v from 'valibot'
import { z } from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod/v3'

// Sends each kind of request to schemas whose checks reject, and prints a line a request. Nothing
// here handles a rejection: one that the server drops ends the process.

const late = process.argv[2] === 'late'
let calls = 0
/** Rejects, as a look-up does while the database is away. */
const away = async (): Promise<never> => {
  calls++
  if (late) await new Promise((resolve) => setTimeout(resolve, 40))
  throw new Error('away')
}

// The types let no client create these: the tests are about what runs.
const schemas: Readonly<Record<string, () => unknown>> = {
  'zod refine': () => z.object({ text: z.string().refine(away) }),
  'zod superRefine': () => z.object({ text: z.string().superRefine(away) }),
  'zod check': () => z.object({ text: z.string().check(away) }),
  'zod transform': () => z.object({ text: z.string().transform(away) }),
  'zod item': () => z.object({ text: z.string() }).refine(away).refine(away),
  'zod mini': () => mini.object({ text: mini.string().check(mini.refine(away)) }),
  'zod 3': () => z3.object({ text: z3.string().refine(away) }),
  valibot: () => v.objectAsync({ text: v.pipeAsync(v.string(), v.checkAsync(away)) }),
  arktype: () => type({ text: type('string').pipe(away) }),
  hand: () => ({ '~standard': { version: 1, vendor: 'hand', validate: away } }),
}

const Note = z.object({ id: z.string(), text: z.string() })
const Old = z.object({ id: z.string(), title: z.string() })

function registryOf(
  body: StandardSchema<unknown, { text: string }>,
  id: StandardSchema<unknown, string> = z.string(),
): Registry {
  const notes = defineResource('notes', { schema: Note, create: body, update: body, id })
  const old = defineView('old_notes', notes, {
    schema: Old,
    create: Old.omit({ id: true }),
    fields: { title: 'text' },
  })
  const api = defineApi({ v1: { '/notes': old }, v2: { '/notes': notes } })
  return defineRegistry(api, {
    defaultVersion: 'v2',
    limits: late ? { time: 10 } : {},
  })
    .onError(() => undefined)
    .adapters({
      notes: memoryAdapter({
        items: [
          { id: 'a', text: 'x' },
          { id: 'b', text: 'x' },
        ],
      }),
    })
}

// biome-ignore format: a row stays a line
const lines: readonly (readonly [method: string, target: string, body?: unknown])[] = [
  ['POST',  '/v2/notes',              { text: 'y' }],
  ['POST',  '/v2/notes',              [{ text: 'y' }, { text: 'z' }]],
  ['POST',  '/v2/notes?dry_run=true', { text: 'y' }],
  ['PUT',   '/v2/notes/a',            { text: 'y' }],
  ['PUT',   '/v2/notes/a?dry_run=true', { text: 'y' }],
  ['PATCH', '/v2/notes/a',            { text: 'y' }],
  ['PUT',   '/v2/notes',              [{ id: 'a', text: 'y' }, { id: 'b', text: 'z' }]],
  ['PATCH', '/v2/notes',              [{ id: 'a', text: 'y' }, { id: 'b', text: 'z' }]],
  ['POST',  '/v1/notes',              { title: 'y' }],
  ['POST',  '/v1/notes',              [{ title: 'y' }, { title: 'z' }]],
  ['POST',  '/v1/notes?dry_run=true', { title: 'y' }],
  ['PUT',   '/v1/notes/a',            { title: 'y' }],
  ['PATCH', '/v1/notes/a',            { title: 'y' }],
  ['PUT',   '/v1/notes',              [{ id: 'a', title: 'y' }, { id: 'b', title: 'z' }]],
]

// An id schema must not wait, so each of these is an error of the server.
const idLines = [
  ['GET', '/v2/notes/a'],
  ['GET', '/v2/notes?id=a'],
  ['DELETE', '/v2/notes/a'],
  ['PUT', '/v2/notes', [{ id: 'a', text: 'y' }]],
] as const

function requestOf([method, target, body]: (typeof lines)[number]): HttpRequest {
  const headers = { 'content-type': 'application/json' }
  return body === undefined
    ? { method, url: target, headers: {} }
    : { method, url: target, headers, body: JSON.stringify(body) }
}

for (const [name, make] of Object.entries(schemas)) {
  const schema = make() as StandardSchema<unknown, { text: string }>
  for (const line of lines) {
    const registry = registryOf(schema)
    calls = 0
    const { status } = await handle(requestOf(line), registry)
    if (late) await new Promise((resolve) => setTimeout(resolve, 60))
    console.log(`${status} ${calls} ${name}: ${line[0]} ${line[1]}`)
  }
}
const ids = {
  'zod id': z.string().refine(away),
  'valibot id': v.pipeAsync(v.string(), v.checkAsync(away)),
}
for (const [name, id] of late ? [] : Object.entries(ids)) {
  for (const line of idLines) {
    const registry = registryOf(Note.omit({ id: true }), id)
    calls = 0
    const { status } = await handle(requestOf(line), registry)
    console.log(`${status} ${calls} ${name}: ${line[0]} ${line[1]}`)
  }
}
// A rejection that is not handled comes after the promises of its turn.
await new Promise((resolve) => setTimeout(resolve, 20))
console.log('alive')
