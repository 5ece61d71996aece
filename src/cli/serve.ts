import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { escapeControls } from '../convention/escape.ts'
import { explorer } from '../explorer.ts'
import { openFile, type ServedContent } from '../file/open.ts'
import { isProblem, type Layer, problem, type Registry } from '../index.ts'
import { cors } from '../layers.ts'
import { harden, toNodeListener } from '../node.ts'
import { openApiAt } from '../openapi.ts'
import { formatColumns } from '../trial/check/print.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { type CommandIo, messageOf } from './io.ts'
import { jsonServerDialect } from './json-server.ts'
import { isRegistry, loadSource } from './load.ts'

/** The options of `nounful serve`, as text. */
export interface ServeFlags {
  readonly host: string
  readonly port: string
  readonly readOnly?: boolean
  readonly delay: string
  readonly fail: string
  readonly strict?: boolean
  readonly ids?: string
  readonly id: string
  readonly origin: readonly string[]
  /** False for `--no-watch`. */
  readonly watch: boolean
  readonly demo?: boolean
  readonly jsonServer?: boolean
}

/** A server that runs. */
export interface RunningCommand {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves a JSON file, or the registry of a module, until a signal ends the process.
 *
 * @throws {UsageError} For a file that cannot be served, a port that is taken, and wrong options.
 */
export async function serveUntilSignal(
  name: string | undefined,
  flags: ServeFlags,
  io: CommandIo,
): Promise<void> {
  const { close } = await startServing(name, flags, io)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await close()
}

/** Starts a server as {@link serveUntilSignal} does, and returns it. */
export async function startServing(
  name: string | undefined,
  flags: ServeFlags,
  io: CommandIo,
): Promise<RunningCommand> {
  const settings = settingsOf(flags)
  const folder = flags.demo ? mkdtempSync(join(tmpdir(), 'nounful-demo-')) : undefined
  const file = folder === undefined ? fileOr(name) : join(folder, 'db.json')
  if (folder !== undefined) writeFileSync(file, demo)
  const served = isModule(file)
    ? await serveModule(file, settings, io)
    : await serveFile(file, settings, io)
  return {
    url: served.url,
    close: async () => {
      await served.close()
      if (folder !== undefined) rmSync(folder, { recursive: true })
    },
  }
}

function isModule(name: string): boolean {
  return /\.[cm]?[jt]sx?(?:#.*)?$/.test(name)
}

function fileOr(name: string | undefined): string {
  if (name !== undefined && !existsSync(name) && !isModule(name))
    throw new UsageError(
      `${name} does not exist: write one, as in { "posts": [{ "id": 1, "title": "Hello" }] }`,
    )
  if (/\.json5$/i.test(name ?? ''))
    throw new UsageError(`${name} is JSON5, whose comments a save would lose: write it as JSON.`)
  if (name !== undefined) return name
  if (existsSync('db.json')) return 'db.json'
  throw new UsageError(
    'No file is named, and there is no db.json here. Write one, as in\n' +
      '  { "posts": [{ "id": 1, "title": "Hello" }] }\n' +
      'then "npx nounful serve db.json". To look around first: "npx nounful serve --demo".',
  )
}

/** The options with their types. */
interface Settings extends Pick<ServeFlags, 'host' | 'id' | 'watch'> {
  readonly port: number
  readonly isReadOnly: boolean
  readonly isStrict: boolean
  /** Takes the parameters and paths of json-server. */
  readonly hasDialect: boolean
  readonly ids: 'uuid' | 'number' | undefined
  /** Between the explorer and the API. */
  readonly inner: readonly Layer[]
  readonly cors: Layer
}

function settingsOf(flags: ServeFlags): Settings {
  const { host, id, ids, watch, readOnly = false, strict = false, origin } = flags
  const { jsonServer: hasDialect = false } = flags
  if (ids !== undefined && ids !== 'uuid' && ids !== 'number')
    throw new UsageError(`--ids cannot be "${ids}": write uuid or number.`)
  const delay = numberIn(flags.delay, { name: '--delay', most: 86_400_000, what: 'milliseconds' })
  const rate = numberIn(flags.fail, { name: '--fail', most: 1, what: 'a rate from 0 to 1' })
  return {
    ...{ host, id, ids, watch, isReadOnly: readOnly, isStrict: strict, hasDialect },
    port: numberIn(flags.port, { name: '--port', most: 65_535, what: 'a number from 0 to 65535' }),
    inner: [...(delay > 0 ? [delaying(delay)] : []), ...(rate > 0 ? [failing(rate)] : [])],
    cors: corsFor(origin),
  }
}

interface NumberRange {
  readonly name: string
  readonly most: number
  readonly what: string
}

function numberIn(text: string, { name, most, what }: NumberRange): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= most) return number
  throw new UsageError(`${name} cannot be "${text}": write ${what}.`)
}

