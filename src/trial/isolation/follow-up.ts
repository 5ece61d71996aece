import { parseLink } from '../../wire/link.ts'
import { itemPath } from '../../wire/path.ts'
import { type CallerRequest, type Exchange, isDone } from './exchange.ts'
import type { Question } from './question.ts'
import { exchangeAs, type ProofSession, removeItem } from './session.ts'
import { idIn, pathOfItem, type Tree, type TreeItem } from './tree.ts'

/** Tells a method that changes nothing. */
export function isSafe(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/** Follows the links of a list; the first page is the first of the result. */
export async function followPages(
  session: ProofSession,
  first: Exchange,
  most: number,
): Promise<readonly Exchange[]> {
  const pages = [first]
  for (let page = first; pages.length < most; ) {
    const { next } = parseLink(page.response.headers.link ?? '')
    if (next === undefined || !next.startsWith('/')) break
    page = await exchangeAs(session, first.caller, { method: 'GET', path: next })
    pages.push(page)
  }
  return pages
}

interface Following {
  readonly question: Question
  readonly fresh: TreeItem | undefined
  /** The items of the asker that were there before the request. */
  readonly own: Tree
}

/** The outcome of a request: more responses, and the ids of new items. */
interface Followed {
  readonly exchanges: readonly Exchange[]
  readonly made: readonly (string | number)[]
}

/** Reads what a write has stored, with its references, and removes new items. */
export async function followUp(
  session: ProofSession,
  exchange: Exchange,
  following: Following,
): Promise<Followed> {
  const { request, response } = exchange
  const { fresh, own } = following
  if (isSafe(request.method)) return { exchanges: await readOn(session, exchange), made: [] }
  if (!isDone(response)) {
    if (fresh === undefined) return { exchanges: [exchange], made: [] }
    // A refused write has stored nothing.
    const read = { method: 'GET', path: pathOfItem(fresh) }
    return { exchanges: [exchange, await exchangeAs(session, session.asker, read)], made: [] }
  }
  const [path = ''] = request.path.split('?')
  const entries: readonly unknown[] = [response.json].flat()
  // A dry run may name an owner that is there already.
  const known = new Set(own.items.map(pathOfItem))
  const isNew = (id: string | number): boolean => !known.has(itemPath(path, id))
  const ids = request.method === 'POST' ? entries.flatMap((entry) => idIn(entry) ?? []) : []
  const made = ids.filter(isNew)
  const madePaths = made.map((id) => itemPath(path, id))
  // A server that does not know dry runs has stored the item.
  for (const madePath of madePaths) session.created.set(madePath, session.asker)
  const paths = fresh === undefined ? madePaths : [...madePaths, pathOfItem(fresh)]
  const exchanges = [exchange]
  for (const read of readsAfter(request, paths, following))
    exchanges.push(await exchangeAs(session, session.asker, read))
  for (const one of madePaths) await removeItem(session, one)
  return { exchanges, made }
}

// Reads the written items with their references, and in a list where they name a foreign item.
function readsAfter(
  { path }: CallerRequest,
  paths: readonly string[],
  { question }: Following,
): readonly CallerRequest[] {
  if (path.includes('dry_run=true')) return []
  return question.collection.references.flatMap(({ include }) => {
    if (include === undefined) return []
    const items = paths.map((one) => `${one}?include=${include}`)
    const lists = question.isNaming
      ? paths.slice(0, 1).map((one) => `${one.slice(0, one.lastIndexOf('/'))}?include=${include}`)
      : []
    const reads = [
      ...items,
      ...lists.flatMap((one) => [`${one}&limit=100`, `${one}&limit=1&sort=-id`]),
    ]
    return reads.map((read) => ({ method: 'GET', path: read }))
  })
}

// Reads the next page, and asks with the tag of what was read.
async function readOn(session: ProofSession, exchange: Exchange): Promise<readonly Exchange[]> {
  const { request, response, caller } = exchange
  const { etag } = response.headers
  const isPlain = Object.keys(request.headers ?? {}).length === 0
  if (request.method !== 'GET' || !isPlain || !isDone(response)) return [exchange]
  const pages = await followPages(session, exchange, 2)
  if (etag === undefined || request.path.includes('?')) return pages
  const headers = { 'if-none-match': etag }
  return [...pages, await exchangeAs(session, caller, { ...request, headers })]
}
