import { createHash } from 'node:crypto'
import type { Book } from './book.ts'
import { ask, type Item, itemsOf } from './client.ts'
import { askNode, type Node } from './cluster.ts'
import { absent } from './history.ts'
import { database, type Number3, ports } from './places.ts'

/** The findings at the end. */
export interface Findings {
  /** Acknowledged items that were looked for, deleted ones among them. */
  readonly items: number
}

/** Compares what every process and every node has with what the book says. */
export async function verify(
  book: Book,
  processes: readonly Number3[],
  nodes: readonly Node[],
): Promise<Findings> {
  for (const number of processes) {
    const answer = await ask('GET', '/v1/employees', undefined, { port: ports.process(number) })
    if (answer.status !== 200) book.fault(`process ${number} answers ${answer.status} in the end`)
    compare(book, `process ${number}`, itemsOf(answer))
  }
  const digests = new Set<string>()
  for (const { number } of nodes) {
    digests.add(await digest(number))
    const rows = await askNode(number, `select id, name from ${database}.employees`)
    const items = rows.map(([id, name]) => ({ id: String(id), name: String(name) }))
    compare(book, `node ${number}`, items)
  }
  if (digests.size !== 1) book.fault('the nodes do not agree with one another')
  return { items: book.histories.size }
}

function compare(book: Book, where: string, items: readonly Item[]): void {
  const now = performance.now()
  const found = new Map(items.map(({ id, name }) => [id, name]))
  const inGroups = new Set(book.groups.flatMap(({ ids, company }) => [...ids, company]))
  for (const [id, history] of book.histories) {
    const value = found.get(id) ?? absent
    if (inGroups.has(id) || history.allows(value, now)) continue
    book.fault(`${where} has ${id} as "${value}", allowed: ${history.allowed}`)
  }
  for (const { company, ids, history } of book.groups) {
    const names = [...new Set(ids.map((id) => found.get(id) ?? absent))]
    if (names.length === 1 && history.allows(names[0] ?? '', now)) continue
    book.fault(`${where} has group ${company} as ${names.join(' and ')}`)
  }
  const strangers = items.filter(
    ({ id }) => !book.histories.has(id) && !inGroups.has(id) && !/^\d{3}$/.test(id),
  )
  for (const { id, name } of strangers) book.fault(`${where} has ${id} "${name}", sent by nobody`)
  // Two creates of one request would be two items with one name.
  const names = new Set(items.map(({ name }) => name))
  const alone = items.filter(({ id }) => !inGroups.has(id))
  if (names.size === 0 || new Set(alone.map(({ name }) => name)).size !== alone.length) {
    book.fault(`${where} has a new item twice`)
  }
}

async function digest(number: Number3): Promise<string> {
  const hash = createHash('sha256')
  for (const table of ['companies', 'employees', 'customers', 'setup']) {
    const rows = await askNode(number, `select * from ${database}.${table} order by id`)
    hash.update(JSON.stringify(rows))
  }
  return hash.digest('hex')
}
