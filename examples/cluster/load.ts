import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Book, type Group, isUnknown } from './book.ts'
import { type Answer, ask, itemIn, itemsOf } from './client.ts'
import { absent } from './history.ts'

/** Writers and readers that go on until they are stopped. */
export interface Load {
  stop(): Promise<void>
}

const writers = 16
const readers = 4
const groups = 8
const groupSize = 5
/** As many items as a writer has at a time. */
const most = 20
/** Milliseconds that clients wait who were not answered. */
const patience = 100
/** How often a client repeats a create that gets no response. */
const mostTries = 600

/** Starts them. */
export async function startLoad(book: Book): Promise<Load> {
  for (let number = 0; number < groups; number++) book.groups.push(await makeGroup(book, number))
  let isOver = false
  const goOn = async (act: (turn: number) => Promise<void>) => {
    for (let turn = 0; !isOver; turn++) await act(turn)
  }
  const all = [
    ...Array.from({ length: writers }, (_, number) => goOn(new Writer(book, number).act)),
    ...Array.from({ length: readers }, () => goOn(() => readAny(book))),
  ]
  return {
    stop: async () => {
      isOver = true
      await Promise.all(all)
    },
  }
}

/** Reads an item, and notes a wrong response. */
export async function checkItem(book: Book, id: string, last?: Answer): Promise<void> {
  const answer = await ask('GET', `/v1/employees/${id}`)
  if (!book.noteRead(answer)) return
  if (last?.process !== answer.process) book.readsElsewhere++
  const value = answer.status === 404 ? absent : itemIn(answer.body).name
  const history = book.of(id)
  if (history.allows(value, answer.start)) return
  book.fault(`read ${id}: ${answer.status} "${value}", allowed: ${history.allowed}`)
}

/** Reads a group: all its items have one name, and no later write has replaced it. */
export async function checkGroup(book: Book, { company, ids, history }: Group): Promise<void> {
  const answer = await ask('GET', `/v1/companies/${company}/employees`)
  if (!book.noteRead(answer)) return
  const items = itemsOf(answer)
  const names = [...new Set(items.map(({ name }) => name))]
  if (items.length !== ids.length || names.length !== 1) {
    book.fault(`half a bulk: ${answer.status}, ${items.length} items named ${names.join(', ')}`)
  } else if (!history.allows(names[0] ?? '', answer.start)) {
    book.fault(`read group ${company}: ${names[0]}, allowed: ${history.allowed}`)
  }
}

async function makeGroup(book: Book, number: number): Promise<Group> {
  const name = `group ${number}`
  const made = await ask('POST', '/v1/companies', { name })
  const company = itemIn(made.body).id
  const ids: string[] = []
  for (let count = 0; count < groupSize; count++) {
    const { status, body } = await ask('POST', `/v1/companies/${company}/employees`, person(name))
    if (status !== 201) throw new Error(`The service does not take items: ${status}`)
    ids.push(itemIn(body).id)
  }
  const group = { company, ids, history: book.of(company) }
  group.history.begin(name, made.start)(performance.now())
  return group
}

async function readAny(book: Book): Promise<void> {
  const group = book.groups[Math.floor(Math.random() * book.groups.length)]
  if (group) await checkGroup(book, group)
  // Only the newest, as a node may be behind with these.
  const ids = [...book.histories.keys()].slice(-200)
  const id = ids[Math.floor(Math.random() * ids.length)]
  if (id !== undefined && !book.groups.some(({ company }) => company === id)) {
    await checkItem(book, id)
  }
  await pause(10)
}

/** A client that writes one item after another, and reads each right after it. */
class Writer {
  readonly #book: Book
  readonly #number: number
  readonly #own: string[] = []
  #made = 0

  constructor(book: Book, number: number) {
    this.#book = book
    this.#number = number
  }

  readonly act = async (turn: number): Promise<void> => {
    await this.#add()
    // At once, before any read: a DELETE must find it too.
    if (turn % 4 === 3) await this.#remove(this.#own.pop())
    await this.#replace()
    if (turn % 2 === 0) await this.#replaceGroup()
    if (this.#own.length > most || turn % 3 === 0) await this.#remove(this.#own.shift())
  }

  /** A unique name. */
  #newName(): string {
    return `w${this.#number}-${++this.#made}.`
  }

  async #add(): Promise<void> {
    const name = this.#newName()
    const key = randomUUID()
    const add = () => ask('POST', '/v1/employees', person(name), { key })
    let answer = await add()
    if (isUnknown(answer.status)) this.#book.repeated++
    for (let tries = 0; isUnknown(answer.status) && tries < mostTries; tries++) {
      this.#book.note('POST', answer)
      // The item may be stored or not: the key makes it safe to ask again.
      await pause(patience)
      answer = await add()
    }
    if (!this.#book.note('POST', answer)) return this.#book.fault(`${name} was never created`)
    if (answer.isReplay) this.#book.replays++
    const { id } = itemIn(answer.body)
    this.#book.of(id).begin(name, answer.start)(answer.end)
    this.#own.push(id)
    // Not always, so that the next request finds a node without earlier reads.
    if (this.#made % 3 === 0) await checkItem(this.#book, id, answer)
  }

  async #replace(): Promise<void> {
    const id = this.#own.at(-1)
    if (id === undefined) return
    const name = this.#newName()
    await this.#write('PUT', { id, value: name, body: person(name) })
  }

  async #remove(id: string | undefined): Promise<void> {
    if (id === undefined) return
    await this.#write('DELETE', { id, value: absent })
  }

  async #write(kind: 'PUT' | 'DELETE', { id, value, body }: Change): Promise<void> {
    const acknowledge = this.#book.of(id).begin(value)
    const answer = await ask(kind, `/v1/employees/${id}`, body)
    if (this.#book.note(kind, answer)) {
      acknowledge(answer.end)
      return checkItem(this.#book, id, answer)
    }
    // No writer touches it any more: the final comparison looks its state up.
    const at = this.#own.indexOf(id)
    if (at >= 0) this.#own.splice(at, 1)
    await pause(patience)
  }

  // Two or more writers share a group: they conflict, and neither may notice.
  async #replaceGroup(): Promise<void> {
    const group = this.#book.groups[this.#number % groups]
    if (group === undefined) return
    const name = this.#newName()
    const items = group.ids.map((id) => ({ id, ...person(name), company_id: group.company }))
    const acknowledge = group.history.begin(name)
    const answer = await ask('PUT', `/v1/companies/${group.company}/employees`, items)
    if (!this.#book.note('bulk PUT', answer)) return pause(patience)
    acknowledge(answer.end)
    await checkGroup(this.#book, group)
  }
}

interface Change {
  readonly id: string
  readonly value: string
  readonly body?: unknown
}

function person(name: string): { readonly name: string; readonly birthdate: string } {
  return { name, birthdate: '1990-01-31' }
}
