import { isRecord } from '../model/declared.ts'
import { itemPath } from '../wire/path.ts'
import {
  Breach,
  expectStatus,
  type Found,
  faultOf,
  idIn,
  isFound,
  told,
  Unfit,
  unfit,
} from './expect.ts'
import type { Ledger } from './ledger.ts'
import type { Exchange } from './sent.ts'

/** What writing rules work with: items of their own. */
export interface Workshop {
  /** The collection that is written to. */
  readonly path: string
  /** Everything in that collection is the check's own: made by it, below a parent made by it, or given up with `--empty`. */
  readonly isOwn: boolean
  /** The body of a new item. Rejects as `make`, but once with a `Breach` where what is made has an id that is never one. */
  readonly draft: () => Promise<Draft>
  /** Makes an item. Rejects with an `Unfit` where none can be made. */
  readonly make: () => Promise<Found>
}

/** What drafts are made from. */
export interface Material {
  readonly ledger: Ledger
  readonly path: string
  readonly isOwn: boolean
  /** Drafts as they were given with `--sample`; else `items` are copied. */
  readonly sample: Draft | undefined
  readonly items: readonly Found[]
  /** Fields that are not sent: the server's own, and the one that owns. */
  readonly without: readonly string[]
}

/** The body of a new item. */
type Draft = Readonly<Record<string, unknown>>

const maxAttempts = 8

/** Opens a workshop. The first item it makes finds out what a draft must look like. */
export function openWorkshop({ ledger, path, isOwn, ...material }: Material): Workshop {
  const pattern = patternOf(material)
  let isTried = false
  let refusal: Unfit | undefined
  const attempt = async (): Promise<Found> => {
    for (let attempts = 1; ; attempts++) {
      const exchange = await ledger.ask('POST', path, { body: pattern.fill() })
      const { status, json } = exchange.answer
      if (status === 405) unfit('Items cannot be created here.')
      isTried = status >= 200 && status < 300
      if (isTried) {
        refusal = refusalOf(exchange, ledger)
        if (refusal === undefined && isFound(json)) return json
        throw refusal
      }
      if (attempts === maxAttempts || !pattern.mend(json))
        unfit(
          `No item could be made: POST ${path} was answered ${told(exchange)}. Give a draft with --sample.`,
        )
    }
  }
  const make = async (): Promise<Found> => {
    if (refusal) throw refusal
    return attempt()
  }
  const draft = async (): Promise<Draft> => {
    // What was made may not tell its id, which is another rule's.
    if (!isTried || refusal)
      await make().catch((error) => {
        if (isTried && !refusal) return
        const reason = refusal?.cause ?? error
        // A breach is told once.
        refusal &&= new Unfit(refusal.message)
        throw reason
      })
    return pattern.fill()
  }
  return { path, isOwn, draft, make }
}

// Gives why nothing more is made: the check cannot remove an item that no path can name.
function refusalOf({ sent, answer: { json } }: Exchange, ledger: Ledger): Unfit | undefined {
  if (idIn(json) === undefined) unfit('What is made does not tell its id.')
  if (!isFound(json)) {
    const message = `What is made ${faultOf(json)}.`
    return new Unfit(message, { cause: new Breach(sent, message) })
  }
  if (ledger.isMade(itemPath(sent.path, json.id))) return undefined
  return new Unfit(`POST ${sent.path} gave back ${json.id}, which may have been there before.`)
}

interface Pattern {
  /** A draft that is like no other. */
  readonly fill: () => Draft
  /** Takes back what was refused, if there is anything to take back. */
  readonly mend: (problem: unknown) => boolean
}

function patternOf({
  sample,
  items,
  without,
}: Pick<Material, 'sample' | 'items' | 'without'>): Pattern {
  const [item] = items
  const left = new Set(['id', ...without])
  // Copied as they are, since they are refused otherwise.
  const plain = new Set<string>()
  let number = 0
  const fill = (): Draft => {
    number++
    const mark = `${Date.now().toString(36)}${number}`
    if (sample !== undefined) return marked(sample, mark)
    if (item === undefined) unfit('There is no item to copy: give one with --sample.')
    const fields = Object.entries(item).filter(([field]) => !left.has(field))
    return Object.fromEntries(
      fields.map(([field, value]) => [field, plain.has(field) ? value : variant(value, mark)]),
    )
  }
  const mend = (problem: unknown): boolean => {
    if (sample !== undefined || item === undefined) return false
    const told = faultyFields(problem).filter((field) => !left.has(field))
    const fields = told.length > 0 ? told : Object.keys(item).filter((field) => !plain.has(field))
    for (const field of fields) (plain.has(field) ? left : plain).add(field)
    return fields.length > 0
  }
  return { fill, mend }
}

// A sample may say "{n}" where no two items may have the same.
function marked(sample: Draft, mark: string): Draft {
  return JSON.parse(JSON.stringify(sample).replaceAll('{n}', mark))
}

// Texts differ from item to item, so that what is made is never taken for what is there.
function variant(value: unknown, mark: string): unknown {
  if (typeof value !== 'string' || /^\d{4}-\d\d/.test(value)) return value
  return value.includes('@') ? `${mark}.${value}` : `${value} ${mark}`
}

// The fields that a problem complains of.
function faultyFields(json: unknown): readonly string[] {
  const issues = isRecord(json) && Array.isArray(json.issues) ? json.issues : []
  return issues.flatMap((issue: unknown) => {
    const pointer = isRecord(issue) && typeof issue.pointer === 'string' ? issue.pointer : ''
    return /^\/[^/]+$/.test(pointer) ? [pointer.slice(1)] : []
  })
}

/**
 * Makes sure that an operation is offered at all.
 *
 * @throws {Unfit} For 405: a server may go without.
 */
export function expectOffered(exchange: Exchange, ...statuses: readonly number[]): void {
  const { sent, answer } = exchange
  if (answer.status === 405) unfit(`${sent.method} is not offered on ${sent.path}.`)
  expectStatus(exchange, ...statuses)
}