function delaying(milliseconds: number): Layer {
  return async (request, answer) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return answer(request)
  }
}

function failing(rate: number): Layer {
  return (request, answer) => {
    if (Math.random() >= rate) return answer(request)
    throw problem('unavailable', 'This failure is one of --fail', { retryAfter: 1 })
  }
}

// Any other origin could write to a file of the person at this machine.
const localOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?$/

function corsFor(origins: readonly string[]): Layer {
  if (origins.includes('*')) return cors({ origins: '*' })
  const listed = cors({ origins })
  return (request, answer, addressed) => {
    const origin = String(request.headers?.origin ?? '')
    const layer = localOrigin.test(origin) ? cors({ origins: [origin] }) : listed
    return layer(request, answer, addressed)
  }
}

async function serveFile(name: string, settings: Settings, io: CommandIo): Promise<RunningCommand> {
  const { print, warn } = io
  const { isReadOnly, isStrict, id, ids, watch, hasDialect } = settings
  const notes: string[] = []
  let onNotice = (text: string): void => void notes.push(text)
  let content: { readonly listener: RequestListener; readonly registry: Registry } | undefined
  let collections: ServedContent['collections'] = []
  const file = await openFile(name, {
    ...{ isReadOnly, isStrict, id, ids, isWatched: watch, onNotice: (text) => onNotice(text) },
    onError: errorListener(io),
    onServed: (served) => {
      collections = served.collections
      const dialect = hasDialect ? [jsonServerDialect(collections)] : []
      const inner = [...dialect, ...settings.inner]
      const listener = listenerFor(served.registry, name, { ...settings, inner, io })
      content = { listener, registry: served.registry }
    },
  })
  if (content === undefined) throw new TypeError('The file was not read.')
  const server = await listen(content.registry, settings, (request, response) =>
    content?.listener(request, response),
  ).catch(async (error) => {
    await file.close()
    throw error
  })
  print(formatStart(name, server.url, collections))
  onNotice = (text) => warn(`${escapeControls(`${name}: ${text}`)}`)
  for (const note of notes) onNotice(note)
  return {
    url: server.url,
    close: async () => {
      await server.close()
      await file.close()
    },
  }
}

async function serveModule(
  name: string,
  settings: Settings,
  io: CommandIo,
): Promise<RunningCommand> {
  const source = await loadSource(name)
  if (!isRegistry(source))
    throw new UsageError(
      `${name} exports an API without adapters: name a module that exports a registry.`,
    )
  const listener = listenerFor(source, name, { ...settings, io })
  const server = await listen(source, settings, listener)
  const paths = source.api.collections.map(({ version, path }) => [`/${version}${path}`])
  io.print([`${name} is served at ${server.url}`, '', formatColumns(paths), ''].join('\n'))
  return server
}

