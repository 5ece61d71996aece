import { createLocalJWKSet, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { handle } from 'nounful'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { audience, issuer } from '../../examples/tenants/callers.ts'
import { openTenants } from '../../examples/tenants/service.ts'
import { openSample, type Tenants } from '../support/tenants.ts'

describe('an operator', () => {
  let tenants: Tenants
  beforeEach(async () => {
    tenants = await openSample()
  })
  afterEach(() => tenants.close())

  test('sees the items of all tenants', async () => {
    const { ask, acme, globex } = tenants
    expect((await ask('ops', 'GET /tenants/count')).body).toEqual({ count: 2 })
    expect((await ask('ops', 'GET /users/count')).body).toEqual({ count: 4 })
    for (const { project, task } of [acme, globex])
      expect((await ask('ops', `GET /projects/${project}/tasks/${task}`)).status).toBe(200)
  })

  test('names the tenant of a new item', async () => {
    const { ask, acme } = tenants
    const project = { name: 'New', owner_id: acme.user }
    const required = { issues: [{ pointer: '/tenant_id', code: 'required' }] }
    const refused = await ask('ops', 'POST /projects', project)
    expect(refused).toMatchObject({ status: 422, body: required })
    const path = `/projects/${acme.project}`
    expect(await ask('ops', `PUT ${path}`, project)).toMatchObject({ status: 422, body: required })
    const whole = { ...project, tenant_id: 'acme' }
    expect((await ask('ops', 'POST /projects', whole)).body).toMatchObject(whole)
    const renamed = await ask('ops', `PATCH ${path}`, { name: 'Renamed' })
    expect(renamed).toMatchObject({ status: 200, body: { tenant_id: 'acme' } })
    expect((await ask('ops', `POST ${path}/tasks`, { title: 'New' })).status).toBe(201)
  })

  test('cannot mix tenants, since foreign keys refuse', async () => {
    const { ask, acme, globex, rows } = tenants
    const before = rows()
    const mixed = { name: 'New', owner_id: globex.user, tenant_id: 'acme' }
    const refused = await ask('ops', 'POST /projects', mixed)
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const moved = await ask('ops', `PATCH /projects/${acme.project}`, { tenant_id: 'globex' })
    expect(moved).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(rows()).toEqual(before)
  })

  test('deletes all items only with a bound', async () => {
    const { ask, acme } = tenants
    expect((await ask('ops', `DELETE /projects/${acme.project}/tasks`)).status).toBe(200)
    for (const headers of [{}, { prefer: 'max-affected=3' }]) {
      const refused = await ask('ops', 'DELETE /users', undefined, headers)
      expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_affected' } })
    }
  })
})

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
const publicBytes = new TextEncoder().encode(await exportSPKI(publicKey))
const stranger = await generateKeyPair('ES256')
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] })
const service = await openTenants(':memory:', keys)
afterAll(() => service.close())

interface Signing {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: { readonly alg?: string; readonly typ?: string }
  readonly key?: CryptoKey | Uint8Array
}

const now = Math.floor(Date.now() / 1000)

async function tokenWith({ claims, header, key = privateKey }: Signing = {}): Promise<string> {
  const usual = { iss: issuer, aud: audience, sub: 'ann', iat: now, exp: now + 60 }
  return new SignJWT({ ...usual, role: 'member', tenant_id: 'acme', ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header })
    .sign(key)
}

async function askWith(authorization: string | undefined) {
  return handle({ method: 'GET', url: '/v1/users', headers: { authorization } }, service.registry)
}

const tokenOfNobody = (claims: object): string =>
  [{ alg: 'none', typ: 'at+jwt' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('x')
    .join('.')

describe('a token', () => {
  // biome-ignore format: a row stays a line
  const accepted: [name: string, Signing][] = [
    ['of a member',             {}],
    ['of an operator',          { claims: { role: 'operator', tenant_id: undefined } }],
    ['of a service account',    { claims: { role: 'service', sub: 'acme-ci' } }],
    ['for two services',        { claims: { aud: ['https://other.example', audience] } }],
  ]
  for (const [name, signing] of accepted) {
    test(`${name} is accepted`, async () => {
      expect(await askWith(`Bearer ${await tokenWith(signing)}`)).toMatchObject({ status: 200 })
    })
  }

  // biome-ignore format: a row stays a line
  const refused: [name: string, Signing][] = [
    ['that has expired',          { claims: { exp: now - 1 } }],
    ['without an end',            { claims: { exp: undefined } }],
    ['without a beginning',       { claims: { iat: undefined } }],
    ['that is too old',           { claims: { iat: now - 3601 } }],
    ['of tomorrow',               { claims: { nbf: now + 60 } }],
    ['of another issuer',         { claims: { iss: 'https://evil.example' } }],
    ['for another service',       { claims: { aud: 'https://other.example' } }],
    ['without a user',            { claims: { sub: undefined } }],
    ['without a tenant',          { claims: { tenant_id: undefined } }],
    ['with an empty tenant',      { claims: { tenant_id: '' } }],
    ['with two tenants',          { claims: { tenant_id: ['acme', 'globex'] } }],
    ['with an unknown role',      { claims: { role: 'root' } }],
    ['with a role of Object',     { claims: { role: 'constructor' } }],
    ['of another kind',           { header: { typ: 'JWT' } }],
    ['of another key',            { key: stranger.privateKey }],
    ['signed by the public key',  { header: { alg: 'HS256' }, key: publicBytes }],
  ]
  for (const [name, signing] of refused) {
    test(`${name} is 401`, async () => {
      const response = await askWith(`Bearer ${await tokenWith(signing)}`)
      expect(response).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
      expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
    })
  }

  const claims = { iss: issuer, aud: audience, sub: 'x', iat: now, exp: now + 60, role: 'operator' }
  const texts = [undefined, '', 'Bearer', 'Bearer x', 'Basic YTpi', 'Bearer a.b.c']
  for (const text of [...texts, `Bearer ${tokenOfNobody(claims)}`]) {
    test(`${text} is 401`, async () => {
      expect(await askWith(text)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    })
  }
})
