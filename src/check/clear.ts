import { reservedWords } from '../model/convention.ts'
import { isSame } from '../model/operation.ts'
import { maxClearing } from './bounds.ts'
import type { Ask } from './sent.ts'

// Who has been silent so often is not waited for again.
const maxSilences = 3

/** What is known of items that were made. */
interface Making {
  /** Items by their path, as they were answered when they were made. */
  readonly made: Map<string, unknown>
  /** The paths of those that a rule has deleted. */
  readonly gone: Set<string>
  /** What may have been made, and cannot be told from what others have. */
  readonly lost: Set<string>
}

/** Removes what was made, the last first, in two minutes at most. Gives what could not be removed, or was no longer found. */
export async function clearBooks(
  { made, gone, lost }: Making,
  insist: Ask,
): Promise<readonly string[]> {
  const left = [...lost]
  const since = performance.now()
  let silences = 0
  for (const [path, item] of [...made].reverse()) {
    const leaving = () => (gone.has(path) ? isThere(path, insist) : isKept({ path, item }, insist))
    const isRemoved =
      silences < maxSilences &&
      performance.now() - since < maxClearing &&
      !(await leaving().catch(() => {
        silences++
        return true
      }))
    if (!isRemoved) left.push(path)
  }
  for (const book of [made, gone, lost]) book.clear()
  return left
}

interface Item {
  readonly path: string
  /** As it was answered when it was made. */
  readonly item: unknown
}

// Who says that something is deleted may have done nothing; what is there meanwhile may be somebody's.
async function isThere(path: string, ask: Ask): Promise<boolean> {
  const { status } = (await ask('GET', path)).answer
  return status >= 200 && status < 300
}

async function isKept({ path, item }: Item, ask: Ask): Promise<boolean> {
  if (await isAnother({ path, item }, ask)) return true
  const { status } = (await ask('DELETE', path)).answer
  return status < 200 || status > 299 || (await isThere(path, ask))
}

// What answers to "first" may not be what was made under that name, but the first item.
async function isAnother({ path, item }: Item, ask: Ask): Promise<boolean> {
  const word = reservedWords.find((reserved) => path.endsWith(`/${reserved}`))
  if (word === undefined) return false
  const { json } = (await ask('GET', path)).answer
  return Reflect.get(Object(json), 'id') !== word || !isSame(json, item)
}
