import { setTimeout as pause } from 'node:timers/promises'
import { bytesOf } from '../requests/row.ts'
import { requests } from '../requests.ts'
import { type Answers, compare, faultsOfReference } from './compare.ts'
import { exceptionFor, exceptions, lacks } from './exceptions.ts'
import { type Serving, start } from './serving.ts'
import { stops } from './stopping.ts'
import { type Check, checks } from './streams.ts'
import { references, type Subject } from './subjects.ts'
import { ask } from './wire.ts'

/** A subject's responses to every request, by table. */
type Told = readonly Answers[]

/** The responses of the references. */
export type Expected = Readonly<Record<keyof typeof references, Told>>

/** The result of all checks on a subject. */
export interface Result {
  readonly subject: Subject
  /** Answers that are those of the reference, byte for byte. */
  readonly same: number
  /** Answers that differ as an exception says. */
  readonly own: number
  /** The checks of streams and stops that hold, and their number; `undefined` where none ran. */
  readonly checked: { readonly held: number; readonly all: number } | undefined
  /** Unexpected differences: a line each. */
  readonly faults: readonly string[]
}

/** The usual output of the runtimes. */
const usual = [
  /ExperimentalWarning: SQLite|Use `node --trace-warnings/,
  /^Deno\.serve: request\.signal aborts on successful responses \(legacy behavior\)/,
  /^workerd\/server\/server\.c\+\+:\d+: error: Uncaught exception: (?:kj\/compat|workerd\/io\/worker-entrypoint)|^stack: /,
]

/**
 * Asks the references everything.
 *
 * @throws {Error} Where they do not answer what the tables say.
 */
export async function askReferences(folder: string): Promise<Expected> {
  return {
    memory: await askReference(references.memory, folder),
    stored: await askReference(references.stored, folder),
  }
}

async function askReference(reference: Subject, folder: string): Promise<Told> {
  const serving = await start(reference, folder)
  const told = await askAll(serving.port).finally(() => serving.stop())
  const faults = requests.flatMap((table, place) => faultsOfReference(table, told[place] ?? []))
  if (faults.length === 0) return told
  throw new Error(`On ${reference.storage} the tables are wrong:\n  ${faults.join('\n  ')}`)
}

/** Runs everything on a subject. */
export async function examine(
  subject: Subject,
  folder: string,
  expected: Expected,
): Promise<Result> {
  const serving = await start(subject, folder)
  try {
    const { memory, stored } = expected
    const isStored = subject.storage !== 'memory'
    const answered = judge(subject, await askAll(serving.port), isStored ? stored : memory)
    const checked = isStored ? undefined : await check(subject, serving)
    const complaints = serving.complaints
      .split('\n')
      .filter((line) => line.trim() !== '' && !usual.some((known) => known.test(line)))
    return {
      subject,
      same: answered.same,
      own: answered.own,
      checked,
      faults: [
        ...answered.faults,
        ...(checked?.faults ?? []),
        ...complaints.slice(0, 5).map((line) => `it says: ${line}`),
      ],
    }
  } finally {
    await serving.stop()
  }
}

async function askAll(port: number): Promise<Told> {
  const told: Answers[] = []
  for (const { rows } of requests) {
    const answers = []
    for (const row of rows) answers.push(await ask(port, bytesOf(row)))
    told.push(answers)
  }
  return told
}

function judge(subject: Subject, given: Told, expected: Told): Omit<Result, 'checked' | 'subject'> {
  const compared = requests.map((table, place) => {
    const answers = { given: given[place] ?? [], expected: expected[place] ?? [] }
    const exception = exceptionFor(exceptions, table.name, subject)
    const { same, own, faults } = compare(table, answers, exception)
    return { same, own, faults: faults.map((fault) => `${table.name}: ${fault}`) }
  })
  return {
    same: compared.reduce((sum, { same }) => sum + same, 0),
    own: compared.reduce((sum, { own }) => sum + own, 0),
    faults: compared.flatMap(({ faults }) => faults),
  }
}

async function check(
  subject: Subject,
  serving: Serving,
): Promise<{ readonly held: number; readonly all: number; readonly faults: readonly string[] }> {
  const faults: string[] = []
  let held = 0
  const all = checksOf(subject, serving)
  for (const { name, run } of all) {
    const lack = exceptionFor(lacks, name, subject)
    // The deadline of a check that fails is shorter than that of one that must hold.
    const waiting = lack === undefined ? [] : [tooLate()]
    const failure = await Promise.race([run(serving.port), ...waiting]).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (lack === undefined && failure === undefined) held++
    if (lack === undefined && failure !== undefined) faults.push(`${name}: ${failure}`)
    if (lack !== undefined && failure === undefined && lack.isByChance !== true)
      faults.push(`${name}: it holds by now`)
  }
  return { held, all: all.length, faults }
}

// A host that has its own server stops it in its own way.
function checksOf({ door }: Subject, serving: Serving): readonly Check[] {
  if (door !== 'serve') return checks
  return [
    ...checks,
    { name: 'a server that stops finishes its answers', run: () => stops(serving) },
  ]
}

async function tooLate(): Promise<never> {
  await pause(5000)
  throw new Error('it does not come to that')
}
