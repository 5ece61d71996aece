import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import type { Verdict } from '../../schemas/change.ts'
import { groupBy } from '../../sets/canonical.ts'
import { digestOf, type Finding, isAccepted } from '../fingerprint.ts'

/** The findings that one edit of a contract causes. */
export interface Entry {
  /** Their place: `v1 /notes /text` for those at its bodies, lists and filters. */
  readonly at: string
  /** Tells all of them that need it from other entries; the only one has its own. */
  readonly fingerprint: string
  /** The worst of them. */
  readonly lead: Finding
  readonly followers: readonly Finding[]
  /** The operations whose bodies or items they change. */
  readonly operations: readonly OperationKind[]
}

/** Groups findings by the field, or else the place, of the contract that they concern. */
export function groupFindings(findings: readonly Finding[]): readonly Entry[] {
  const keyOf = keysOf(findings)
  const groups = groupBy(findings, (finding) => `${isAccepted(finding)} ${keyOf(finding)}`)
  return [...groups.values()].map(entryOf)
}

/** A finding with the fingerprint of its entry. */
interface EnteredFinding extends Finding {
  readonly entry: string
}

/** Gives each finding the fingerprint of its entry. */
export function enteredFindings(findings: readonly Finding[]): readonly EnteredFinding[] {
  const entries = new Map<Finding, string>()
  for (const { fingerprint, lead, followers } of groupFindings(findings))
    for (const finding of [lead, ...followers]) entries.set(finding, fingerprint)
  return findings.map((finding) => {
    return { ...finding, entry: entries.get(finding) ?? finding.fingerprint }
  })
}

function entryOf(group: readonly Finding[]): Entry {
  const [lead, ...followers] = [...group].sort(
    (finding, nextFinding) => rankOf(finding) - rankOf(nextFinding),
  )
  if (lead === undefined) throw new RangeError('An entry has a finding.')
  const isAlone = new Set(group.map(({ at }) => at)).size === 1
  const { mounts, pointer } = parsePlace(lead.at)
  return {
    at: isAlone ? lead.at : [mounts, ...(pointer === undefined ? [] : [pointer])].join(' '),
    fingerprint: fingerprintOfAll(group),
    lead,
    followers,
    operations: operationKinds.filter((kind) =>
      group.some((finding) => finding.operations?.includes(kind)),
    ),
  }
}

const ranks: Readonly<Record<Verdict, number>> = { breaking: 0, depends: 1, fine: 2 }

// The worst first, then what names the edit: a renamed field, a body, a witness.
function rankOf({ verdict, rule, field, witness }: Finding): number {
  const isList = field !== undefined
  const isRename = rule.endsWith('-field-renamed')
  return ranks[verdict] * 8 + (isList ? 4 : 0) + (isRename ? 0 : 2) + (witness ? 0 : 1)
}

function fingerprintOfAll(group: readonly Finding[]): string {
  const needing = group.filter(({ verdict }) => verdict !== 'fine')
  const [first, ...more] = (needing.length > 0 ? needing : group).map(
    (finding) => finding.fingerprint,
  )
  if (first !== undefined && more.length === 0) return first
  return digestOf([first, ...more].sort().join(' '))
}

// Findings share an entry if they share a path and a field. A rename has two fields.
function keysOf(findings: readonly Finding[]): (finding: Finding) => string {
  const clusterOf = clustersOf(findings)
  const keyAt = (finding: Finding, pointer: string): string => `${clusterOf(finding)}${pointer}`
  const comers = new Map<string, string>()
  const bodies = new Set<string>()
  const sorted = new Set<string>()
  for (const finding of findings) {
    const { rule, from, to, field } = finding
    const { pointer } = parsePlace(finding.at)
    if (/^sortable/.test(rule) && field !== undefined) sorted.add(keyAt(finding, `/${field}`))
    if (pointer === undefined) continue
    const key = keyAt(finding, pointer)
    bodies.add(key)
    if (!comesOrGoes.test(rule)) continue
    comers.set(key, key)
    if (!rule.endsWith('-renamed') || typeof from !== 'string' || typeof to !== 'string') continue
    comers.set(keyAt(finding, `${pointer.slice(0, -from.length)}${to}`), key)
  }
  return (finding) => {
    const { body, pointer } = parsePlace(finding.at)
    const { field, rule } = finding
    if (body === undefined && field === undefined) return finding.fingerprint
    const key = keyAt(finding, pointer ?? (field === undefined ? '' : `/${field}`))
    const comer = comers.get(key)
    if (comer !== undefined || body !== undefined) return comer ?? key
    // The schema of a field tells its filters, and so does the list of sortable fields.
    const isOfSchema = /^filter-/.test(rule) && bodies.has(key) && !sorted.has(key)
    return isOfSchema ? key : `lists ${key}`
  }
}

const comesOrGoes = /-field-(?:renamed|removed|(?:required-|default-)?added)$/

// The paths of a resource form a cluster. The longest lists come first, since they hold the rest.
function clustersOf(findings: readonly Finding[]): (finding: Finding) => number {
  const clusters = new Map<string, number>()
  const lists = findings.map(({ at }) => parsePlace(at).mounts.split(', '))
  for (const mounts of lists.sort((candidate, nextList) => nextList.length - candidate.length)) {
    const existing = mounts
      .map((mount) => clusters.get(mount))
      .find((candidate) => candidate !== undefined)
    const cluster = existing ?? clusters.size
    for (const mount of mounts) if (!clusters.has(mount)) clusters.set(mount, cluster)
  }
  return ({ at }) => clusters.get(parsePlace(at).mounts.split(', ')[0] ?? '') ?? 0
}

/** A body of requests, or the items of responses. */
type PlaceBody = 'create' | 'update' | 'item'

/** The place of a change, in parts. */
interface PlaceParts {
  /** `v1 /companies/:company_id/employees, v1 /employees`, or a whole place of another form. */
  readonly mounts: string
  /** `undefined` for a place at no body. */
  readonly body: PlaceBody | undefined
  /** A JSON Pointer: `/name`; `undefined` for a whole body, and for a place at none. */
  readonly pointer: string | undefined
}

const bodies: readonly PlaceBody[] = ['create', 'update', 'item']

/** Reads the place of a change: `v1 /employees update /name`. */
export function parsePlace(at: string): PlaceParts {
  const [, mounts = at, word, pointer] = /^(.+?) (create|update|item)(?: (\/.*))?$/s.exec(at) ?? []
  return { mounts, body: bodies.find((body) => body === word), pointer }
}
