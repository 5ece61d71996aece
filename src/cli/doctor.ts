import { type ServedResource, servedIn } from '../contract/resource/binding.ts'
import type { Registry } from '../contract/resource/registry.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import { escapeControls } from '../convention/escape.ts'
import { formatFindings } from '../convention/findings.ts'
import { distinctMisfits, type Misfit, misfitsOf } from '../convention/misfit.ts'
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
  readonly state: 'fits' | 'misfits' | 'not checked'
  readonly misfits: readonly Misfit[]
  readonly advice: readonly Misfit[]
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
  const isNew = ({ table, mend }: Misfit): boolean => {
    const subject = mend?.startsWith('create table') ? mend.replace(/ \([\s\S]*$/, '') : mend
    if (subject === undefined) return true
    const key = `${table} ${subject}`
    const isNew = !printed.has(key)
    printed.add(key)
    return isNew
  }
  return checkups.map((checkup) => ({
    ...checkup,
    misfits: checkup.misfits.map((misfit) => {
      const { mend: _, ...finding } = misfit
      return isNew(misfit) ? misfit : finding
    }),
    advice: checkup.advice.filter(isNew),
  }))
}

// The resources that are stored, each with the resources that versions serve of it.
function storedIn({ api, bindings }: Registry): readonly (readonly [string, Served])[] {
  const served = servedIn(api, bindings)
  return [...api.stored.keys()].map((name) => [
    name,
    served.filter(({ resource }) => resource.hub.name === name),
  ])
}

type Served = readonly ServedResource[]

// Two versions may have the same finding about the resource that both show.
function together(resource: string, examined: readonly Examined[]): Examined {
  const state = (['misfits', 'fits'] as const).find((candidate) =>
    examined.some((checkup) => checkup.state === candidate),
  )
  return {
    resource,
    table: examined.find(({ table }) => table !== undefined)?.table,
    state: state ?? 'not checked',
    misfits: distinctMisfits(examined.flatMap(({ misfits }) => misfits)),
    advice: distinctMisfits(examined.flatMap(({ advice }) => advice)),
  }
}

type Examined = Omit<Checkup, 'views'>

async function examineOne({ resource, adapter, mounts }: ServedResource): Promise<Examined> {
  const { name } = resource.hub
  const nothing = { resource: name, misfits: [], advice: [] }
  if (adapter.ready === undefined) return { ...nothing, state: 'not checked' }
  const failed = (error: unknown): readonly Misfit[] => misfitsOf(error, name)
  const misfits = await attempt(() => adapter.ready?.(resource, mounts)).then(nothingOf, failed)
  const examining = attempt(() => adapter.examine?.(resource, mounts))
  const examined = await examining.catch((error: unknown) => {
    if (misfits.length === 0) return { table: undefined, misfits: failed(error), advice: [] }
  })
  const { table, advice = [], misfits: all = misfits } = examined ?? {}
  if (all.length > 0) return misfitting(name, all)
  return { ...nothing, table, state: 'fits', advice }
}

// A method may throw at once.
async function attempt<Result>(call: () => Awaitable<Result>): Promise<Result> {
  return call()
}

function nothingOf(): readonly Misfit[] {
  return []
}

function misfitting(resource: string, misfits: readonly Misfit[]): Examined {
  return { resource, table: misfits[0]?.table, state: 'misfits', misfits, advice: [] }
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
    timer = setTimeout(() => resolve(misfitting(resource, [{ resource, message }])), milliseconds)
  })
  return Promise.race([examined, late]).finally(() => clearTimeout(timer))
}

/** Writes checkups as a table, with the mismatches and the advice below it. */
export function formatCheckups(checkups: readonly Checkup[]): string {
  const hasViews = checkups.some(({ views }) => views.length > 0)
  const rows = checkups.map(({ resource, views, table = '', state, misfits }) => {
    const count = misfits.length === 1 ? '1 mismatch' : `${misfits.length} mismatches`
    const row = [resource, table, state === 'misfits' ? count : state]
    return [...row, ...(hasViews ? [views.join(', ')] : [])].map(escapeControls)
  })
  const head = ['RESOURCE', 'TABLE', 'STATE', ...(hasViews ? ['VIEWS'] : [])]
  return [
    formatColumns([head, ...rows]),
    ...apart(
      'Mismatches:',
      checkups.flatMap(({ misfits }) => misfits),
    ),
    ...apart(
      'Advice:',
      checkups.flatMap(({ advice }) => advice),
    ),
  ].join('\n')
}

function apart(title: string, findings: readonly Misfit[]): readonly string[] {
  const lines = formatFindings(title, findings)
  return lines.length === 0 ? [] : ['', ...lines]
}
