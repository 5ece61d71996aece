import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// A copy of the sources gets one more operation, parameter and problem, each as a row of its table.

const root = fileURLToPath(new URL('..', import.meta.url))

/** Rows, each before a line of a table. */
const rows: readonly (readonly [file: string, before: string, row: string])[] = [
  [
    'src/convention/operations.ts',
    '  update:     {',
    `  archive: { method: 'POST', target: 'item', status: 200, takes: 'nothing', gives: 'item',
    parameters: ['lang', 'expand'], safe: false, idempotent: true, conditions: ['revision'],
    absent: 'not_found' },\n`,
  ],
  ['src/convention/adapter-methods.ts', '  update: [', "  archive: [['archive']],\n"],
  ['src/convention/operations.ts', "  limit: { type: 'integer'", "  lang: { type: 'text' },\n"],
  [
    'src/convention/operations.ts',
    '  include: {',
    "  expand: { type: 'names', names: 'includes', most: 2, needs: 'includes' },\n",
  ],
  ['src/convention/operations.ts', '  id_mismatch: 409', '  gone_fishing: 409,\n'],
  [
    'src/convention/checks.ts',
    '  id_mismatch:',
    "  gone_fishing: { check: 'conflict', occurs: 'write' },\n",
  ],
]

/** Serves notes from an adapter with the new method. */
const registryModule = `
import { defineApi, defineRegistry, defineResource, problem } from './src/index.ts'

const jsonSchema = {
  output: () => ({
    type: 'object',
    properties: { id: { type: 'string' }, text: { type: 'string' }, note_id: { type: 'string' } },
  }),
}
const validate = (value) => ({ value })
const schema = { '~standard': { version: 1, vendor: 'test', validate, jsonSchema } }
const note = { id: '7', text: 'Hello' }
export default defineRegistry(
  defineApi({
    v1: { '/notes': defineResource('notes', { schema, references: { note_id: 'notes' } }) },
  }),
).adapters({
  notes: {
    list: () => [note],
    read: ({ id }) => (id === '7' ? note : null),
    archive({ kind, id, query }) {
      if (id === '8') return null
      if (id === '9') throw problem('gone_fishing')
      return { ...note, id, kind, lang: query.lang ?? 'none', expand: query.expand ?? [] }
    },
  },
})
`

/** Asks the copy's doors, and prints what they say. */
const questions = `
import { createClient } from './src/client.ts'
import { explorer } from './src/explorer.ts'
import { toFetchHandler } from './src/fetch.ts'
import { handle } from './src/index.ts'
import { toOpenApi } from './src/openapi.ts'
import { parseRequest } from './src/wire/request.ts'
import registry from './registry.ts'

const ask = (method, url) => handle({ method, url }, registry)
const sent = []
const handler = toFetchHandler(registry)
const fetch = (request) => {
  sent.push(request.method + ' ' + request.url)
  return handler(request)
}
const notes = createClient({ baseUrl: 'http://x', fetch }).v1.notes
const pages = toFetchHandler(registry, { layers: [explorer(registry)] })
const pageAt = async (path) =>
  (await pages(new Request('http://x' + path, { headers: { accept: 'text/html' } }))).text()
const caught = async (promise) => promise.catch(({ code, status }) => ({ code, status }))
const { kind, parameters } = parseRequest(
  { method: 'POST', url: '/notes/7?lang=de&expand=note&expand=note' },
  registry,
)
console.log(
  JSON.stringify({
    routed: { kind, parameters },
    answered: await ask('POST', '/notes/7?lang=de&expand=note'),
    absent: await ask('POST', '/notes/8'),
    refused: await ask('POST', '/notes/9'),
    stale: await handle(
      { method: 'POST', url: '/notes/7', headers: { 'if-match': '"old"' } },
      registry,
    ),
    elsewhere: await ask('PUT', '/notes/7'),
    unknown: await ask('POST', '/notes/7?long=de'),
    misnamed: await ask('POST', '/notes/7?expand=nobody'),
    options: await ask('OPTIONS', '/notes/7'),
    document: toOpenApi(registry, { info: { title: 'Notes', version: '1' } }),
    called: await caught(notes('7').archive({ lang: 'de', expand: ['note'] })),
    fished: await caught(notes('9').archive()),
    page: await pageAt('/v1/notes/7'),
    sent,
  }),
)
`

