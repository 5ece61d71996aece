import { createClient, type DeprecationNotice, isProblem, retrying } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import type { api } from './contract.ts'

// node examples/companies/client.ts http://127.0.0.1:3000 asks what `npm start` serves; without an address, a service in this process.
const [, , address] = process.argv

const { v1 } = createClient<typeof api>(
  address === undefined
    ? await inProcess()
    : { baseUrl: address, fetch: retrying({ attempts: 3 }), onDeprecated: warn },
)

const company = await v1.companies.create({ name: 'Walk & Sons' })
const { employees, customers } = v1.companies(company.id)
console.log(`Created ${company.name}, ${company.id}`)

const names = ['Ida', 'Gita', 'Bo']
await employees.createMany(names.map((name) => ({ name, birthdate: '1991-04-09' })))
const sorted = await employees.list({ sort: ['-name'] })
console.log(`Employees: ${sorted.map(({ name }) => name).join(', ')}`)

const { items, total } = await employees.page({
  where: { name: { startsWith: 'b' }, birthdate: { lt: '2000-01-01' } },
  fields: ['name'],
  limit: 1,
})
console.log(`Found ${items.map(({ name }) => name).join(', ')}, ${total} in all`)
const known = await v1.employees.readMany(sorted.map(({ id }) => id))
console.log(`Read ${known.filter((employee) => employee !== undefined).length} by id`)

const ida = await employees.first({ q: 'ida' })
const renamed = await employees(ida.id).patch({ name: 'Ida Lund' })
console.log(`Renamed ${ida.name} to ${renamed.name}`)

const married = sorted.map(({ id, name }) => ({ id, name: `${name} Walk` }))
const [tried] = await employees.patchMany(married, { dry_run: true })
console.log(`Would rename ${tried?.name}`)
console.log(`Renamed ${(await employees.patchMany(married)).length} at once`)

for await (const { items, next } of employees.pages({ limit: 2, sort: ['name'] })) {
  console.log(`A page of ${items.length}, ${next === undefined ? 'the last' : 'more to come'}`)
}
for await (const { name, company } of employees.items({ limit: 2, include: ['company'] })) {
  console.log(`${name} works for ${company?.name}`)
}

try {
  await employees.deleteAll({ maxAffected: 2 })
} catch (error) {
  if (!isProblem(error)) throw error
  console.log(`Refused: ${error.code}, ${error.message}`)
}

console.log(`Customers: ${await customers.count()}`)
for (const { id, error } of await employees.deleteMany([ida.id, 'nobody'])) {
  console.log(`Deleted ${id}: ${isProblem(error) ? error.code : 'done'}`)
}
console.log(`Deleted ${await employees.deleteAll()} employees`)
console.log(`Deleted ${(await v1.companies(company.id).delete()).name}`)

async function inProcess() {
  const { registry } = await import('./registry.ts')
  return { baseUrl: 'http://companies.example', fetch: toFetchHandler(registry) }
}

function warn({ version, sunset, successor }: DeprecationNotice): void {
  console.warn(`${version} ends on ${sunset?.toDateString()}: use ${successor}`)
}
