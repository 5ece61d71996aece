import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../../../src/diff/openapi/document-changes.ts'
import { documentOf, linesOf, ok, type Part } from './documents.ts'

const bearer = { type: 'http', scheme: 'bearer' }
const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
const flows = { clientCredentials: { tokenUrl: 'https://a.test/token', scopes: {} } }
const oauth = { type: 'oauth2', flows }
const schemes = { bearer, key, oauth }

function secured(security: readonly Part[] | undefined, securitySchemes: Part = schemes): Part {
  return documentOf({}, { components: { securitySchemes }, ...(security ? { security } : {}) })
}

function withPaths(paths: Part): Part {
  return { openapi: '3.1.0', paths }
}

const get = { get: { responses: ok } }
const gone = { get: { responses: ok, deprecated: true, 'x-sunset': '2026-01-01' } }

describe('paths and operations', () => {
  test.each([
    [
      'a path',
      { '/pets': get, '/cats': { ...get, post: {} } },
      { '/pets': get },
      ['breaking path-removed /cats'],
      ['fine path-added /cats'],
    ],
    [
      'an operation',
      { '/pets': { ...get, post: {} } },
      { '/pets': get },
      ['breaking operation-removed POST /pets'],
      ['fine operation-added POST /pets'],
    ],
    [
      'a path after its sunset',
      { '/pets': gone },
      {},
      ['fine path-removed /pets'],
      ['fine path-added /pets'],
    ],
    [
      'a mark',
      { '/pets': { get: { deprecated: true } } },
      { '/pets': { get: {} } },
      ['fine operation-undeprecated GET /pets'],
      ['fine operation-deprecated GET /pets'],
    ],
    [
      'an id',
      { '/pets': { get: { operationId: 'list' } } },
      { '/pets': { get: { operationId: 'find' } } },
      ['depends operation-id-changed GET /pets'],
      ['depends operation-id-changed GET /pets'],
    ],
  ])('have a rule and its mirror: %s', (_, old, next, lines, mirrors) => {
    expect(linesOf(withPaths(old), withPaths(next))).toEqual(lines)
    expect(linesOf(withPaths(next), withPaths(old))).toEqual(mirrors)
  })

  test.each([
    ['names of parameters', { '/a/{x}/b/{y}': get }, { '/a/{p}/b/{q}': get }],
    [
      'templates that differ in names',
      { '/{x}': get, '/{y}': gone },
      { '/{y}': gone, '/{x}': get },
    ],
    ['texts', { '/pets': { get: { summary: 'A' } } }, { '/pets': { get: { tags: ['B'] } } }],
    ['extensions', { '/pets': get, 'x-note': 5 }, { '/pets': get }],
  ])('are the same with other %s', (_, old, next) => {
    expect(linesOf(withPaths(old), withPaths(next))).toEqual([])
  })

  test('follow a reference to a path item', () => {
    const next = {
      ...withPaths({ '/pets': { $ref: '#/components/pathItems/Pets' } }),
      components: { pathItems: { Pets: get } },
    }
    expect(linesOf(withPaths({ '/pets': get }), next)).toEqual([])
  })

  test('of any name are operations', () => {
    const old = withPaths({ '/pets': { additionalOperations: { COPY: {} }, query: {} } })
    expect(linesOf(old, withPaths({ '/pets': get }))).toContain(
      'breaking operation-removed COPY /pets',
    )
  })

  test('show the request that is gone', () => {
    const old = withPaths({
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', schema: { type: 'string', minLength: 2 } }],
        get: {},
      },
    })
    const [change] = compareDocuments(old, withPaths({}))
    expect(change?.witness?.target).toMatch(/^\/pets\/..+$/)
  })
})

