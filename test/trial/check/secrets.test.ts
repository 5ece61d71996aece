import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkServer } from '../../../src/trial/check/command.ts'
import { curlOf, openConnection } from '../../../src/trial/check/connection.ts'
import { parseHeaders } from '../../../src/trial/check/headers.ts'
import { formatData } from '../../../src/trial/check/print.ts'
import { redactorFor } from '../../../src/trial/check/redact.ts'
import { formatReport } from '../../../src/trial/check/report.ts'
import { type Behavior, startSimpleServer } from './simple-server.ts'

const options = {
  collection: ['/teams'],
  header: [],
  timeout: '5000',
  requests: '5000',
  bytes: '1000000',
  time: '60000',
}

const secret = 'ey.J0"a/b c-Xyz+8'
const token = 'tok-4711-abc'
const header = [`x-jwt: ${secret}`, `authorization: Bearer ${token}`, 'cookie: sid=crumb-99; a=b']
// As they are, and as an id or a message writes them.
const hidden = [secret, token, 'crumb-99', encodeURIComponent(secret), 'hunter22', 'ann:hunter22']

// Repeats its input in every place.
const echo: Behavior = ({ method, id, headers }) => {
  const text = `${headers['x-jwt']} ${headers.authorization} ${headers.cookie}`
  const pair = Buffer.from(String(headers.authorization).slice(6), 'base64').toString()
  const code = `${text} ${pair}`
  if (method === 'OPTIONS')
    return { status: 200, body: { sortable: [code] }, headers: { allow: `GET ${text}` } }
  if (id !== undefined && method === 'GET') return { status: 418, body: { code } }
  if (method === 'POST')
    return {
      status: 201,
      body: { id: 7 },
      headers: { location: `/teams/${encodeURIComponent(text)}` },
    }
  if (method !== 'GET') return { status: 500, body: { code } }
  const body = [
    { id: 2, name: text },
    { id: 1, [code]: code, name: code.repeat(200) },
  ]
  return {
    status: 200,
    body,
    headers: { link: `</teams?after=${encodeURIComponent(text)}>; rel="next"` },
  }
}

describe('what a user sends with every request', () => {
  for (const write of [false, true])
    for (const [name, user] of [
      ['headers', ''],
      ['a url', 'ann:hunter22@'],
    ] as const)
      test(`is shown nowhere, with ${name}, ${write ? 'written' : 'read'}`, {
        timeout: 30_000,
      }, async () => {
        const server = await startSimpleServer(echo)
        const url = server.url.replace('//', `//${user}`)
        const given = user === '' ? header : [header[0] ?? '']
        const told: string[] = []
        const all = { ...options, header: given, write }
        const checked = await checkServer(url, all, (text) => void told.push(text))
        await server.close()
        expect(checked.verdicts.some(({ verdict }) => verdict === 'broken')).toBe(true)
        for (const text of [formatReport(checked), formatData(checked), told.join()])
          for (const value of hidden) {
            expect(text).not.toContain(value)
            expect(text).not.toContain(JSON.stringify(value).slice(1, -1))
          }
        expect(formatReport(checked)).toContain("-H 'x-jwt: …'")
        expect(formatReport(checked)).toContain("-H 'authorization: …'")
      })

  test('is shown nowhere in an error', async () => {
    const server = await startSimpleServer(({ headers }) => ({
      status: 200,
      body: { data: 1 },
      headers: { 'content-type': `${headers['x-jwt']}` },
    }))
    const all = { ...options, header, collection: [] }
    const trying = checkServer(server.url, all, () => undefined)
    await expect(trying).rejects.not.toThrow(secret)
    const url = server.url.replace('//', '//ann:%zz@')
    await expect(checkServer(url, options, () => undefined)).rejects.toThrow('write % as %25')
    for (const wrong of [
      'ftp://ann:hunter22@host/a',
      'http://ann:hunter22@host:x/',
      'ann:hunter22@host',
    ])
      await checkServer(wrong, options, () => undefined).catch(({ message }) => {
        expect(message).toContain('is no URL of a server')
        expect(message).not.toContain('hunter22')
      })
    expect(() => parseHeaders(['Bearer hunter22'])).toThrow(/^(?!.*hunter22)/)
    await server.close()
  })

  test('is shown nowhere in the names of collections', async () => {
    const server = await startSimpleServer(() => undefined)
    const all = { ...options, header, collection: [`/${token}`] }
    const checked = await checkServer(server.url, all, () => undefined)
    await server.close()
    expect(checked.collections).toEqual(['/…'])
    expect(formatReport(checked)).not.toContain(token)
  })

  test('is shown nowhere in a complaint that a server has written', async () => {
    const server = await startSimpleServer(({ url, headers }) => ({
      status: url === '/teams' ? 200 : 404,
      body: { paths: [`/${headers['x-jwt']}`] },
    }))
    const all = { ...options, header, collection: [`/${token}/..`] }
    const trying = checkServer(server.url, all, () => undefined)
    await expect(trying).rejects.toThrow('--collection cannot be "/…/.."')
    await server.close()
  })
})

