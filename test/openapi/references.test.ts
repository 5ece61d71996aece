import { defineApi, defineResource, defineView } from 'nounful'
import { type OpenApiDocument, toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { info, referring } from './contracts.ts'
import { finderFor, follow } from './declared.ts'

const { registry } = referring()
const document = toOpenApi(registry, { info })
const find = finderFor(document)

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const answerOf = (method: string, url: string) => Object(find(method, url)?.responses)
const schemaIn = (response: unknown) => {
  const { schema } = Object(Object(response).content)['application/json']
  return schema.items ?? schema
}
const includeAt = (url: string, from: OpenApiDocument = document) =>
  finderFor(from)('GET', url)?.parameters.find(({ name }) => name === 'include')

describe('include', () => {
  test('is a list of members, and has its bounds', () => {
    expect(includeAt('/v1/users')).toMatchObject({
      in: 'query',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: ['boss', 'team'] }, maxItems: 4 },
      description: expect.stringContaining('`limit` of at most 1000'),
    })
  })

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [url: string, members: readonly string[] | undefined])[] = [
    ['/v1/users/ann',       ['boss', 'team']],
    ['/v1/users/first',     ['boss', 'team']],
    ['/v1/users/last',      ['boss', 'team']],
    ['/v1/users/count',     undefined],
    ['/v1/teams',           ['team lead']],
    ['/v1/teams/7/notes',   ['user', 'team', 'origin']],
    ['/v2/teams/7/notes/n', ['team', 'origin']],
    ['/v2/teams',           undefined],
    ['/v1/marks',           ['note']],
  ]
  test.each(rows)('at %s takes %j', (url, members) => {
    const names = Object(includeAt(url)?.schema).items?.enum
    expect(names).toEqual(members)
  })

  test.each(['users', 'teams', 'marks'])('leaves the fields of %s their own list', (name) => {
    const fields = find('GET', `/v1/${name}`)?.parameters.find(({ name }) => name === 'fields')
    expect(Object(fields?.schema).items.enum?.[0]).toBe(name === 'marks' ? undefined : 'id')
    const names = Object(fields?.schema).items.enum?.length
    expect(names).toBe({ users: 4, teams: 3 }[name])
  })
})

describe('an item with included items', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [request: string, schema: string])[] = [
    ['GET /v1/users',         'UserWithIncluded'],
    ['GET /v1/users/ann',     'UserWithIncluded'],
    ['GET /v1/users/last',    'UserWithIncluded'],
    ['PUT /v1/users',         'User'],
    ['PUT /v1/users/ann',     'User'],
    ['DELETE /v1/users/ann',  'User'],
    ['GET /v2/teams/7',       'Team'],
    ['GET /v1/teams/7/notes', 'NoteWithIncluded2'],
    ['GET /v2/teams/7/notes', 'NoteWithIncluded'],
  ]
  test.each(rows)('of %s is %s', (request, name) => {
    const [method = '', url = ''] = request.split(' ')
    expect(schemaIn(answerOf(method, url)[200])).toEqual(refTo(name))
  })

  test('has each member, and needs none', () => {
    const shown = follow(document, refTo('UserWithIncluded'))
    const nullable = (name: string) => ({ anyOf: [refTo(name), { type: 'null' }] })
    expect(shown.properties).toMatchObject({
      boss: { ...nullable('User'), description: expect.stringContaining('`bossId`') },
      team: nullable('Team'),
      name: { type: 'string' },
    })
    expect(shown).toMatchObject({ additionalProperties: false, required: ['id', 'name', 'bossId'] })
    expect(follow(document, refTo('User')).properties).not.toHaveProperty('boss')
  })

  test('has them in each of its alternatives', () => {
    const { anyOf } = follow(document, refTo('NoteWithIncluded2'))
    const alternatives = anyOf as readonly object[]
    expect(alternatives).toHaveLength(2)
    for (const alternative of alternatives) {
      expect(alternative).toMatchObject({
        properties: { origin: { anyOf: [refTo('Note'), { type: 'null' }] }, user: {}, team: {} },
      })
    }
  })

  test('is no body of a request', () => {
    for (const url of ['/v1/users', '/v1/users/ann']) {
      for (const method of ['POST', 'PUT']) {
        const text = JSON.stringify(find(method, url)?.body) ?? ''
        expect(text).not.toContain('WithIncluded')
      }
    }
    expect(follow(document, refTo('UserUpdate')).properties).not.toHaveProperty('boss')
    expect(follow(document, refTo('NewUser')).properties).not.toHaveProperty('boss')
  })

  test('may have a schema that is not known', () => {
    const schema = { '~standard': { version: 1, vendor: 'x', validate: () => ({ issues: [] }) } }
    const cards = defineResource('cards', {
      schema: schema as never,
      references: { card_id: 'cards' },
    } as never)
    const shown = toOpenApi(defineApi({ v1: { '/cards': cards } }), { info })
    expect(follow(shown, refTo('CardWithIncluded'))).toMatchObject({
      additionalProperties: true,
      properties: { id: {}, card: { anyOf: [refTo('Card'), { type: 'null' }] } },
    })
  })

  test('is told in the description', () => {
    const { description } = answerOf('GET', '/v1/users/ann')[200]
    expect(description).toContain('With `fields`')
    expect(description).toContain('With `include`')
    expect(answerOf('GET', '/v2/teams/7')[200].description).not.toContain('With `include`')
    const { description: ofUpdate } = answerOf('PUT', '/v1/users/ann')[200]
    expect(ofUpdate).toBe('A user. With `dry_run`, what the server would store.')
  })
})

