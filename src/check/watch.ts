import { isRecord } from '../model/declared.ts'
import { fieldOf, isSame } from '../model/operation.ts'
import { quote } from '../model/problem.ts'
import { idIn } from './expect.ts'
import { type Ask, changing, type Exchange, type Sent, sentOf } from './sent.ts'

/** A request that must change nothing changed something: nothing more may be sent. */
export class Harm extends Error {
  readonly sent: Sent

  constructor(sent: Sent, message: string) {
    super(message)
    this.sent = sent
  }
}

/** Looks whether requests that must change nothing do so. */
export interface Watch {
  /** Sends a request. Looks after every one but plain GETs and those that may change something. Rejects with a {@link Harm}. */
  readonly ask: Ask
  /** Says which collection to look at. */
  readonly over: (path: string) => Promise<void>
  /** Looks what the GETs since the last look have done. Rejects with a {@link Harm}. */
  readonly look: () => Promise<void>
}

/** Opens a watch. */
export function openWatch(ask: Ask): Watch {
  let place: string | undefined
  let before: View | undefined
  let suspects: Sent[] = []
  const look = async (): Promise<void> => {
    const [sent] = suspects
    if (place === undefined || before === undefined || sent === undefined) return
    const told = suspects.map(({ method, path }) => `${method} ${path}`)
    suspects = []
    const harm = harmIn(before, await ask('GET', place))
    if (harm !== undefined)
      throw new Harm(sent, `${harm} ${place} after ${told.join(', ')}. The check stops here.`)
  }
  const watched: Ask = async (method, path, extras = {}) => {
    const isOdd = !changing.has(method) && (method !== 'GET' || extras.body !== undefined)
    if (changing.has(method)) before = undefined
    if (isOdd && place !== undefined && before === undefined) before = await viewOf(place, ask)
    if (isOdd) await look()
    if (before !== undefined) suspects.push(sentOf(method, path, extras))
    try {
      return await ask(method, path, extras)
    } finally {
      // Also when no answer comes: something may have been done.
      if (isOdd) await look()
    }
  }
  const over = async (path: string): Promise<void> => {
    if (path !== place) before = undefined
    place = path
    suspects = []
    before ??= await viewOf(path, ask)
  }
  return { ask: watched, over, look }
}

/** The state of a collection. */
interface View {
  readonly items: ReadonlyMap<string, unknown>
  /** Fields that change by themselves. */
  readonly drifting: ReadonlySet<string>
  /** No item comes or goes by itself. */
  readonly isSteady: boolean
}

// Reads the list twice, to tell what changes by itself; `undefined` where the list cannot be read.
async function viewOf(path: string, ask: Ask): Promise<View | undefined> {
  const [one, other] = [itemsIn(await ask('GET', path)), itemsIn(await ask('GET', path))]
  if (one === undefined || other === undefined) return undefined
  const items = new Map([...one].filter(([key]) => other.has(key)))
  const drifting = new Set<string>()
  for (const [key, item] of items)
    for (const field of changedIn(item, other.get(key))) drifting.add(field)
  return { items, drifting, isSteady: items.size === one.size && items.size === other.size }
}

// By id; an item without one by its index.
function itemsIn({ answer }: Exchange): ReadonlyMap<string, unknown> | undefined {
  if (answer.status !== 200 || !Array.isArray(answer.json)) return undefined
  return new Map(answer.json.map((item: unknown, at) => [idIn(item) ?? `#${at}`, item]))
}

function changedIn(one: unknown, other: unknown): readonly string[] {
  if (!isRecord(one) || !isRecord(other)) return []
  const fields = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...fields].filter((field) => !isSame(fieldOf(one, field), fieldOf(other, field)))
}

// Gives the first change, as the beginning of a sentence.
function harmIn({ items, drifting, isSteady }: View, exchange: Exchange): string | undefined {
  const now = itemsIn(exchange)
  if (now === undefined) return `The list cannot be read (${exchange.answer.status}) at`
  for (const [key, item] of items) {
    if (!now.has(key)) return `The item ${quote(key)} is gone from`
    const changed = changedIn(item, now.get(key)).find((field) => !drifting.has(field))
    if (changed !== undefined)
      return `The field ${quote(changed)} of the item ${quote(key)} has changed in`
  }
  const added = [...now.keys()].find((key) => !items.has(key))
  return isSteady && added !== undefined ? `The item ${quote(added)} has been added to` : undefined
}
