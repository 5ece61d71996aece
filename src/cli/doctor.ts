import { type ServedResource, servedResourcesOf } from '../contract/resource/binding.ts'
import type { Registry } from '../contract/resource/registry.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import { escapeControls } from '../convention/escape.ts'
import {
  distinctMismatches,
  formatFindings,
  type Mismatch,
  mismatchesOf,
} from '../convention/mismatch.ts'
import { formatColumns } from '../trial/check/print.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { isRegistry, type Source } from './load.ts'
import { adviceFor } from './routes.ts'

/** The storage of one resource. Its members are public: `--json` prints them. */
export interface Checkup {
  /** The resource that the adapter stores. */
  readonly resource: string
  /** The views that show it in some version. */
  readonly views: readonly string[]
  /** `undefined` if the adapter does not name it. */
  readonly table?: string | undefined
  /** `not checked`: the adapter has no `ready`. */
  readonly state: 'fits' | 'mismatches' | 'not checked'
  readonly mismatches: readonly Mismatch[]
  readonly advice: readonly Mismatch[]
}

/**
 * Compares the storage of every resource with the contract. Only reads.
 *
 * @param patience The milliseconds to wait for one adapter.
 * @throws {UsageError} For an API without adapters.
 */
export async function examineStorage(
  source: Source,
  patience = 30_000,
): Promise<readonly Checkup[]> {
  if (!isRegistry(source))
    throw new UsageError(
      'The module exports an API without adapters: name one that exports a registry, ' +
        'the result of defineRegistry(…).adapters(…).',
    )
  const bounded = adviceFor(source)
  const checkups = storedIn(source).map(async ([name, served]) => {
    const examined = Promise.all(served.map(examineOne)).then((all) => together(name, all))
    const checkup = await within(patience, examined, name)
    const views = served.flatMap(({ resource }) => (resource.view ? [resource.name] : []))
    const resourceAdvice = bounded.filter(
      ({ resource }) => resource === name || views.includes(resource),
    )
    return { ...checkup, views, advice: [...checkup.advice, ...resourceAdvice] }
  })
  return withoutRepetitions(await Promise.all(checkups))
}

// Two resources may share a table, whose statements run once.
function withoutRepetitions(checkups: readonly Checkup[]): readonly Checkup[] {
  const printed = new Set<string>()
  const isNew = ({ table, fix }: Mismatch): boolean => {
    const subject = fix?.startsWith('create table') ? fix.replace(/ \([\s\S]*$/, '') : fix
    if (subject === undefined) return true
    const key = `${table} ${subject}`
    const isNew = !printed.has(key)
    printed.add(key)
    return isNew
  }
  return checkups.map((checkup) => ({
    ...checkup,
    mismatches: checkup.mismatches.map((mismatch) => {
      const { fix: _, ...finding } = mismatch
      return isNew(mismatch) ? mismatch : finding
    }),
    advice: checkup.advice.filter(isNew),
  }))
}

// The resources that are stored, each with the resources that versions serve of it.
function storedIn({ api, bindings }: Registry): readonly (readonly [string, Served])[] {
  const served = servedResourcesOf(api, bindings)
  return [...api.stored.keys()].map((name) => [
    name,
    served.filter(({ resource }) => resource.base.name === name),
  ])
}

type Served = readonly ServedResource[]

// Two versions may have the same finding about the resource that both show.
function together(resource: string, examined: readonly Examined[]): Examined {
  const state = (['mismatches', 'fits'] as const).find((candidate) =>
    examined.some((checkup) => checkup.state === candidate),
  )
  return {
    resource,
    table: examined.find(({ table }) => table !== undefined)?.table,
    state: state ?? 'not checked',
    mismatches: distinctMismatches(examined.flatMap(({ mismatches }) => mismatches)),
    advice: distinctMismatches(examined.flatMap(({ advice }) => advice)),
  }
}

type Examined = Omit<Checkup, 'views'>

async function examineOne({ resource, adapter, mounts }: ServedResource): Promise<Examined> {
  const { name } = resource.base
  const nothing = { resource: name, mismatches: [], advice: [] }
  if (adapter.ready === undefined) return { ...nothing, state: 'not checked' }
  const failed = (error: unknown): readonly Mismatch[] => mismatchesOf(error, name)
  const mismatches = await attempt(() => adapter.ready?.(resource, mounts)).then(nothingOf, failed)
  const examining = attempt(() => adapter.examine?.(resource, mounts))
  const examined = await examining.catch((error: unknown) => {
    if (mismatches.length === 0) return { table: undefined, mismatches: failed(error), advice: [] }
  })
  const { table, advice = [], mismatches: all = mismatches } = examined ?? {}
  if (all.length > 0) return mismatched(name, all)
  return { ...nothing, table, state: 'fits', advice }
}

// A method may throw at once.
async function attempt<Result>(call: () => Awaitable<Result>): Promise<Result> {
  return call()
}

function nothingOf(): readonly Mismatch[] {
  return []
}

function mismatched(resource: string, mismatches: readonly Mismatch[]): Examined {
  return { resource, table: mismatches[0]?.table, state: 'mismatches', mismatches, advice: [] }
}

// A database that does not respond must not hold the command.
async function within(
  milliseconds: number,
  examined: Promise<Examined>,
  resource: string,
): Promise<Examined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Examined>((resolve) => {
    const message = `The storage did not respond within ${milliseconds / 1000} seconds.`
    timer = setTimeout(() => resolve(mismatched(resource, [{ resource, message }])), milliseconds)
  })
  return Promise.race([examined, late]).finally(() => clearTimeout(timer))
}

/** Writes checkups as a table, with the mismatches and the advice below it. */
export function formatCheckups(checkups: readonly Checkup[]): string {
  const hasViews = checkups.some(({ views }) => views.length > 0)
  const rows = checkups.map(({ resource, views, table = '', state, mismatches }) => {
    const count = mismatches.length === 1 ? '1 mismatch' : `${mismatches.length} mismatches`
    const row = [resource, table, state === 'mismatches' ? count : state]
    return [...row, ...(hasViews ? [views.join(', ')] : [])].map(escapeControls)
  })
  const head = ['RESOURCE', 'TABLE', 'STATE', ...(hasViews ? ['VIEWS'] : [])]
  return [
    formatColumns([head, ...rows]),
    ...apart(
      'Mismatches:',
      checkups.flatMap(({ mismatches }) => mismatches),
    ),
    ...apart(
      'Advice:',
      checkups.flatMap(({ advice }) => advice),
    ),
  ].join('\n')
}

function apart(title: string, findings: readonly Mismatch[]): readonly string[] {
  const lines = formatFindings(title, findings)
  return lines.length === 0 ? [] : ['', ...lines]
}