function listenerFor(registry: Registry, name: string, { io, ...settings }: Serving) {
  const title = basename(name).replace(/\.\w+$/, '')
  const layers = [
    logging(io),
    settings.cors,
    // Its start page links the documents of the layers below.
    explorer(registry, { title }),
    openApiAt('/openapi.json', registry, { info: { title, version: '1.0.0' } }),
    ...settings.inner,
  ]
  return toNodeListener(registry, { layers })
}

interface Serving extends Settings {
  readonly io: CommandIo
}

function logging({ print }: CommandIo): Layer {
  return async (request, answer) => {
    const start = performance.now()
    const response = await answer(request)
    const { status } = response
    const duration = performance.now() - start
    const time = `${duration < 10 ? duration.toFixed(1) : Math.round(duration)} ms`
    const code = status < 400 ? undefined : (response.problem ?? Object(response.body).code)
    const path = request.url.replace(/\?.*$/, '')
    const words = [request.method.padEnd(7), status, path, code ?? [], time].flat()
    print(escapeControls(words.join('  ')))
    return response
  }
}

// A save that fails says why. A problem without a cause says itself what it is.
function errorListener({ warn }: CommandIo): (error: unknown) => void {
  return (error) => {
    const cause = isProblem(error) ? error.cause : error
    if (cause !== undefined) warn(cause instanceof Error ? `${cause.stack}` : String(cause))
  }
}

async function listen(
  registry: Registry,
  { host, port }: Settings,
  listener: RequestListener,
): Promise<RunningCommand> {
  const server = createServer({ connectionsCheckingInterval: 2000 }, listener)
  const isAddress = isIP(host) !== 0 || host === 'localhost'
  // A page of another site must not reach the server by a name that leads to this machine.
  const { close } = harden(server, registry, { hosts: isAddress ? [] : [host] })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  }).catch((error) => {
    const isTaken = Reflect.get(Object(error), 'code') === 'EADDRINUSE'
    const remedy = isTaken ? `Port ${port} is taken: write --port ${port + 1}` : messageOf(error)
    throw new UsageError(`${remedy}.`)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return { url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}`, close }
}

function formatStart(name: string, url: string, collections: ServedContent['collections']): string {
  const rows = collections.map(({ noun, items, ids, isOne, relations }) => {
    const below = relations.map(({ to, field }) => `/${to} (${field})`)
    const path = isOne ? `/${noun}/${ids.values[0]}` : `/${noun}`
    return [path, `${items.length}`, isOne ? '' : kinds[ids.kind], below.join(', ')]
  })
  const table = formatColumns(
    [['PATH', 'ITEMS', 'IDS', 'BELOW'], ...rows].map((row) => row.map(escapeControls)),
  )
  const pages = formatColumns([
    ['explorer', `${url}/`],
    ['OpenAPI', `${url}/openapi.json`],
  ])
  return [`${name} is served at ${url}`, '', table, '', pages, ''].join('\n')
}

type Collection = ServedContent['collections'][number]

const kinds = {
  number: 'numbers',
  digits: 'texts of digits',
  text: 'texts',
  mixed: 'numbers and texts',
} as const satisfies Readonly<Record<Collection['ids']['kind'], string>>

const demo = `{
  "users": [
    { "id": 1, "name": "Ann", "email": "ann@example.com" },
    { "id": 2, "name": "Bob", "email": "bob@example.com" }
  ],
  "posts": [
    { "id": 1, "title": "Hello", "userId": 1, "isPublic": true, "created": "2026-11-02" },
    { "id": 2, "title": "A second post", "userId": 2, "isPublic": false, "created": "2026-11-09" },
    { "id": 3, "title": "Nouns", "userId": 1, "isPublic": true, "created": "2026-11-16" }
  ],
  "comments": [
    { "id": 1, "text": "Welcome", "postId": 1 },
    { "id": 2, "text": "I agree", "postId": 3 },
    { "id": 3, "text": "And verbs?", "postId": 3 }
  ],
  "profile": { "name": "A small world" }
}
`
