import { itemPath } from '../../wire/path.ts'
import { compareWorlds } from './compare.ts'
import { partsOf } from './parameter-questions.ts'
import { plainly, type Question, type QuestionFacts, queryText } from './question.ts'
import { type ProofSession, removeTree, type Seeding, seedFor } from './session.ts'
import { askAll, type Transcript } from './transcript.ts'
import { pathOfCollection, pathOfItem, type Tree } from './tree.ts'

/**
 * Deletes whole collections of the asker, with and without items of the other, and compares the
 * responses. A collection at the top is deleted only if the proof may empty it.
 */
export async function findDeletions(
  session: ProofSession,
  facts: QuestionFacts,
  { seeding, absent }: { readonly seeding: Seeding; readonly absent: Tree },
): Promise<void> {
  const { findings } = session
  const round = async (own = facts.own): Promise<Transcript> => {
    const all = { ...facts, own, isReseeded: true }
    return askAll(session, all, deletionsOf(session, all))
  }
  const seeded = () => seedFor(session, seeding)
  const emptied = (own: Tree): Promise<Transcript> =>
    askEmptied(session, { ...facts, own, isReseeded: true })
  // The first round removes items of the asker that were there before.
  await round()
  await removeTree(session, facts.own)
  const second = await seeded()
  const within = await round(second)
  const withinEmptied = await emptied(second)
  await removeTree(session, second)
  await removeTree(session, facts.foreign)
  const third = await seeded()
  const gone = (foreign: Tree): Promise<Transcript> => {
    const all = { ...facts, own: third, foreign }
    return askAll(session, all, goneQuestions(session, all))
  }
  findings.push(
    ...compareWorlds({ without: await gone(absent), within: await gone(facts.foreign) }),
  )
  const without = await round(third)
  findings.push(...compareWorlds({ without: await emptied(third), within: withinEmptied }))
  await removeTree(session, third)
  findings.push(...compareWorlds({ without, within }))
}

// Own items come first in most orders. Without any, the first item would be one of the other's.
async function askEmptied(session: ProofSession, facts: QuestionFacts): Promise<Transcript> {
  const questions: (Question | undefined)[] = []
  const { focus } = session
  for (const collection of focus.ancestors.length === 0 ? [focus] : []) {
    const path = pathOfCollection(collection, [])
    const asked = { collection, path }
    const { json } = await session.send(session.asker, { method: 'GET', path })
    const isEmpty = Array.isArray(json) && json.length === 0
    const queries = ['', ...partsOf(asked, facts).map(queryText)]
    const reads = ['', '/count', '/last', ...queries.map((query) => `/first${query}`)]
    for (const read of reads)
      questions.push(isEmpty ? plainly(asked, { method: 'GET', path: path + read }) : undefined)
  }
  return askAll(session, facts, questions)
}

// An item that another caller deleted never was.
function goneQuestions({ focus }: ProofSession, { own, foreign }: QuestionFacts) {
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
  { own, foreign }: QuestionFacts,
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
