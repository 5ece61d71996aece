// The client of @hey-api/openapi-ts for the document. Run by clients.mjs.
import assert from 'node:assert/strict'
import { client } from '../.generated/hey-api/client.gen.ts'
import {
  type Employee,
  v1EmployeesCount,
  v1EmployeesCreate,
  v1EmployeesDelete,
  v1EmployeesList,
  v1EmployeesPatch,
  v1EmployeesPatchMany,
  v1EmployeesRead,
  v1EmployeesUpdate,
} from '../.generated/hey-api/index.ts'

client.setConfig({ baseUrl: String(process.argv[2]) })

const listed = await v1EmployeesList({ query: { sort: ['name', '-birthdate'], limit: 3 } })
const names = listed.data?.map(({ name }) => name)
assert(names?.length === 3)
assert.deepEqual(names, names.toSorted())
// @ts-expect-error: employees have no such field to sort by.
v1EmployeesList.bind(null, { query: { sort: ['email'] } })

const joined = await v1EmployeesList({ query: { sort: ['id'], limit: 1, include: ['company'] } })
assert.equal(joined.data?.[0]?.company?.name, 'Acme Instruments')

const created = await v1EmployeesCreate({ body: { name: 'Gita Rao', birthdate: '1991-04-09' } })
assert.equal(created.response?.status, 201)
assert(created.data)
const made: Employee = created.data
const path = { id: made.id }
const read = await v1EmployeesRead({ path })
assert.deepEqual(read.data, created.data)

const body = { ...created.data, name: 'Gita Rao-Lee' }
const updated = await v1EmployeesUpdate({ path, body, headers: { 'If-Match': '*' } })
assert.equal(updated.data?.name, 'Gita Rao-Lee')
const stale = await v1EmployeesUpdate({ path, body, headers: { 'If-Match': '"3"' } })
assert(stale.error?.status === 409)
assert(stale.error.code === 'precondition_failed')

const changed = await v1EmployeesPatch({ path, body: { email: 'gita@x.example' } })
assert.equal(changed.data?.email, 'gita@x.example')
const cleared = await v1EmployeesPatchMany({
  query: { dry_run: true },
  body: [{ id: path.id, email: null }],
})
assert.deepEqual(cleared.data, [updated.data])
// @ts-expect-error: nothing removes a name.
v1EmployeesPatch.bind(null, { path, body: { name: null } })

const missing = await v1EmployeesRead({ path: { id: 'nobody' } })
assert(missing.error?.status === 404)
const code: 'not_found' = missing.error.code
assert.equal(code, 'not_found')

// @ts-expect-error: a name is text.
const invalid = await v1EmployeesCreate({ body: { name: 7, birthdate: '1991-04-09' } })
assert(invalid.error?.status === 422)
const known: 'validation_failed' | 'reserved_id' | 'idempotency_mismatch' = invalid.error.code
assert.equal(known, 'validation_failed')
assert.equal(invalid.error.issues?.[0]?.pointer, '/name')

const deleted = await v1EmployeesDelete({ path })
assert.equal(deleted.data?.id, path.id)
const counted = await v1EmployeesCount()
assert.equal(typeof counted.data?.count, 'number')
