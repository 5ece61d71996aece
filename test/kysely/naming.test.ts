import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter, snakeCase } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Member = z.object({
  id: z.string(),
  teamId: z.string(),
  fullName: z.string(),
  emailAddress: z.string(),
  bornOn: z.string().optional(),
  workPhone: z.string().optional(),
  revisionNumber: z.number(),
  // Fields may have any name, that of an option too.
  naming: z.string().optional(),
})
const members = defineResource('members', {
  schema: Member,
  create: Member.omit({ revisionNumber: true }),
  revision: 'revisionNumber',
  sortable: ['fullName', 'bornOn'],
  searchable: ['fullName'],
  filterable: ['fullName', 'bornOn'],
})
const Team = z.object({ id: z.string(), displayName: z.string().optional() })
const teams = defineResource('teams', { schema: Team })
const api = defineApi({
  v1: { '/teams': teams, '/members': members, '/teams/:teamId/members': members },
})

const text: Readonly<Record<Engine, string>> = {
  sqlite: 'text',
  postgres: 'text collate "C"',
  mariadb: 'varchar(40) character set utf8mb4 collate utf8mb4_nopad_bin',
}

async function open(engine: Engine) {
  const { db, drop } = await databaseOf<unknown>(engine)
  const type = sql.raw(text[engine])
  await sql`create table teams (team_key ${type} primary key, display_name ${type})`.execute(db)
  await sql`create table members (
    member_key ${type} primary key, team_id ${type} not null, full_name ${type} not null,
    email_address ${type} not null, birthdate ${type}, work_phone ${type} not null,
    revision_number integer not null, naming ${type},
    constraint one_address unique (email_address),
    foreign key (team_id) references teams (team_key))`.execute(db)
  const errors: unknown[] = []
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(error))
    .adapters({
      teams: kyselyAdapter(db, { table: 'teams', naming: snakeCase, columns: { id: 'team_key' } }),
      members: kyselyAdapter(db, {
        table: 'members',
        naming: snakeCase,
        columns: { id: 'member_key', bornOn: { name: 'birthdate' }, workPhone: { type: 'text' } },
      }),
    })
  const ask = async (method: string, url: string, body?: HttpRequest['body'], etag?: string) => {
    const headers = { 'content-type': 'application/json', ...(etag && { 'if-match': etag }) }
    const answer = await handle({ method, url, headers, body }, registry)
    return { status: answer.status, headers: answer.headers, body: Object(answer.body) }
  }
  return { ask, db, drop, errors, registry }
}

const ada = {
  id: 'm1',
  teamId: 't1',
  fullName: 'Ada Lovelace',
  emailAddress: 'ada@example.com',
  bornOn: '1815-12-10',
  workPhone: '1',
}
const bob = { ...ada, id: 'm2', fullName: 'Bob', emailAddress: 'bob@example.com', naming: 'x' }