describe('links', () => {
  const linksOf = (method: string, url: string, status = 200) =>
    Object.entries(Object(answerOf(method, url)[status]?.links)).map(
      ([name, link]) => [name, follow(document, link)] as const,
    )

  test('lead from an item to those that it names', () => {
    expect(linksOf('GET', '/v1/users/ann')).toMatchObject([
      ['boss', { operationId: 'v1.users.read', parameters: { id: '$response.body#/bossId' } }],
      ['team', { operationId: 'v1.teams.read', parameters: { id: '$response.body#/team_id' } }],
    ])
    expect(linksOf('POST', '/v1/users', 201)).toHaveLength(2)
    expect(linksOf('DELETE', '/v1/users/ann')).toHaveLength(2)
  })

  test('lead to another version where their own lacks the resource', () => {
    expect(linksOf('GET', '/v2/teams/7')).toMatchObject([
      ['team_20lead', { operationId: 'v1.users.read' }],
    ])
  })

  test('lead to no list, and not below a parent', () => {
    expect(linksOf('GET', '/v1/users')).toEqual([])
    expect(linksOf('GET', '/v1/marks/m')).toEqual([])
    expect(linksOf('GET', '/v1/teams/7/notes/n').map(([name]) => name)).toEqual(['user', 'team'])
  })

  test('need an operation that reads', () => {
    const schema = z.strictObject({ id: z.string(), user_id: z.string() })
    const users = defineResource('users', {
      schema: schema.omit({ user_id: true }),
      without: ['read'],
    })
    const notes = defineResource('notes', { schema, references: { user_id: 'users' } })
    const shown = toOpenApi(defineApi({ v1: { '/users': users, '/notes': notes } }), { info })
    const read = finderFor(shown)('GET', '/v1/notes/7')
    expect(Object(read?.responses[200]).links).toBeUndefined()
    expect(shown.components).not.toHaveProperty('links')
    expect(includeAt('/v1/notes', shown)).toBeUndefined()
  })

  test('write a field as a pointer', () => {
    const schema = z.strictObject({ id: z.string(), 'of~/id': z.string() })
    const references = { 'of~/id': { to: 'notes', as: 'of' } }
    const notes = defineResource('notes', { schema, references })
    const shown = toOpenApi(defineApi({ v1: { '/notes': notes } }), { info })
    const links = Object.values(Object(shown.components.links))
    expect(links).toMatchObject([{ parameters: { id: '$response.body#/of~0~1id' } }])
    expect(Object.keys(Object(shown.components.links)).join('')).toMatch(/^[\w.-]+$/)
  })
})

describe('words', () => {
  test('name the references of a resource', () => {
    const users = document.tags.find(({ name }) => /^users \(v1\)$/.test(name))
    expect(users?.description).toMatch(/`bossId` is the id of a user\. `team_id` .* a team\.$/)
  })

  test('name the issue of an id of no item', () => {
    const { ProblemIssue } = Object(document.components.schemas)
    expect(ProblemIssue.properties.code.description).toContain('`reference_not_found`')
  })
})

test('two versions of an included item are described apart', () => {
  const Peer = z.object({ id: z.string(), name: z.string() })
  const peers_v2 = defineResource('peers_v2', { schema: Peer })
  const peers = defineView('peers', peers_v2, {
    schema: z.object({ id: z.string(), label: z.string() }),
    fields: { label: 'name' },
    without: ['create', 'update'],
  })
  const notes = defineResource('notes', {
    schema: z.object({ id: z.string(), peer_id: z.string() }),
    references: { peer_id: 'peers_v2' },
  })
  const api = defineApi({
    v1: { '/peers': peers, '/notes': notes },
    v2: { '/peers': peers_v2, '/notes': notes },
  })
  const both = toOpenApi(api, { info })
  const included = ['v1', 'v2'].map((version) => {
    const schema = schemaIn(finderFor(both)('GET', `/${version}/notes`)?.responses[200])
    return Object(follow(both, schema).properties).peer.anyOf[0]
  })
  expect(included).toEqual([refTo('Peer'), refTo('PeerV2')])
})
