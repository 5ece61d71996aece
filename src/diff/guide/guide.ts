import { sortedEntries } from '../canonical.ts'
import { queriedIn } from '../queried.ts'
import { codeSpan } from '../report/markdown.ts'
import type { Snapshot, SnapshotPath } from '../snapshot.ts'
import { type FieldRow, fieldRows, type Shown } from './fields.ts'
import { matchesIn, resourceIn, tracesOf } from './trace.ts'

/** Writes the guide for clients that go from one version to another, as Markdown. */
export function guideOf(snapshot: Snapshot, from: string, to: string): string {
  const old = pathsIn(snapshot, from)
  const after = pathsIn(snapshot, to)
  const pairs = old.map((path) => ({ path, twin: twinOf(path, after) }))
  const met = new Set(pairs.map(({ twin }) => twin?.path))
  const fresh = after.filter(({ path }) => !met.has(path))
  return [
    `# From ${from} to ${to}`,
    '',
    'All ids stay as they are. So does each field that no table names.',
    ...pairs.flatMap(({ path, twin }) => sectionOf(snapshot, { from, to, path, twin })),
    ...(fresh.length === 0 ? [] : ['', `## New in ${to}`, '']),
    ...fresh.map(({ path }) => `- ${codeSpan(`/${to}${path}`)}`),
  ].join('\n')
}

interface Path {
  readonly path: string
  readonly mounted: SnapshotPath
  /** The stored resources of the parents and of the path itself. */
  readonly bases: readonly string[]
}

function pathsIn(snapshot: Snapshot, version: string): readonly Path[] {
  const paths = snapshot.versions[version]?.paths ?? {}
  return sortedEntries(paths).map(([path, mounted]) => {
    const parents = [...path.matchAll(/\/:[^/]+/g)].map(({ index }) => path.slice(0, index))
    const bases = [...parents, path].map((one) => {
      const name = Object.hasOwn(paths, one) ? paths[one]?.resource : undefined
      return (name && resourceIn(snapshot, name)?.hub) ?? one
    })
    return { path, mounted, bases }
  })
}

// The same resources on the way; else the same resource, wherever it is.
function twinOf({ bases }: Path, after: readonly Path[]): Path | undefined {
  return (
    after.find((one) => one.bases.join('/') === bases.join('/')) ??
    after.find((one) => one.bases.at(-1) === bases.at(-1))
  )
}

interface Section {
  readonly from: string
  readonly to: string
  readonly path: Path
  readonly twin: Path | undefined
}

function sectionOf(snapshot: Snapshot, { from, to, path, twin }: Section): readonly string[] {
  const old = codeSpan(`/${from}${path.path}`)
  if (twin === undefined) return ['', `## ${old} is gone`]
  const shown = { from: path.mounted.resource, to: twin.mounted.resource }
  const rows = fieldRows(snapshot, shown)
  const lost = [...operationsLost(path.mounted, twin.mounted), ...queriesLost(snapshot, shown)]
  const isMoved = path.path !== twin.path
  const title = isMoved ? `${old} is ${codeSpan(`/${to}${twin.path}`)}` : old
  const isSame = rows.length + lost.length === 0
  return [
    '',
    `## ${title}`,
    '',
    ...(isSame ? [isMoved ? 'Only the path changes.' : 'Nothing changes.'] : []),
    ...lost.map((line) => `- ${line}`),
    ...(lost.length > 0 && rows.length > 0 ? [''] : []),
    ...tableOf(rows, from, to),
  ]
}

function tableOf(rows: readonly FieldRow[], from: string, to: string): readonly string[] {
  if (rows.length === 0) return []
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return [`| ${from} | ${to} | what changes |`, '|---|---|---|', ...lines]
}

function operationsLost(old: SnapshotPath, after: SnapshotPath): readonly string[] {
  const lost = old.operations.filter((kind) => !after.operations.includes(kind))
  return lost.length === 0 ? [] : [`No longer offered: ${lost.map(codeSpan).join(', ')}.`]
}

const queries = [
  { option: 'sortable', words: 'No longer sortable' },
  { option: 'filterable', words: 'No longer filterable' },
  { option: 'searchable', words: 'No longer searched by `q`' },
] as const

function queriesLost(snapshot: Snapshot, shown: Shown): readonly string[] {
  const { from, to } = tracesOf(snapshot, shown)
  const old = resourceIn(snapshot, shown.from)
  const after = resourceIn(snapshot, shown.to)
  return queries.flatMap(({ option, words }) => {
    const lost = (old ? queriedIn(old, option) : []).filter((field) => {
      const trace = from.get(field)
      const twins = trace === undefined ? [] : matchesIn(to, trace)
      return !twins.some((twin) => after && queriedIn(after, option).includes(twin))
    })
    return lost.length === 0 ? [] : [`${words}: ${lost.map(codeSpan).join(', ')}.`]
  })
}
