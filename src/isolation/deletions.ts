import { compareWorlds } from './compare.ts'
import { type Interview, interview } from './interview.ts'
import { type Bearings, plainly, type Question } from './question.ts'
import { type ProofSession, plantFor, uproot } from './session.ts'
import { pathOfCollection } from './tree.ts'

type Planting = Omit<Parameters<typeof plantFor>[1], 'caller'>

/**
 * Deletes whole collections of the asker, with and without items of the other, and compares the
 * responses. A collection at the top is deleted only if the proof may empty it.
 */
export async function findDeletions(
  session: ProofSession,
  bearings: Bearings,
  planting: Planting,
): Promise<void> {
  const { findings, asker } = session
  const round = async (own = bearings.own): Promise<Interview> => {
    const all = { ...bearings, own }
    return interview(session, all, deletionsOf(session, all))
  }
  const planted = () => plantFor(session, { ...planting, caller: asker })
  // The first round removes items of the asker that were there before.
  await round()
  await uproot(session, bearings.own)
  const second = await planted()
  const within = await round(second)
  await uproot(session, second)
  await uproot(session, bearings.foreign)
  const third = await planted()
  const without = await round(third)
  await uproot(session, third)
  findings.push(...compareWorlds({ without, again: without, within }))
}

const preferences = ['max-affected=0', 'max-affected=1000', undefined]

// Children come before their parents.
function deletionsOf(
  { collections, isEmptied }: ProofSession,
  { own }: Bearings,
): readonly Question[] {
  return [...collections].reverse().flatMap((collection) => {
    const parents = own.parentsOf(collection)
    if (collection.isShared || parents === undefined) return []
    // The items below an own parent are own items.
    if (!isEmptied && parents.length === 0) return []
    const path = pathOfCollection(collection, parents)
    return preferences.map((prefer) =>
      plainly(
        { collection, path },
        { method: 'DELETE', path, ...(prefer === undefined ? {} : { headers: { prefer } }) },
      ),
    )
  })
}