describe.each(engines.filter(has))('fields in columns of other names: %s', (engine) => {
  test('every operation works', async () => {
    const { ask, db, drop, errors, registry } = await open(engine)
    await registry.ready()
    await ask('POST', '/teams', { id: 't1', displayName: 'One' })
    const created = { ...ada, revisionNumber: 1 }
    expect(await ask('POST', '/teams/t1/members', ada)).toMatchObject({
      status: 201,
      body: created,
    })
    expect((await ask('POST', '/members', bob)).status).toBe(201)
    const { body, headers } = await ask('GET', '/teams/t1/members/m1')
    expect(body).toEqual(created)
    const changed = { ...ada, fullName: 'Ada King' }
    const updated = await ask('PUT', '/members/m1', changed, headers.etag)
    expect(updated.body).toEqual({ ...changed, revisionNumber: 2 })
    const late = await ask('PUT', '/members/m1', changed, headers.etag)
    expect(late.body).toMatchObject({ code: 'precondition_failed' })
    const bulk = await ask('PUT', '/teams/t1/members', [{ ...bob, revisionNumber: 1 }])
    expect(bulk.body).toMatchObject([{ fullName: 'Bob', naming: 'x', revisionNumber: 2 }])
    const { rows } = await sql`select member_key, full_name, birthdate from members
      order by full_name`.execute(db)
    const birthdate = ada.bornOn
    expect(rows).toEqual([
      { member_key: 'm1', full_name: 'Ada King', birthdate },
      { member_key: 'm2', full_name: 'Bob', birthdate },
    ])
    expect((await ask('DELETE', '/teams/t1/members/m2')).body).toMatchObject({ id: 'm2' })
    expect((await ask('DELETE', '/teams/t1/members')).body).toEqual({ deleted: 1 })
    expect(errors).toEqual([])
    await drop()
  })

  test('clients sort, filter, search and page by fields', async () => {
    const { ask, drop, errors } = await open(engine)
    await ask('POST', '/teams', { id: 't1' })
    for (let at = 0; at < 7; at++) {
      const own = { id: `m${at}`, fullName: `Person ${at % 3}`, emailAddress: `${at}` }
      await ask('POST', '/members', { ...ada, ...own, bornOn: at % 2 ? undefined : `200${at}` })
    }
    const seen: string[] = []
    for (let url = '/teams/t1/members?sort=-fullName,bornOn&limit=2'; url !== ''; ) {
      const { body, headers } = await ask('GET', url)
      seen.push(...body.map(({ id }: { readonly id: string }) => id))
      url = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? ''
    }
    expect(seen).toEqual(['m2', 'm5', 'm4', 'm1', 'm0', 'm6', 'm3'])
    expect((await ask('GET', '/members/count?q=person+2')).body).toEqual({ count: 2 })
    expect((await ask('GET', '/members/count?fullName=Person%200')).body).toEqual({ count: 3 })
    expect((await ask('GET', '/members/first?sort=bornOn')).body).toMatchObject({ id: 'm0' })
    expect(errors).toEqual([])
    await drop()
  })

  test('issues of the database name fields', async () => {
    const { ask, drop } = await open(engine)
    await ask('POST', '/teams', { id: 't1' })
    await ask('POST', '/members', ada)
    const taken = await ask('POST', '/members', { ...ada, id: 'm3' })
    expect(taken).toMatchObject({ status: 409, body: { issues: [{ pointer: '/emailAddress' }] } })
    const unknown = await ask('POST', '/members', { ...bob, teamId: 'no' })
    expect(unknown).toMatchObject({ status: 422, body: { issues: [{ pointer: '/teamId' }] } })
    const missing = await ask('POST', '/members', { ...bob, workPhone: undefined })
    expect(missing).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/workPhone', code: 'required' }] },
    })
    const texts = JSON.stringify([taken, unknown, missing])
    expect(texts).not.toMatch(/email_address|team_id|work_phone/)
    const orphan = await ask('POST', '/teams/no/members', { ...bob, teamId: 'no' })
    expect(orphan).toMatchObject({ status: 404, body: { code: 'parent_not_found' } })
    await drop()
  })

  test('the check of the tables names columns', async () => {
    const { db, drop, registry } = await open(engine)
    await sql`alter table members rename column full_name to name`.execute(db)
    await expect(registry.ready()).rejects.toThrow(
      'The table "members" has no column "full_name" for "fullName" of "members"',
    )
    await sql`drop table members`.execute(db)
    const type = sql.raw(text[engine])
    await sql`create table members (
      member_key ${type}, team_id ${type}, full_name ${type}, email_address ${type},
      birthdate ${type}, work_phone ${type}, revision_number integer, naming ${type},
      primary key (member_key, team_id))`.execute(db)
    await expect(registry.ready()).rejects.toThrow(
      'serve it only below "teamId", as its key (member_key, team_id)',
    )
    await drop()
  })
})

test.each([
  ['createdAt', 'created_at'],
  ['created_at', 'created_at'],
  ['userID', 'user_id'],
  ['HTMLBody', 'html_body'],
  ['addressLine2', 'address_line2'],
  ['address2Line', 'address2_line'],
  ['isÄlter', 'is_älter'],
  ['id', 'id'],
])('%s is %s in snake case', (field, column) => {
  expect(snakeCase(field)).toBe(column)
})

test('wrong names of columns are refused', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  const make = (options: object) => () => kyselyAdapter(db, { table: 'x', ...options })
  expect(make({ columns: snakeCase })).toThrow('or naming: (field) => column for all fields.')
  expect(make({ naming: 'snake' })).toThrow('"naming" of a kyselyAdapter takes a function')
  const same = 'The fields "a" and "b" have the same column "c" of "x": name another'
  expect(make({ columns: { a: 'c', b: 'c' } })).toThrow(same)
  expect(make({ columns: { a: 'c', b: {} }, naming: () => 'c' })).toThrow(same)
  expect(make({ columns: { a: {} }, naming: () => undefined })).toThrow(
    'The field "a" has no column in "x": write a "naming" that returns a text for every field',
  )
  const ready = (naming: (field: string) => string) =>
    defineRegistry(defineApi({ v1: { '/teams': teams } }))
      .adapters({ teams: kyselyAdapter(db, { table: 'teams', naming }) })
      .ready()
  await expect(ready(() => 'c')).rejects.toThrow('The fields "id" and "displayName" have the same')
  await expect(ready(() => '')).rejects.toThrow('The field "id" has no column in "teams"')
  await drop()
})
