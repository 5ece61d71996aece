/**
 * The data of all contenders, which takes next to no time: only their conventions differ.
 *
 * Orders are sorted once, as an index is. A created item is answered and not kept, so that the next
 * request finds the same data.
 */

const departments = ['Sales', 'Research', 'Support', 'Finance', 'Legal']
const names = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gita', 'Hugo', 'Ines', 'Jon']
const surnames = ['Adler', 'Brook', 'Castle', 'Dale', 'Ember', 'Field', 'Grove']

/** @type {ReadonlyMap<string, { id: string, name: string }>} */
export const companies = new Map(
  Array.from({ length: 10 }, (_, place) => [
    `${place}`,
    { id: `${place}`, name: `Company ${place}` },
  ]),
)

/** @type {ReadonlyMap<string, Employee>} */
export const employees = new Map(
  Array.from({ length: 1000 }, (_, place) => [`${place}`, employeeAt(place)]),
)

/** @typedef {ReturnType<typeof employeeAt>} Employee */

function employeeAt(place) {
  const first = names[(place * 7) % names.length]
  const name = `${first} ${surnames[(place * 3) % surnames.length]} ${place}`
  return {
    id: `${place}`,
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}@example.com`,
    birthdate: `19${60 + (place % 40)}-0${1 + (place % 9)}-1${place % 10}`,
    department: departments[place % departments.length],
    company_id: `${place % companies.size}`,
    created_at: '2026-01-01T09:00:00.000Z',
  }
}

const sortable = ['id', 'name', 'birthdate', 'created_at']
const orders = {
  asc: new Map(sortable.map((field) => [field, sorted(field, 1)])),
  desc: new Map(sortable.map((field) => [field, sorted(field, -1)])),
}

function sorted(field, sign) {
  return [...employees.values()].sort(
    (one, other) => sign * compare(one[field], other[field]) || compare(one.id, other.id),
  )
}

function compare(one, other) {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Reads `-name` as `{ field: 'name', direction: 'desc' }`; `undefined` for an unknown order. */
export function parseSort(text) {
  const isDescending = text.charCodeAt(0) === 0x2d
  const field = isDescending ? text.slice(1) : text
  return orders.asc.has(field) ? { field, direction: isDescending ? 'desc' : 'asc' } : undefined
}

/** Reads a number of items from 1 to 1,000; `undefined` where it is none. */
export function parseLimit(text) {
  const limit = Number(text)
  return Number.isInteger(limit) && limit > 0 && limit <= 1000 ? limit : undefined
}

/** The order without a `sort`. */
export const byId = { field: 'id', direction: 'asc' }

/** The first employees in an order. */
export function list({ field, direction }, limit) {
  const order = orders[direction].get(field)
  return limit === undefined ? order : order.slice(0, limit)
}

/** One employee, within a company where one is given. */
export function find(id, company) {
  const employee = employees.get(id)
  return employee === undefined || company === undefined || employee.company_id === company
    ? employee
    : undefined
}

export function count() {
  return employees.size
}

/** A new employee, as it would be stored. */
export function add(employee) {
  return stored(`${employees.size}`, employee)
}

/** Employees that replace those of the same ids, as they would be stored. */
export function replaceAll(replacements) {
  return replacements.map((employee) => stored(employee.id, employee))
}

function stored(id, { name, email, birthdate, department, company_id }) {
  return {
    id,
    name,
    email,
    birthdate,
    department,
    company_id,
    created_at: '2026-11-01T09:00:00.000Z',
  }
}