const run = promisify(execFile)
let folder: string
// biome-ignore lint/suspicious/noExplicitAny: JSON
let said: any

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nounful-rows-'))
  await cp(join(root, 'src'), join(folder, 'src'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [file, before, row] of rows) {
    const text = await readFile(join(folder, file), 'utf8')
    expect(text.split(before)).toHaveLength(2)
    await writeFile(join(folder, file), text.replace(before, row + before))
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "version": "0.0.0" }')
  await writeFile(join(folder, 'registry.ts'), registryModule)
  await writeFile(join(folder, 'questions.ts'), questions)
  said = JSON.parse(await node('questions.ts'))
}, 60_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

async function node(...given: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, given, { cwd: folder })
  return stdout
}

describe('one row', () => {
  test('routes an operation with its parameter', () => {
    expect(said.routed).toMatchObject({
      kind: 'archive',
      parameters: { lang: 'de', expand: ['note'] },
    })
  })

  test('stands in Allow', () => {
    const allow = 'GET, HEAD, POST, OPTIONS'
    expect(said.elsewhere).toMatchObject({ status: 405, headers: { allow } })
    expect(said.options.headers).toMatchObject({ allow })
  })

  test('is described by OPTIONS', () => {
    expect(said.options.body.operations).toContainEqual({
      kind: 'archive',
      method: 'POST',
      parameters: ['lang', 'expand'],
    })
  })

  test('names the parameters that are allowed', () => {
    expect(said.unknown.body).toMatchObject({
      code: 'unknown_parameter',
      allowed: ['lang', 'expand'],
    })
    expect(said.misnamed.body).toMatchObject({ code: 'bad_parameter', allowed: ['note'] })
  })

  test('stands in the OpenAPI document', () => {
    const { paths, components } = said.document
    const { post } = paths['/v1/notes/{id}']
    expect(post).toMatchObject({ operationId: 'v1.notes.archive', summary: 'Archive a note' })
    expect(JSON.stringify(post.parameters)).toContain('lang')
    expect(JSON.stringify(components.parameters)).toContain('"name":"lang"')
    expect(components.parameters['notes.expand.v1']).toMatchObject({
      description: components.parameters['notes.include.v1'].description,
      schema: { items: { enum: ['note'] }, maxItems: 2 },
    })
    expect(JSON.stringify([post.responses[409], components.responses])).toContain('gone_fishing')
  })

  test('has its words in the OpenAPI document', () => {
    const { paths } = said.document
    const { post } = paths['/v1/notes/{id}']
    expect(post.tags).toEqual(['notes'])
    expect(post.requestBody).toBeUndefined()
    const { description, content } = post.responses[200]
    expect(description).toBe('A note. With `expand`, it has these members too.')
    expect(JSON.stringify(content)).toContain('NoteWithIncluded')
  })

  test('is a form of the explorer, with its parameter', () => {
    const [, form = ''] = /<form data-kind="archive"(.*?)<\/form>/s.exec(said.page) ?? []
    expect(form).toContain('data-method="POST" data-url="/v1/notes/7"')
    expect(form).toContain('<input id="archive-lang" name="lang">')
    expect(form).toContain('<input id="archive-expand" name="expand">')
    expect(form).toContain('<button type="submit" class="primary">Archive</button>')
    expect(said.page).toContain('<td>archive</td><td><code>lang</code> <code>expand</code> </td>')
  })

  test('is a method of the client', () => {
    expect(said.sent[0]).toBe('POST http://x/v1/notes/7?lang=de&expand=note')
  })

  test('is listed by nounful routes', async () => {
    const lines = (await node('src/cli.ts', 'routes', 'registry.ts', '--wide')).split('\n')
    expect(lines.find((line) => line.includes('archive'))).toMatch(
      /^v1 +\/v1\/notes\/:id +POST +archive +lang expand +200$/,
    )
  })

  test('holds the conditions of the row', () => {
    expect(said.stale).toMatchObject({ status: 409, body: { code: 'precondition_failed' } })
  })

  test('calls the method of the adapter', () => {
    expect(said.answered).toMatchObject({ status: 200, body: { lang: 'de', expand: ['note'] } })
    expect(said.called).toMatchObject({ kind: 'archive' })
    expect(said.absent).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(said.refused).toMatchObject({ status: 409, body: { title: 'Gone fishing' } })
    expect(said.fished).toEqual({ code: 'gone_fishing', status: 409 })
  })
})
