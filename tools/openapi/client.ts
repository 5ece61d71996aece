// A client from the document alone: types of openapi-typescript, calls of openapi-fetch.
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, operations, paths } from './.generated/types/example.d.ts'

// It knows the document only as types, so the code says how to write lists.
const client = createClient<paths>({
  baseUrl: String(process.argv[2]),
  querySerializer: { array: { style: 'form', explode: false } },
})

const listed = await client.GET('/v1/employees', {
  params: { query: { q: 'a', sort: ['name', '-birthdate'], limit: 2 } },
})
type Employee = components['schemas']['Employee']
const employees: Employee[] = listed.data ?? []
assert.equal(employees.length, 2)
assert.match(String(listed.response.headers.get('link')), /rel="next"/)

const joined = await client.GET('/v1/employees', {
  params: { query: { sort: ['id'], limit: 1, include: ['company'] } },
})
assert.equal(joined.data?.[0]?.company?.name, 'Acme Instruments')
// @ts-expect-error: no reference has such a member.
client.GET.bind(client, '/v1/employees', { params: { query: { include: ['boss'] } } })

const created = await client.POST('/v1/companies/{company_id}/employees', {
  params: { path: { company_id: '001' } },
  body: { name: 'Gita Rao', birthdate: '1991-04-09' },
})
assert(created.data)
const gita: Employee = created.data
assert.equal(gita.company_id, '001')

const { id, ...whole } = gita
const updated = await client.PUT('/v1/employees/{id}', {
  params: { path: { id } },
  body: { ...whole, name: 'Gita Rao-Lee' },
})
assert.equal(updated.data?.name, 'Gita Rao-Lee')

const changed = await client.PATCH('/v1/employees/{id}', {
  params: { path: { id } },
  body: { email: 'gita@x.example' },
})
assert.equal(changed.data?.email, 'gita@x.example')
const cleared = await client.PATCH('/v1/employees', {
  params: { query: { dry_run: true } },
  body: [{ id, email: null }],
})
assert.deepEqual(cleared.data?.[0], { ...whole, id, name: 'Gita Rao-Lee' })
// @ts-expect-error: nothing removes a name.
client.PATCH.bind(client, '/v1/employees/{id}', { params: { path: { id } }, body: { name: null } })
const dry = await client.POST('/v1/employees', {
  params: { query: { dry_run: true } },
  body: { name: 'Tim', birthdate: '1991-04-09' },
})
assert.deepEqual(dry.data, { name: 'Tim', birthdate: '1991-04-09' })
// @ts-expect-error: the document describes arrays in an extension.
client.POST.bind(client, '/v1/employees', { body: [] })

const bulk = await client.PUT('/v1/employees', { body: [{ ...gita, name: 'Gita' }] })
assert.equal(bulk.data?.[0]?.name, 'Gita')
// @ts-expect-error: each of a bulk has an id.
client.PUT.bind(client, '/v1/employees', { body: [whole] })

const refused = await client.POST('/v1/employees', {
  // @ts-expect-error: a name is text.
  body: { name: 7, birthdate: '1991-04-09' },
})
const { error } = refused
assert(error)
assert.equal(error.code, 'validation_failed')
assert.equal(error.issues?.[0]?.pointer, '/name')

const missing = await client.GET('/v1/employees/{id}', { params: { path: { id: 'nobody' } } })
assert(missing.error)
// The codes are those of this operation.
type Codes = (typeof missing.error)['code']
const codes: readonly Codes[] = ['not_found', 'bad_path', 'internal_error', 'unavailable']
assert(codes.includes(missing.error.code))
// @ts-expect-error: nothing can be in conflict with a read.
const none: Codes = 'conflict'
assert(none)

// @ts-expect-error: there is nothing to sort by.
client.GET.bind(client, '/v1/employees', { params: { query: { sort: ['email'] } } })
// @ts-expect-error: there is no such path.
client.GET.bind(client, '/v1/customers')

const kept = await client.DELETE('/v1/companies/{company_id}/employees', {
  params: { path: { company_id: '001' }, header: { Prefer: 'max-affected=1' } },
})
assert.equal(kept.error?.code, 'too_many_affected')
const gone = await client.DELETE('/v1/employees/{id}', { params: { path: { id } } })
assert.deepEqual(gone.data?.id, id)
const counted = await client.GET('/v1/employees/count')
assert.equal(typeof counted.data?.count, 'number')

type List = operations['v1.companies.customers.list']['parameters']['path']
const path: List = { company_id: '001' }
const customers = await client.GET('/v1/companies/{company_id}/customers', { params: { path } })
assert(customers.data)
console.log('A client made of the document works.')
