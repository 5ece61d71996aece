import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { type ServeFlags, startServing } from '../../src/cli/serve.ts'
import { createTestFile } from '../support/served-file.ts'

const file = { posts: [{ id: 1, title: 'a' }], comments: [{ id: 1, postId: 1 }], profile: {} }

const defaults: ServeFlags = {
  ...{ host: '127.0.0.1', port: '0', delay: '0', fail: '0', id: 'id', origin: [], watch: true },
}

async function start(name: string | undefined, flags: Partial<ServeFlags> = {}) {
  const lines: string[] = []
  const warnings: string[] = []
  const server = await startServing(
    name,
    { ...defaults, ...flags },
    {
      print: (text) => void lines.push(text),
      warn: (text) => void warnings.push(text),
      setExitCode: () => undefined,
      version: '0.0.0',
    },
  )
  onTestFinished(() => server.close())
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}${path}`, { method, headers })
  return { ...server, get, lines, warnings }
}

describe('a served file', () => {
  test('is told as a table, with a line for each request', async () => {
    const { path } = createTestFile(file)
    const { url, get, lines, warnings } = await start(path)
    const pages = `explorer  ${url}/\nOpenAPI   ${url}/openapi.json\n`
    expect(lines).toEqual([
      `${path} is served at ${url}\n\nPATH               ITEMS  IDS      BELOW\n` +
        '/posts             1      numbers\n/comments          1      numbers  /posts (postId)\n' +
        `/profiles/profile  1\n\n${pages}`,
    ])
    expect(warnings).toEqual([`${path}: "profile" is an object: its path is /profiles/profile.`])
    await get('/posts/1?fields=id')
    await get('/posts/9', {}, 'DELETE')
    expect(lines.slice(1).map((line) => line.replace(/[\d.]+ ms$/, 'ms'))).toEqual([
      'GET      200  /posts/1  ms',
      'DELETE   404  /posts/9  not_found  ms',
    ])
  })

  test.each<readonly [string, Record<string, string>, number, string]>([
    ['/', { accept: 'text/html' }, 200, '<!doctype html>'],
    ['/v1/posts', { accept: 'text/html' }, 200, '<!doctype html>'],
    ['/openapi.json', {}, 200, '"openapi":"3.1'],
    ['/v1/posts', {}, 200, '[{"id":1,"title":"a"}]'],
    ['/posts/1/comments', {}, 200, '[{"id":1,"postId":1}]'],
    ['/comments/1?include=post', {}, 200, '{"id":1,"postId":1,"post":{"id":1,"title":"a"}}'],
    ['/posts?title=a&sort=-title&q=A', {}, 200, '[{"id":1,"title":"a"}]'],
    ['/profiles/profile', {}, 200, '{"id":"profile"}'],
  ])('answers %s %j', async (path, headers, status, content) => {
    const { get } = await start(createTestFile(file).path)
    const response = await get(path, headers)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(content)
  })

  test.each([
    ['http://localhost:5173', [], 'http://localhost:5173'],
    ['http://127.0.0.1', [], 'http://127.0.0.1'],
    ['http://localhost.example', [], null],
    ['https://app.example', [], null],
    ['https://app.example', ['https://app.example'], 'https://app.example'],
    ['https://app.example', ['*'], '*'],
  ])('lets pages of %s use it with %j: %s', async (page, origin, allowed) => {
    const { get } = await start(createTestFile(file).path, { origin })
    const { headers } = await get('/posts', { origin: page })
    expect(headers.get('access-control-allow-origin')).toBe(allowed)
  })

  test('refuses a foreign name of the host', async () => {
    const { url } = await start(createTestFile(file).path)
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${url}/posts`, { headers: { host: 'evil.example' } }, (response) =>
        resolve(response.resume().statusCode),
      )
      sent.on('error', reject).end()
    })
    expect(status).toBe(400)
  })

  test('fails and waits as its options say', async () => {
    const { get } = await start(createTestFile(file).path, { fail: '1', delay: '30' })
    const begin = performance.now()
    const response = await get('/posts', { origin: 'http://localhost' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost')
    expect(performance.now() - begin).toBeGreaterThan(25)
    expect((await get('/openapi.json')).status).toBe(200)
  })
})

test.each<readonly [string, Partial<ServeFlags>]>([
  ['', { watch: true, port: '3000' }],
  ['--no-watch', { watch: false }],
  ['--watch -p 4000', { watch: true, port: '4000' }],
  ['-w -H 0.0.0.0 -d 800 -i _id', { watch: true, host: '0.0.0.0', delay: '800', id: '_id' }],
])('the options of json-server are options here: %s', (options, flags) => {
  const nothing = () => undefined
  const io = { print: nothing, warn: nothing, setExitCode: nothing, version: '0.1.0' }
  const command = createProgram(io).commands.find((each) => each.name() === 'serve')
  const { operands, unknown } = command?.parseOptions([...options.split(' '), 'db.json']) ?? {}
  expect([operands?.at(-1), unknown]).toEqual(['db.json', []])
  expect(command?.opts()).toMatchObject(flags)
})

test('the demo serves a file of its own', async () => {
  const { get, lines } = await start(undefined, { demo: true })
  const [path = ''] = /^\S+/.exec(lines[0] ?? '') ?? []
  const posted = await get('/users/1/posts/3/comments')
  expect(await posted.json()).toHaveLength(2)
  expect(JSON.parse(readFileSync(path, 'utf8')).users).toHaveLength(2)
})

test('a registry is served as a file is', async () => {
  const { get, lines } = await start('examples/companies/registry.ts')
  expect(lines[0]).toContain('/v2/employees')
  expect((await get('/openapi.json')).status).toBe(200)
})

describe('wrong use is told', () => {
  test.each<readonly [string, Partial<ServeFlags>]>([
    ['Port cannot', { port: 'x' }],
    ['--delay cannot be "-1": write milliseconds', { delay: '-1' }],
    ['--fail cannot be "2": write a rate from 0 to 1', { fail: '2' }],
    ['--ids cannot be "x": write uuid or number', { ids: 'x' }],
    ['cors() takes origins', { origin: ['app.example'] }],
  ])('%s', async (message, flags) => {
    const text = message.replace('Port cannot', '--port cannot be "x": write a number')
    await expect(start(createTestFile(file).path, flags)).rejects.toThrow(text)
  })

  test('for a file that is missing or not valid', async () => {
    const { path, folder } = createTestFile('{ "posts": [1,] }')
    const place = `${path}: line 1, column 15: expected a value.`
    await expect(start(path)).rejects.toThrow(place)
    await expect(start(join(folder, 'x.json'))).rejects.toThrow('x.json does not exist: write one')
    writeFileSync(join(folder, 'x.json5'), '{}')
    await expect(start(join(folder, 'x.json5'))).rejects.toThrow('x.json5 is JSON5')
  })

  test('for no file', () => {
    const { folder } = createTestFile(file)
    const cli = join(import.meta.dirname, '../../src/cli.ts')
    const args = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source', cli]
    const run = () =>
      execFileSync(process.execPath, [...args, 'serve'], { cwd: join(folder, '..'), stdio: 'pipe' })
    expect(run).toThrow(/No file is named, and there is no db\.json here\./)
  })

  test('for a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const starting = start(createTestFile(file).path, { port: `${port}` })
    await expect(starting).rejects.toThrow(`Port ${port} is taken: write --port ${port + 1}.`)
  })
})
