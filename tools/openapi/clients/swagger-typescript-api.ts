// The client of swagger-typescript-api for the document. Run by clients.mjs.
import assert from 'node:assert/strict'
import { Api, type Employee, type HttpResponse } from '../.generated/swagger-typescript-api/api.ts'

const { v1 } = new Api({ baseUrl: String(process.argv[2]) })

const listed = await v1.v1EmployeesList({ sort: ['name'], limit: 3 })
const names = listed.data.map(({ name }) => name)
assert.equal(names.length, 3)
assert.deepEqual(names, names.toSorted())
// @ts-expect-error: employees have no such field to sort by.
v1.v1EmployeesList.bind(v1, { sort: ['email'] })
// It writes a list as `sort=a&sort=b`, against the document.
const twice = await settled(v1.v1EmployeesList({ sort: ['name', '-birthdate'], limit: 3 }))
assert(twice.ok)

const joined = await v1.v1EmployeesList({ sort: ['id'], limit: 1, include: ['company'] })
assert.equal(joined.data[0]?.company?.name, 'Acme Instruments')

const created = await v1.v1EmployeesCreate({ name: 'Gita Rao', birthdate: '1991-04-09' })
assert.equal(created.status, 201)
const made: Employee = created.data
const { id } = made
const read = await v1.v1EmployeesRead(id)
assert.deepEqual(read.data, created.data)

const body = { ...created.data, name: 'Gita Rao-Lee' }
const updated = await v1.v1EmployeesUpdate(id, body, {}, { headers: { 'If-Match': '*' } })
assert.equal(updated.data.name, 'Gita Rao-Lee')
const stale = await settled(v1.v1EmployeesUpdate(id, body, {}, { headers: { 'If-Match': '"3"' } }))
assert(stale.error.status === 409)
assert(stale.error.code === 'precondition_failed')

const changed = await v1.v1EmployeesPatch(id, { email: 'gita@x.example' })
assert.equal(changed.data.email, 'gita@x.example')
const cleared = await v1.v1EmployeesPatchMany([{ id, email: null }], { dry_run: true })
assert.deepEqual(cleared.data, [updated.data])
// @ts-expect-error: nothing removes a name.
v1.v1EmployeesPatch.bind(v1, id, { name: null })

const missing = await settled(v1.v1EmployeesRead('nobody'))
assert(missing.error.status === 404)
const code: 'not_found' = missing.error.code
assert.equal(code, 'not_found')

// @ts-expect-error: a name is text.
const invalid = await settled(v1.v1EmployeesCreate({ name: 7, birthdate: '1991-04-09' }))
assert(invalid.error.status === 422)
const known: 'validation_failed' | 'reserved_id' | 'idempotency_mismatch' = invalid.error.code
assert.equal(known, 'validation_failed')
assert.equal(invalid.error.issues?.[0]?.pointer, '/name')

const deleted = await v1.v1EmployeesDelete(id)
assert.equal(deleted.data.id, id)
const counted = await v1.v1EmployeesCount()
assert.equal(typeof counted.data.count, 'number')

/** It throws a response that is a problem. */
async function settled<T, E>(call: Promise<HttpResponse<T, E>>): Promise<HttpResponse<T, E>> {
  try {
    return await call
  } catch (thrown) {
    assert(thrown instanceof Response)
    return thrown as HttpResponse<T, E>
  }
}
