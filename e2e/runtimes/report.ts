import { readFileSync, writeFileSync } from 'node:fs'
import { requests } from '../requests.ts'
import { nameOf } from './binaries.ts'
import { type Exception, exceptions, type Lack, lacks } from './exceptions.ts'
import { checks } from './streams.ts'
import { type Subject, subjects } from './subjects.ts'
import type { Result } from './suite.ts'

const page = new URL('RESULTS.md', import.meta.url)

/** Writes a result as one line of the table. */
export function lineOf(result: Result): string {
  return row([nameOf(result.subject.runtime), ...cellsOf(result)])
}

function cellsOf({ subject: { door, storage }, same, own, checked, faults }: Result): string[] {
  const holds = checked === undefined ? '–' : `${checked.held} of ${checked.all}`
  const verdict = faults.length === 0 ? '' : `, ${faults.length} FAULTS`
  return [door, storage, `${same}`, `${own}`, holds + verdict]
}

// One line for all versions of a runtime with the same results: `Node 20.20.2, 22.23.3`.
function linesOf(results: readonly Result[]): readonly string[] {
  const versionsByCells = new Map<string, string[]>()
  for (const result of results) {
    const [name, version] = nameOf(result.subject.runtime).split(' ') as [string, string]
    const cells = row([name, ...cellsOf(result)])
    versionsByCells.set(cells, [...(versionsByCells.get(cells) ?? []), version])
  }
  return [...versionsByCells].map(([cells, versions]) =>
    cells.replace(' |', ` ${versions.join(', ')} |`),
  )
}

/** Holds the head of the table. */
export const head = [
  row([
    'runtime',
    'handler',
    'storage',
    'same responses',
    'own responses',
    'streams, aborts, limits, stops',
  ]),
  row(Array(6).fill('---')),
].join('\n')

/** Writes the results into RESULTS.md, between its marks. */
export function writePage(results: readonly Result[]): void {
  const count = requests.reduce((sum, { rows }) => sum + rows.length, 0)
  const table = [`${count} requests each.`, '', head, ...linesOf(results)].join('\n')
  const own = [
    row(['requests', 'where', 'own response', 'reason']),
    row(Array(4).fill('---')),
    ...exceptions.map((exception) =>
      row([exception.name, subjectsOf(exception), responsesIn(exception), exception.why]),
    ),
  ].join('\n')
  const lacking = [
    row(['failing check', 'where', 'reason']),
    row(Array(3).fill('---')),
    ...lacks.map((lack) => row([lack.name, subjectsOf(lack), lack.why])),
  ].join('\n')
  const parts = { results: table, exceptions: own, lacks: lacking }
  let text = readFileSync(page, 'utf8')
  for (const [name, part] of Object.entries(parts)) text = replaced(text, name, part)
  writeFileSync(page, text)
}

function replaced(text: string, name: string, part: string): string {
  const [start, end] = [`<!-- run: ${name} -->\n`, `<!-- /run: ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`RESULTS.md has no marks for "${name}".`)
  return `${text.slice(0, from + start.length)}${part}\n${text.slice(to)}`
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

// Without the version, which the first table has.
function subjectsOf({ on: { runtime, door, storage } }: Exception | Lack): string {
  const doors = door === undefined ? [] : [door].flat()
  const names = new Set(doors.map((door) => door.replace('toFetchHandler, ', '')))
  const runtimes = runtime === undefined ? [] : [runtime].flat().map(shortNameOf)
  const storages = storage === undefined ? [] : [storage].flat()
  const subjects = [...runtimes, ...names, ...storages].join(', ')
  return subjects.replace('a Worker, a Worker with flags', 'workerd')
}

function shortNameOf(runtime: Subject['runtime']): string {
  return nameOf(runtime).replace(/ .*/, '')
}

function responsesIn({ instead }: Exception): string {
  return [...new Set(instead.map((verdict) => verdict ?? 'the same'))].join(', ')
}

/** Lists the exceptions that no run needs. */
export function unusedExceptions(): readonly string[] {
  const isUsed = ({ on }: Exception | Lack): boolean =>
    subjects.some(
      ({ runtime, door, storage }) =>
        [on.runtime ?? runtime].flat().includes(runtime) &&
        [on.door ?? door].flat().includes(door) &&
        [on.storage ?? storage].flat().includes(storage),
    )
  const names = new Set([...requests, ...checks].map(({ name }) => name))
  return [...exceptions, ...lacks]
    .filter((exception) => !names.has(exception.name) || !isUsed(exception))
    .map(({ name }) => `No run needs the exception for "${name}".`)
}
