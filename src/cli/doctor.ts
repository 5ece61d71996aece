import { escapeControls, formatColumns } from '../check/print.ts'
import { UsageError } from '../check/usage-error.ts'
import { type ServedResource, servedIn } from '../model/binding.ts'
import { type Misfit, misfitsOf } from '../model/misfit.ts'
import { isRegistry, type Source } from './load.ts'
import { adviceFor } from './routes.ts'

/** The storage of one resource. Its members are public: `--json` prints them. */
export interface Checkup {
  readonly resource: string
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
  const checkups = servedIn(source.api, source.bindings).map(async (served) => {
    const checkup = await within(patience, examineOne(served), served.resource.name)
    const { name } = served.resource
    return {
      ...checkup,
      advice: [...checkup.advice, ...bounded.filter(({ resource }) => resource === name)],
    }
  })
  return Promise.all(checkups)
}

async function examineOne({ resource, adapter, mounts }: ServedResource): Promise<Checkup> {
  const { name } = resource
  const nothing = { resource: name, misfits: [], advice: [] }
  if (adapter.ready === undefined) return { ...nothing, state: 'not checked' }
  try {
    await adapter.ready(resource, mounts)
    const { table, advice = [] } = (await adapter.examine?.(resource, mounts)) ?? {}
    return { ...nothing, table, state: 'fits', advice }
  } catch (error) {
    return misfitting(name, misfitsOf(error, name))
  }
}

function misfitting(resource: string, misfits: readonly Misfit[]): Checkup {
  return { resource, table: misfits[0]?.table, state: 'misfits', misfits, advice: [] }
}

// A database that does not respond must not hold the command.
async function within(
  milliseconds: number,
  examined: Promise<Checkup>,
  resource: string,
): Promise<Checkup> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Checkup>((resolve) => {
    const message = `The storage did not respond within ${milliseconds / 1000} seconds.`
    timer = setTimeout(() => resolve(misfitting(resource, [{ resource, message }])), milliseconds)
  })
  return Promise.race([examined, late]).finally(() => clearTimeout(timer))
}

/** Writes checkups as a table, with the misfits and the advice below it. */
export function formatCheckups(checkups: readonly Checkup[]): string {
  const rows = checkups.map(({ resource, table = '', state, misfits }) => {
    const count = misfits.length === 1 ? '1 misfit' : `${misfits.length} misfits`
    return [resource, table, state === 'misfits' ? count : state].map(escapeControls)
  })
  return [
    formatColumns([['RESOURCE', 'TABLE', 'STATE'], ...rows]),
    ...formatFindings(
      'Misfits:',
      checkups.flatMap(({ misfits }) => misfits),
    ),
    ...formatFindings(
      'Advice:',
      checkups.flatMap(({ advice }) => advice),
    ),
  ].join('\n')
}

// A statement stands alone in its line, to copy it.
function formatFindings(title: string, findings: readonly Misfit[]): readonly string[] {
  if (findings.length === 0) return []
  const texts = findings.map(({ resource, message, mend }) => [
    `  ${resource}: ${escapeControls(message)}`,
    ...(mend === undefined ? [] : [`    ${escapeControls(mend)}`]),
  ])
  // Two versions may have the same finding about the resource that both show.
  const unique = new Map(texts.map((lines) => [lines.join('\n'), lines]))
  return ['', title, ...[...unique.values()].flat()]
}
