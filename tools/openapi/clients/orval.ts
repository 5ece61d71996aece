// The client of orval for the document. Run by clients.mjs.
import assert from 'node:assert/strict'
import {
  v1EmployeesCount,
  v1EmployeesCreate,
  v1EmployeesDelete,
  v1EmployeesList,
  v1EmployeesPatch,
  v1EmployeesPatchMany,
  v1EmployeesRead,
  v1EmployeesUpdate,
} from '../.generated/orval/api.ts'

const listed = await v1EmployeesList({ sort: ['name', '-birthdate'], limit: 3 })
assert(listed.status === 200)
const names = listed.data.map(({ name }) => name)
assert.equal(names.length, 3)
assert.deepEqual(names, names.toSorted())
// @ts-expect-error: employees have no such field to sort by.
v1EmployeesList.bind(null, { sort: ['email'] })

const joined = await v1EmployeesList({ sort: ['id'], limit: 1, include: ['company'] })
assert(joined.status === 200)
assert.equal(joined.data[0]?.company?.name, 'Acme Instruments')

const created = await v1EmployeesCreate({ name: 'Gita Rao', birthdate: '1991-04-09' })
assert(created.status === 201)
const { id } = created.data
const read = await v1EmployeesRead(id)
assert(read.status === 200)
assert.deepEqual(read.data, created.data)

const body = { ...created.data, name: 'Gita Rao-Lee' }
const updated = await v1EmployeesUpdate(id, body, {}, { headers: { 'If-Match': '*' } })
assert(updated.status === 200)
assert.equal(updated.data.name, 'Gita Rao-Lee')
const stale = await v1EmployeesUpdate(id, body, {}, { headers: { 'If-Match': '"3"' } })
assert(stale.status === 409)
assert(stale.data.code === 'precondition_failed')

const changed = await v1EmployeesPatch(id, { email: 'gita@x.example' })
assert(changed.status === 200)
assert.equal(changed.data.email, 'gita@x.example')
const cleared = await v1EmployeesPatchMany([{ id, email: null }], { dry_run: true })
assert(cleared.status === 200)
assert.deepEqual(cleared.data, [updated.data])
// @ts-expect-error: nothing removes a name.
v1EmployeesPatch.bind(null, id, { name: null })

const missing = await v1EmployeesRead('nobody')
assert(missing.status === 404)
const code: 'not_found' = missing.data.code
assert.equal(code, 'not_found')
assert.equal(missing.data.status.toFixed(), '404')

// @ts-expect-error: a name is text.
const invalid = await v1EmployeesCreate({ name: 7, birthdate: '1991-04-09' })
assert(invalid.status === 422)
const known: 'validation_failed' | 'reserved_id' | 'idempotency_mismatch' = invalid.data.code
assert.equal(known, 'validation_failed')
assert.equal(invalid.data.issues?.[0]?.pointer, '/name')

const deleted = await v1EmployeesDelete(id)
assert(deleted.status === 200)
assert.equal(deleted.data.id, id)
const counted = await v1EmployeesCount()
assert(counted.status === 200)
assert.equal(typeof counted.data.count, 'number')