test('every header of every request is named in a command line, without its value', () => {
  const names = ['authorization', 'cookie', 'x-jwt', 'x-tenant', 'api-key', 'accept']
  const headers = Object.fromEntries(names.map((name) => [name, `v-${name}`]))
  const connection = openConnection({ origin: 'http://a', headers, timeout: 1, requests: 1 })
  const sent = {
    method: 'PUT',
    path: '/a/v-x-jwt',
    headers: { accept: 'text/plain', 'if-match': '"v-cookie"' },
    body: `${'x'.repeat(1995)}v-api-key`,
  }
  const text = curlOf(sent, connection)
  for (const name of names) if (name !== 'accept') expect(text).toContain(`-H '${name}: …'`)
  expect(text).toContain("-H 'accept: text/plain'")
  for (const name of names) expect(text).not.toContain(`v-${name}`)
  // Not the beginning of one either.
  expect(text).not.toContain('v-a')
  connection.close()
})

describe('a secret', () => {
  test('is hidden wherever it stands', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 40 })
    fc.assert(
      fc.property(texts, (value) => {
        const conceal = redactorFor({ 'x-a': value })
        for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
          expect(conceal(`<${form}>`)).toBe('<…>')
      }),
    )
  })

  test.for([
    ['x-tenant', '7', 'item 7', 'item 7'],
    ['accept', 'application/json', 'application/json', 'application/json'],
    ['x-jwt', 'a.b*c', 'is a.b*c, not aXbbc', 'is …, not aXbbc'],
    ['authorization', 'Bearer abcd', 'the bearer of ABCD', 'the bearer of …'],
    ['cookie', 'abcd=1; other=abcdefgh', 'is abcdefgh', 'is …'],
    ['authorization', 'Basic YW5uOmh1bnRlcjIy', 'ann:hunter22, hunter22', '…, …'],
  ] as const)('%s: %s makes of "%s" "%s"', ([name, value, text, shown]) => {
    expect(redactorFor({ [name]: value })(text)).toBe(shown)
  })

  test('that is none leaves everything as it is', () => {
    expect(redactorFor({})('a')).toBe('a')
  })
})

test('the command shows no secret', { timeout: 20_000 }, async () => {
  const server = await startSimpleServer(echo)
  const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))
  const flags = ['--header', header[0] ?? '', '--json']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...[cli, 'check', `${server.url.replace('//', '//ann:hunter22@')}/teams`, ...flags],
  ]).catch((error) => error)
  await server.close()
  expect(JSON.parse(stdout).verdicts.length).toBeGreaterThan(9)
  for (const value of hidden) expect(stdout + stderr).not.toContain(value)
})
