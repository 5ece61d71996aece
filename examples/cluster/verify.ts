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
  /** Unacknowledged writes that turned out to be stored. */
  readonly stored: number
}

/** Compares what every process and every node has with what the book says. */
export async function verify(
  book: Book,
  processes: readonly Number3[],
  nodes: readonly Node[],
): Promise<Findings> {
  for (const number of processes) {
    const answer = await ask('GET', '/v1/employees', undefined, ports.process(number))
    if (answer.status !== 200) book.fault(`process ${number} answers ${answer.status} in the end`)
    compare(book, `process ${number}`, itemsOf(answer))
  }
  const digests = new Set<string>()
  let stored = 0
  for (const { number } of nodes) {
    digests.add(await digest(number))
    const rows = await askNode(number, `select id, name from ${database}.employees`)
    const items = rows.map(([id, name]) => ({ id: String(id), name: String(name) }))
    compare(book, `node ${number}`, items)
    stored = items.filter(({ name }) => book.doubtful.includes(name)).length
  }
  if (digests.size !== 1) book.fault('the nodes do not agree with one another')
  return { items: book.histories.size, stored }
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
    ({ id, name }) =>
      !book.histories.has(id) &&
      !inGroups.has(id) &&
      !book.doubtful.includes(name) &&
      !/^\d{3}$/.test(id),
  )
  for (const { id, name } of strangers) book.fault(`${where} has ${id} "${name}", sent by nobody`)
  const names = new Set(items.map(({ name }) => name))
  const doubtful = items.filter(({ name }) => book.doubtful.includes(name)).map(({ name }) => name)
  if (new Set(doubtful).size !== doubtful.length || names.size === 0) {
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