describe('credentials', () => {
  test.each([
    [undefined, [{ bearer: [] }], 'breaking security-added', 'fine security-removed'],
    [[{}], [{ bearer: [] }], 'breaking security-added', 'fine security-removed'],
    [[{ key: [] }], [{ key: [], bearer: [] }], 'breaking security-added', 'fine security-removed'],
    [
      [{ key: [] }, { bearer: [] }],
      [{ key: [] }],
      'breaking security-alternative-removed',
      'fine security-alternative-added',
    ],
    [
      [{ oauth: ['read'] }],
      [{ oauth: ['read', 'write'] }],
      'breaking security-scope-added',
      'fine security-scope-removed',
    ],
  ])('have a rule and its mirror: %j to %j', (old, next, line, mirror) => {
    expect(linesOf(secured(old), secured(next))).toEqual([`${line} GET /pets security`])
    expect(linesOf(secured(next), secured(old))).toEqual([`${mirror} GET /pets security`])
  })

  test.each([
    ['another name', { token: bearer }, [{ token: [] }]],
    ['another case', { bearer: { type: 'http', scheme: 'Bearer' } }, [{ bearer: [] }]],
    ['another order', schemes, [{ bearer: [] }]],
  ])('are the same with %s', (_, given, security) => {
    expect(linesOf(secured([{ bearer: [] }]), secured(security, given))).toEqual([])
  })

  test('are gone with another scheme of the same name', () => {
    const other = { bearer: { type: 'http', scheme: 'basic' } }
    const lines = linesOf(secured([{ bearer: [] }]), secured([{ bearer: [] }], other))
    expect(lines).toEqual(['breaking security-alternative-removed GET /pets security'])
  })

  test('depend on the address of the tokens', () => {
    const moved = { clientCredentials: { tokenUrl: 'https://b.test/token', scopes: {} } }
    const next = secured([{ oauth: [] }], { oauth: { type: 'oauth2', flows: moved } })
    const lines = linesOf(secured([{ oauth: [] }]), next)
    expect(lines).toEqual(['depends security-scheme-changed GET /pets security'])
  })

  test('of many operations are one change', () => {
    const paths = Object.fromEntries([...'abcde'].map((name) => [`/${name}`, get]))
    const old = withPaths(paths)
    const next = { ...old, security: [{ bearer: [] }], components: { securitySchemes: schemes } }
    const [change, ...more] = compareDocuments(old, next)
    expect(more).toEqual([])
    expect(change).toMatchObject({ at: 'security', verdict: 'breaking' })
    expect(change?.message).toContain('5 places: GET /a security; GET /b security;')
  })
})

describe('servers', () => {
  test.each([
    ['https://a.test', 'https://a.test/', []],
    ['https://a.test', 'https://b.test', ['depends server-removed', 'fine server-added']],
  ])('%s and %s', (one, other, rules) => {
    const lines = linesOf(
      documentOf({}, { servers: [{ url: one }] }),
      documentOf({}, { servers: [{ url: other }] }),
    )
    expect(lines).toEqual(rules.map((rule) => `${rule} GET /pets servers`))
  })

  test('have their variables filled in', () => {
    const variables = { host: { default: 'a.test' } }
    const old = documentOf({}, { servers: [{ url: 'https://{host}', variables }] })
    expect(linesOf(old, documentOf({}, { servers: [{ url: 'https://a.test' }] }))).toEqual([])
  })
})

describe('webhooks', () => {
  const call = { newPet: { post: { requestBody: { content: {} } } } }
  test('have a rule and its mirror', () => {
    const old = documentOf({}, { webhooks: call })
    const next = documentOf({})
    expect(linesOf(old, next)).toEqual(['breaking webhook-removed webhook POST newPet'])
    expect(linesOf(next, old)).toEqual(['fine webhook-added webhook POST newPet'])
  })

  test('of an operation are its callbacks', () => {
    const old = documentOf({ callbacks: { onPet: { '{$request.body#/url}': { post: {} } } } })
    const at = 'GET /pets callback POST {$request.body#/url}'
    expect(linesOf(old, documentOf({}))).toEqual([`breaking webhook-removed ${at}`])
  })
})
