import type { HttpResponse } from 'nounful'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ids, openSample, type Tenants } from '../support/tenants.ts'
import { attacks } from './tenant-attacks.ts'

const never = '01a20000-0000-7000-8000-00000000000a'
const none: Ids = {
  ...{ tenant: 'none', mail: 'none@mail.example' },
  ...{ user: never, project: never, task: never },
}
let tenants: Tenants
beforeEach(async () => {
  tenants = await openSample()
})
afterEach(() => tenants.close())

/** Writes ids into a text: `{user}` of the attacked tenant, `{my.user}` of the attacker's. */
function filled(text: string, theirs: Ids): string {
  return text.replaceAll(/\{(my\.)?(tenant|user|project|task|mail)\}/g, (_, mine, name) => {
    return (mine ? tenants.globex : theirs)[name as keyof Ids]
  })
}

function foundIn({ status, body }: HttpResponse): unknown {
  if (status === 200 || body === undefined) return body
  const { code, issues } = body as {
    readonly code: string
    readonly issues?: readonly { readonly pointer: string; readonly code: string }[]
  }
  return status === 422 ? issues?.map((issue) => [issue.pointer, issue.code]) : code
}

function withoutIds(response: HttpResponse, ids: Ids): string {
  const text = JSON.stringify(response)
  return Object.values(ids).reduce((masked, id) => masked.replaceAll(id, 'id'), text)
}

describe('an attacker', () => {
  for (const [caller, line, body, status, found] of attacks) {
    test(`${caller} gets ${status} for ${line} ${JSON.stringify(body) ?? ''}`, async () => {
      const before = tenants.rows()
      const send = (ids: Ids): Promise<HttpResponse> => {
        const sent = body && JSON.parse(filled(JSON.stringify(body), ids))
        return tenants.ask(caller, filled(line, ids), sent)
      }
      const theirs = await send(tenants.acme)
      expect([theirs.status, foundIn(theirs)]).toEqual([status, found])
      // The same bytes for an item of another tenant and for one that never was, but for the id
      // that the client sent.
      expect(withoutIds(theirs, tenants.acme)).toBe(withoutIds(await send(none), none))
      expect(tenants.rows()).toEqual(before)
    })
  }

  test('finds only items of its tenant', async () => {
    const { ask } = tenants
    const paths = ['/tenants', '/users', '/projects', '/projects/{my.project}/tasks', '/templates']
    for (const path of paths.map((path) => filled(path, none))) {
      const { body } = await ask('gia', `GET ${path}`)
      const items = body as readonly { readonly id: string }[]
      expect(JSON.stringify(body)).not.toMatch(/acme|ann/i)
      expect((await ask('gia', `GET ${path}/count`)).body).toEqual({ count: items.length })
      expect((await ask('gia', `GET ${path}/first`)).body).toEqual(items[0])
      expect((await ask('gia', `GET ${path}/last`)).body).toEqual(items.at(-1))
      const counted = await ask('gia', `GET ${path}?limit=1`, undefined, { prefer: 'count=exact' })
      expect(counted.headers['x-total-count']).toBe(`${items.length}`)
    }
  })

  test('cannot use the cursor of another tenant', async () => {
    const { ask } = tenants
    const first = await ask('ann', 'GET /users?sort=name&limit=1')
    const next = /<\/v1(.*?)>/.exec(`${first.headers.link}`)?.[1]
    const colleague = await ask('abe', `GET ${next}`)
    expect(colleague).toMatchObject({ status: 200, body: [{ name: 'ann jr' }] })
    for (const caller of ['gia', 'gus', 'bot', 'ops'] as const) {
      const refused = await ask(caller, `GET ${next}`)
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
    }
  })

  test('cannot repeat the key of another tenant', async () => {
    const { ask, acme, globex } = tenants
    const key = { 'idempotency-key': 'k1' }
    const made = await ask('ann', 'POST /projects', { name: 'K', owner_id: acme.user }, key)
    const own = { name: 'K', owner_id: globex.user }
    const other = await ask('gia', 'POST /projects', own, key)
    expect(other).toMatchObject({ status: 201, body: { tenant_id: 'globex' } })
    expect(other.headers['idempotency-replayed']).toBeUndefined()
    expect(other.headers.location).not.toBe(made.headers.location)
  })

  test('learns from no unique value of another tenant', async () => {
    const { ask, acme } = tenants
    const taken = await ask('gia', 'POST /users', { name: 'Ann', email: acme.mail })
    expect(taken.status).toBe(201)
    const own = await ask('gia', 'POST /users', { name: 'Ann', email: acme.mail })
    expect(own).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('deletes all items of its tenant only', async () => {
    const { ask, acme, globex } = tenants
    const tasks = `/projects/${globex.project}/tasks`
    expect((await ask('gia', `DELETE ${tasks}`)).body).toEqual({ deleted: 2 })
    expect((await ask('gia', 'DELETE /projects')).body).toEqual({ deleted: 1 })
    expect((await ask('gia', 'DELETE /users')).body).toEqual({ deleted: 2 })
    expect((await ask('ann', `GET /projects/${acme.project}/tasks/count`)).body).toEqual({
      count: 2,
    })
    expect((await ask('ann', 'GET /projects/count')).body).toEqual({ count: 1 })
    expect((await ask('ann', 'GET /users/count')).body).toEqual({ count: 2 })
  })
})
