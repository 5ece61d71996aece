import { bodyOf } from '../../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../../convention/operations.ts'
import { sortedTexts } from '../../sets/canonical.ts'
import { type FoundChange, factChanges, makeChange, type WitnessExchange } from '../change.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Contracts, differences } from './context.ts'
import { type ExchangeParts, preferring, requestBy } from './witness.ts'

/** Compares what concerns the whole service. */
export function compareService(comparison: Contracts): readonly FoundChange[] {
  return [
    ...sourceChanges(comparison),
    ...defaultVersionChanges(comparison),
    ...guardChanges(comparison),
    ...limitChanges(comparison),
    ...problemChanges(comparison),
  ]
}

function sourceChanges({ old, new: after }: Contracts): readonly FoundChange[] {
  const wordsOf = ({ guarded }: Snapshot): string => (guarded === null ? 'an API' : 'a registry')
  const [from, to] = [wordsOf(old), wordsOf(after)]
  const message = `the old side is ${from}, the new one ${to}: options cannot be compared`
  return factChanges('contract', [from, to], { set: ['source-changed', message] })
}

function defaultVersionChanges({ old, new: after }: Contracts): readonly FoundChange[] {
  const { defaultVersion: from } = old
  const { defaultVersion: to } = after
  if (from === null || to === null) return []
  const request = from === false ? undefined : witnessOf(old, operationKinds, { version: from })
  const witness = request && { ...request, target: request.target.replace(/^\/[^/]+/, '') }
  const gone = `a path without a version reached ${from}, and is not found now`
  const moved = `a path without a version reaches ${to}, it was ${from}`
  return factChanges('contract', [from || undefined, to || undefined], {
    set: ['default-version-on', `a path without a version reaches ${to}`, { from }],
    dropped: ['default-version-off', gone, { to, witness }],
    changed: ['default-version-changed', moved, { witness }],
  })
}

function guardChanges({ old, new: after }: Contracts): readonly FoundChange[] {
  const { guarded: from } = old
  const { guarded: to } = after
  if (from === null || to === null) return []
  const witness = witnessOf(old, operationKinds)
  const free = 'no context and no middleware can refuse a request any more'
  return factChanges('contract', [from || undefined, to || undefined], {
    set: ['guard-added', 'a context or a middleware may refuse a request', { from, witness }],
    dropped: ['guard-removed', free, { to }],
  })
}

const errorLimits = ['issues', 'problem']

function limitChanges({ old, new: after }: Contracts): readonly FoundChange[] {
  return sortedTexts(Object.keys(old.limits)).flatMap((name) => {
    const from = Number(old.limits[name])
    const to = after.limits[name]
    if (to === undefined || to === from) return []
    const facts = { from, to, message: `the limit "${name}" is ${to}, it was ${from}` }
    const at = `limits ${name}`
    if (errorLimits.includes(name)) return [makeChange('error-limit-changed', at, facts)]
    if (name === 'time' || name === 'arrival')
      return [makeChange(`${name}-${to < from ? 'lowered' : 'raised'}`, at, facts)]
    if (to > from) return [makeChange('limit-raised', at, facts)]
    const witness = limitWitness(old, name, from)
    if (witness !== undefined) return [makeChange('limit-lowered', at, { ...facts, witness })]
    const because = 'no request of this contract reaches the limit'
    return [makeChange('limit-lowered', at, { ...facts, verdict: 'fine', because })]
  })
}

const notes: Readonly<Record<string, string>> = {
  target: 'a target of {n} bytes',
  body: 'a body of {n} bytes',
  depth: 'a body of {n} levels',
  keys: 'a body of {n} different keys',
  values: 'a body of {n} values',
  bulk: 'a list of {n} items',
}

function limitWitness(
  old: Contracts['old'],
  name: string,
  limit: number,
): WitnessExchange | undefined {
  const note = Object.hasOwn(notes, name) ? notes[name]?.replace('{n}', `${limit}`) : undefined
  if (note === undefined) return undefined
  const isMany = name === 'bulk'
  const kinds = operationKinds.filter((kind) => {
    const body = bodyOf(kind)
    return name === 'target' || (isMany ? body?.isMany : body !== undefined)
  })
  const header = preferring(limit)
  return (
    witnessOf(old, kinds, { note }) ?? (isMany ? witnessOf(old, selecting, { header }) : undefined)
  )
}

// The limit of bulks bounds these too.
const selecting = operationKinds.filter((kind) => operations[kind].selects)

// The first request that some path of a released version takes.
function witnessOf(
  snapshot: Contracts['old'],
  kinds: readonly OperationKind[],
  parts: ExchangeParts & { readonly version?: string } = {},
): WitnessExchange | undefined {
  const { version: only, ...exchange } = parts
  for (const [version, { stage, paths }] of Object.entries(snapshot.versions)) {
    if (stage !== 'released' || (only !== undefined && only !== version)) continue
    for (const path of Object.keys(paths)) {
      const request = requestBy(kinds, { snapshot, version, path }, exchange)
      if (request) return request
    }
  }
  return undefined
}

function problemChanges({ old, new: after }: Contracts): readonly FoundChange[] {
  const [from, to] = [old.problemTypes ?? undefined, after.problemTypes ?? undefined]
  const begin = `the type of a problem begins with ${to ?? 'about:blank'}`
  const release = `nounful is ${after.nounful}, it was ${old.nounful}`
  return [
    ...factChanges('contract', [old.nounful, after.nounful], {
      set: ['convention-changed', release],
    }),
    ...factChanges('problems', [from, to], { set: ['problem-type-base-changed', begin] }),
    ...differences(old.problems, after.problems).flatMap(({ name, from, to }) =>
      factChanges(`problems ${name}`, [from, to], {
        set: ['problem-code-added', `a problem can have the code "${name}"`],
        dropped: ['problem-code-removed', `no problem has the code "${name}"`],
        changed: ['problem-status-changed', `"${name}" has the status ${to}, it was ${from}`],
      }),
    ),
  ]
}
