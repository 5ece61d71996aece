import { isRecord } from '../../convention/value.ts'
import { sortedTexts } from '../../sets/canonical.ts'
import { type FoundChange, factChanges, makeChange } from '../change.ts'
import type { SnapshotResource } from '../snapshot.ts'
import { kindsOfBody, type Places, placesOffering, type ResourcePair } from './context.ts'
import { requestBy, sampleBody } from './witness.ts'

type States = NonNullable<SnapshotResource['states']>

const { create: creating, update: changing } = kindsOfBody

/** Compares the states of a resource, and the moves between them. */
export function compareStates(pair: ResourcePair): readonly FoundChange[] {
  const [old, after] = [pair.old.states, pair.new.states]
  const places = placesOffering(pair, [...creating, ...changing])
  if (places === undefined) return []
  if (old === undefined || after === undefined || old.field !== after.field)
    return declarationChanges(places, [old, after])
  return [
    ...factChanges(places.at, [old.initial, after.initial], {
      set: [
        'initial-state-changed',
        `a new item begins in "${after.initial}", it was "${old.initial}"`,
        { witness: creation(places, after.field, old.initial) },
      ],
    }),
    ...moveChanges(places, old, after),
  ]
}

function declarationChanges(
  places: Places,
  [old, after]: readonly [States | undefined, States | undefined],
): readonly FoundChange[] {
  const { at } = places
  const dropped =
    old &&
    makeChange('states-dropped', at, {
      from: old.field,
      message: `"${old.field}" takes every state at any time`,
    })
  const set =
    after &&
    makeChange('states-set', at, {
      to: after.field,
      message: `"${after.field}" moves only from state to state`,
      witness: refusedOf(places, after),
    })
  return [dropped, set].filter((change) => change !== undefined)
}

// A new item in a later state, or else a move that no state allows.
function refusedOf(places: Places, { field, initial, moves }: States) {
  const later = Object.keys(moves).find((state) => state !== initial)
  const note = `a move of "${field}" that the contract lacks`
  return (
    (later === undefined ? undefined : creation(places, field, later)) ??
    requestBy([...changing, ...creating], places.first, { note })
  )
}

// A state that the contract does not know may move to each one that it knows.
function targetsOf({ moves }: States, state: string): readonly string[] {
  return Object.hasOwn(moves, state) ? (moves[state] ?? []) : Object.keys(moves)
}

function moveChanges({ at, first }: Places, old: States, after: States): readonly FoundChange[] {
  const states = sortedTexts([...Object.keys(old.moves), ...Object.keys(after.moves)])
  return states.flatMap((state) =>
    states
      .filter((target) => target !== state)
      .flatMap((target) => {
        const [was, is] = [old, after].map((side) => targetsOf(side, state).includes(target))
        if (was === is) return []
        const move = `from "${state}" to "${target}"`
        const note = `the item is "${state}"`
        const sample = sampleBody('update', first)
        const body = isRecord(sample) ? { body: { ...sample, [old.field]: target } } : {}
        return is
          ? makeChange('state-move-added', at, { to: move, message: `an item can move ${move}` })
          : makeChange('state-move-removed', at, {
              from: move,
              message: `an item can no longer move ${move}`,
              witness: requestBy(changing, first, { ...body, note }),
            })
      }),
  )
}

function creation({ first }: Places, field: string, state: string) {
  const sample = sampleBody('create', first)
  const parts = isRecord(sample)
    ? { body: { ...sample, [field]: state } }
    : { note: `a body with "${state}" as "${field}"` }
  return requestBy(creating, first, parts)
}
