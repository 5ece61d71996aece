import { isRecord } from '../model/declared.ts'
import { itemPath } from '../wire/path.ts'
import { Unfit } from './expect.ts'
import type { Ledger } from './ledger.ts'
import { describe, read } from './reading.ts'
import type { Ask } from './sent.ts'
import { type Subject, textsIn } from './subject.ts'
import type { Watch } from './watch.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** What is allowed besides reading. */
export interface Writing {
  /** Drafts by the name of their collection. */
  readonly samples: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Everything in the collections may be deleted. */
  readonly isEmptied: boolean
}

type Surveyed = Omit<Subject, 'workshop'>

interface Means {
  readonly ledger: Ledger
  readonly watch: Watch
  readonly writing: Writing
}

/** Finds a place to write. */
export async function workshopFor(
  subject: Surveyed,
  { ledger, watch, writing }: Means,
): Promise<Workshop> {
  const sample = writing.samples[subject.name]
  const owner = subject.parent?.field
  const openAt = (path: string, isOwn: boolean): Workshop =>
    openWorkshop({
      ledger,
      path,
      isOwn,
      sample,
      items: subject.items,
      without: [...subject.readOnly, ...(owner === undefined ? [] : [owner])],
    })
  const place = await ownPlace(subject, { ledger, watch, writing, openAt })
  if (writing.isEmptied) ledger.own(subject.path)
  if (place?.isOwn) ledger.own(place.path)
  return openAt(place?.path ?? subject.path, place?.isOwn || writing.isEmptied)
}

interface Site extends Means {
  readonly openAt: (path: string, isOwn: boolean) => Workshop
}

// Who tells what it does with a collection has thought of what DELETE means there.
async function tellsOperations(path: string, ask: Ask): Promise<boolean> {
  const { json } = (await ask('OPTIONS', path)).answer
  return isRecord(json) && Array.isArray(json.operations)
}

// Below a parent that was made for this nothing can be anybody else's, if the server keeps parents apart at all: also when it
// deletes.
async function ownPlace(
  { ask, parent, name }: Surveyed,
  { ledger, watch, writing, openAt }: Site,
): Promise<{ path: string; isOwn: boolean } | undefined> {
  if (parent === undefined) return undefined
  const { path, rest } = parent
  const { items, fault } = await read(path, ask)
  if (fault !== undefined) return undefined
  const description = await describe({ path, items }, { ask, watch })
  const sample = writing.samples[name.slice(0, name.length - rest.length).replace(/\/[^/]+$/, '')]
  const without = textsIn(description, 'readOnly') ?? []
  const parents = openWorkshop({ ledger, path, isOwn: false, sample, items, without })
  try {
    const places = [await parents.make(), await parents.make()].map(
      ({ id }) => itemPath(path, id) + rest,
    )
    for (const place of places) {
      const { items: inside, fault } = await read(place, ask)
      if (fault !== undefined || inside.length > 0) return undefined
    }
    const [own = '', other = ''] = places
    if (!(await tellsOperations(own, ask))) return { path: own, isOwn: false }
    const { id } = await openAt(own, false).make()
    const { status } = (await ask('DELETE', itemPath(other, id))).answer
    return { path: own, isOwn: status >= 400 }
  } catch (error) {
    if (error instanceof Unfit) return undefined
    throw error
  }
}
