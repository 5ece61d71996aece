import { type Ask, fieldOf, type Reply } from './service.ts'

/**
 * The state of an item: its last acknowledged name, and the names sent since without a response.
 */
interface Fate {
  /** `undefined` for a deleted item. */
  settled: string | undefined
  readonly open: Set<string | undefined>
}

/** The knowledge of the writers, over all rounds. */
export interface Ledger {
  acknowledged: number
  /** How often each status came; 0 for no answer. */
  readonly statuses: Map<number, number>
  /** Answers that were none of 2xx, 0 and 503. */
  readonly strange: Reply[]
  /** Why no answer came, how often. */
  readonly silences: Map<unknown, number>
  readonly fates: Map<string, Fate>
  /** The ids of each bulk. */
  readonly bulks: Map<number, readonly string[]>
}

const writers = 32
const bulkSize = 20

/** A ledger without entries. */
export function newLedger(): Ledger {
  return {
    acknowledged: 0,
    statuses: new Map(),
    strange: [],
    silences: new Map(),
    fates: new Map(),
    bulks: new Map(),
  }
}

let marks = 0
const mark = (): string => `w${++marks}`
const employee = (name: string) => ({ name, birthdate: '1990-01-01' })

/** Writes until stopped: each writer to items of its own, one request after another. */
export async function writeUntil(ask: Ask, ledger: Ledger, isOver: () => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      while (!isOver()) await writeSome(ask, ledger, writer)
    }),
  )
}

async function writeSome(ask: Ask, ledger: Ledger, writer: number): Promise<void> {
  const created = await post(ask, ledger)
  if (created === undefined) return rest()
  await put(ask, ledger, created)
  await putBulk(ask, ledger, writer)
  if (writer % 2 === 0) await remove(ask, ledger, created)
}

// A refused writer waits a little.
function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10))
}

/** Makes the items that each writer replaces in bulk. */
export async function prepare(ask: Ask, ledger: Ledger): Promise<void> {
  for (let writer = 0; writer < writers; writer++) {
    const ids = await Promise.all(Array.from({ length: bulkSize }, () => post(ask, ledger)))
    ledger.bulks.set(
      writer,
      ids.filter((id) => id !== undefined),
    )
    await putBulk(ask, ledger, writer)
  }
}

async function post(ask: Ask, ledger: Ledger): Promise<string | undefined> {
  const name = mark()
  const reply = note(ledger, await ask('POST', '/v1/employees', { body: employee(name) }))
  if (reply.status !== 201) return undefined
  const id = String(fieldOf(reply.body, 'id'))
  ledger.fates.set(id, { settled: name, open: new Set() })
  return id
}

async function put(ask: Ask, ledger: Ledger, id: string): Promise<void> {
  const name = mark()
  await settle(ledger, [id], name, () =>
    ask('PUT', `/v1/employees/${id}`, { body: employee(name) }),
  )
}

async function putBulk(ask: Ask, ledger: Ledger, writer: number): Promise<void> {
  const ids = ledger.bulks.get(writer) ?? []
  const name = mark()
  const body = ids.map((id) => ({ id, ...employee(name) }))
  await settle(ledger, ids, name, () => ask('PUT', '/v1/employees', { body }))
}

async function remove(ask: Ask, ledger: Ledger, id: string): Promise<void> {
  await settle(ledger, [id], undefined, () => ask('DELETE', `/v1/employees/${id}`))
}

async function settle(
  ledger: Ledger,
  ids: readonly string[],
  name: string | undefined,
  send: () => Promise<Reply>,
): Promise<void> {
  const fates = ids.flatMap((id) => ledger.fates.get(id) ?? [])
  for (const { open } of fates) open.add(name)
  const { status } = note(ledger, await send())
  if (status !== 200) return
  for (const fate of fates) {
    fate.settled = name
    fate.open.clear()
  }
}

function note(ledger: Ledger, reply: Reply): Reply {
  const { status } = reply
  ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1)
  if (status === 200 || status === 201) ledger.acknowledged++
  else if (status === 503 && reply.headers['retry-after'] !== undefined) return reply
  else if (status !== 0) ledger.strange.push(reply)
  else ledger.silences.set(reply.body, (ledger.silences.get(reply.body) ?? 0) + 1)
  return reply
}

/** Compares the stored items with the acknowledged ones, in words. Takes them for settled. */
export async function audit(ask: Ask, ledger: Ledger): Promise<readonly string[]> {
  const { status, body } = await ask('GET', '/v1/employees')
  if (status !== 200 || !Array.isArray(body)) return [`The list came with ${status}.`]
  const stored = new Map(
    body.map((item) => [String(fieldOf(item, 'id')), String(fieldOf(item, 'name'))]),
  )
  const faults = [...ledger.fates].flatMap(([id, fate]) => {
    const name = stored.get(id)
    const isRight = name === fate.settled || fate.open.has(name)
    const fault = `${id} is ${name}, was acknowledged as ${fate.settled}; open ${[...fate.open]}`
    fate.settled = name
    fate.open.clear()
    return isRight ? [] : [fault]
  })
  const halves = [...ledger.bulks.values()].flatMap((ids) => {
    const names = new Set(ids.map((id) => stored.get(id)))
    return names.size > 1 ? [`A bulk is half done: ${[...names]}`] : []
  })
  return [...faults, ...halves]
}
