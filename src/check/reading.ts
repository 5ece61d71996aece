import { itemPath } from '../wire/path.ts'
import { Breach, type Found, idsOf, TooLong } from './expect.ts'
import { nothing } from './rules/list.ts'
import type { Ask } from './sent.ts'
import { listAll } from './subject.ts'
import type { Watch } from './watch.ts'

/** Reads a list, or says why it cannot be read. */
export async function read(
  path: string,
  ask: Ask,
): Promise<{ items: readonly Found[]; fault: string | undefined }> {
  try {
    const { items } = await listAll(ask, path)
    return { items, fault: undefined }
  } catch (error) {
    if (!(error instanceof Breach || error instanceof TooLong)) throw error
    return { items: [], fault: `The list cannot be read: ${error.message}` }
  }
}

interface Described {
  readonly path: string
  readonly items: readonly Found[]
}

/**
 * Asks a collection what it says of itself on OPTIONS. A server that does something else then does it to what does not exist, then
 * to one item: the watch stops before the collection is reached.
 */
export async function describe(
  { path, items }: Described,
  { ask, watch }: { readonly ask: Ask; readonly watch: Watch },
): Promise<unknown> {
  await watch.over(path)
  for (const id of [nothing, ...idsOf(items.slice(0, 1))]) await ask('OPTIONS', itemPath(path, id))
  return (await ask('OPTIONS', path)).answer.json
}
