import { itemPath } from '../../wire/path.ts'
import { compareWorlds } from './compare.ts'
import { type Interview, interview } from './interview.ts'
import { partsOf } from './parameter-questions.ts'
import { type Bearings, plainly, type Question, queryText } from './question.ts'
import { type Planting, type ProofSession, plantFor, uproot } from './session.ts'
import { pathOfCollection, pathOfItem, type Tree } from './tree.ts'

/**
 * Deletes whole collections of the asker, with and without items of the other, and compares the
 * responses. A collection at the top is deleted only if the proof may empty it.
 */
export async function findDeletions(
  session: ProofSession,
  bearings: Bearings,
  { planting, absent }: { readonly planting: Planting; readonly absent: Tree },
): Promise<void> {
  const { findings } = session
  const round = async (own = bearings.own): Promise<Interview> => {
    const all = { ...bearings, own, isReplanted: true }
    return interview(session, all, deletionsOf(session, all))
  }
  const planted = () => plantFor(session, planting)
  const emptied = (own: Tree): Promise<Interview> =>
    askEmptied(session, { ...bearings, own, isReplanted: true })
  // The first round removes items of the asker that were there before.
  await round()
  await uproot(session, bearings.own)
  const second = await planted()
  const within = await round(second)
  const withinEmptied = await emptied(second)
  await uproot(session, second)
  await uproot(session, bearings.foreign)
  const third = await planted()
  const gone = (foreign: Tree): Promise<Interview> => {
    const all = { ...bearings, own: third, foreign }
    return interview(session, all, goneQuestions(session, all))
  }
  findings.push(
    ...compareWorlds({ without: await gone(absent), within: await gone(bearings.foreign) }),
  )
  const without = await round(third)
  findings.push(...compareWorlds({ without: await emptied(third), within: withinEmptied }))
  await uproot(session, third)
  findings.push(...compareWorlds({ without, within }))
}

// Own items come first in most orders. Without any, the first item would be one of the other's.
async function askEmptied(session: ProofSession, bearings: Bearings): Promise<Interview> {
  const questions: (Question | undefined)[] = []
  const { focus } = session
  for (const collection of focus.ancestors.length === 0 ? [focus] : []) {
    const path = pathOfCollection(collection, [])
    const asked = { collection, path }
    const { json } = await session.send(session.asker, { method: 'GET', path })
    const isEmpty = Array.isArray(json) && json.length === 0
    const queries = ['', ...partsOf(asked, bearings).map(queryText)]
    const reads = ['', '/count', '/last', ...queries.map((query) => `/first${query}`)]
    for (const read of reads)
      questions.push(isEmpty ? plainly(asked, { method: 'GET', path: path + read }) : undefined)
  }
  return interview(session, bearings, questions)
}

// An item that another caller deleted never was.
function goneQuestions({ focus }: ProofSession, { own, foreign }: Bearings) {
  return [focus].flatMap((collection): readonly Question[] => {
    const [item] = foreign.of(collection)
    const parents = own.parentsOf(collection)
    if (collection.isShared || item === undefined || parents === undefined) return []
    const beside = itemPath(pathOfCollection(collection, parents), item.id)
    const asked = { collection, path: beside }
    return [beside, pathOfItem(item)].flatMap((path) =>
      ['GET', 'DELETE', 'PATCH'].map((method) =>
        plainly(asked, { method, path, body: method === 'PATCH' ? {} : undefined }),
      ),
    )
  })
}

// Children come before their parents.
function deletionsOf(
  { collections, focus, isEmptied }: ProofSession,
  { own, foreign }: Bearings,
): readonly Question[] {
  // The items that reference those of the focus come after it.
  const dependents = collections.slice(collections.indexOf(focus))
  return [...dependents].reverse().flatMap((collection) => {
    const parents = own.parentsOf(collection)
    if (collection.isShared || parents === undefined) return []
    // The proof could not create the items again that were there before.
    if (own.draftOf(collection) === undefined) return []
    // The items below an own parent are own items.
    if (!isEmptied && parents.length === 0) return []
    const path = pathOfCollection(collection, parents)
    const asked = { collection, path }
    // The number of own items is enough, whatever others own.
    const most = [0, own.of(collection).length, 1000].map((most) => `max-affected=${most}`)
    const id = foreign.of(collection)[0]?.id ?? ''
    return [
      ...most.map((prefer) => plainly(asked, { method: 'DELETE', path, headers: { prefer } })),
      plainly(asked, { method: 'DELETE', path }),
      // A server that does not know the parameter may delete all: now nothing is left.
      plainly(asked, { method: 'DELETE', path: `${path}?id=${encodeURIComponent(id)}` }),
    ]
  })
}
