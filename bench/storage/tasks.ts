import { type Employee, person, rareWord, toRow } from './people.ts'
import { type Place, placeholders } from './place.ts'
import type { Sample } from './same.ts'
import { pageSize, type Way } from './way.ts'

/** A measured task. */
export interface Task {
  readonly name: string
  /** Returns the function of a numbered turn, or `undefined` for a contender without the method. */
  askerOf(way: Partial<Way>): ((turn: number) => unknown) | undefined
  /** Makes ready for turns, outside of the time taken. */
  readonly prepare?: (start: number, times: number) => Promise<void>
  /** Deletes the written rows. */
  readonly tidy?: () => Promise<void>
  /** The part of a result that must be the same for all. */
  readonly comparable?: (answer: unknown) => unknown
  /** Another call to compare with, on the adapter in the same rounds. */
  readonly beside?: { readonly name: string; askerOf(way: Way): (turn: number) => unknown }
}

const knownIds = 1000

/** The tasks on a table of so many employees, those that only read first. */
export function tasksFor(place: Place, rows: number, sample: Sample): readonly Task[] {
  const ids = Array.from({ length: knownIds }, (_, turn) => person(numberOf(turn, rows)).id)
  return [...readingTasks(ids, sample, rows), ...writingTasks(place, rows)]
}

// Spread over the table.
function numberOf(turn: number, rows: number): number {
  return ((turn % knownIds) * 7919 + 13) % rows
}

function bind<Kind extends keyof Way>(
  kind: Kind,
  ask: (method: Way[Kind], turn: number) => unknown,
): Task['askerOf'] {
  return (way) => {
    const method = way[kind]
    return method && ((turn) => ask(method, turn))
  }
}

function readingTasks(ids: readonly string[], { after, word }: Sample, rows: number): Task[] {
  const beside = { name: 'first page', askerOf: (way: Way) => () => way.list() }
  return [
    { name: 'read', askerOf: bind('read', (read, turn) => read(ids[turn % knownIds] ?? '')) },
    { name: 'list, 20 by name', askerOf: bind('list', (list) => list()) },
    { name: 'list, 20 by name, q', askerOf: bind('search', (search) => search(word)) },
    {
      name: `page after row ${pageStart(rows)}`,
      askerOf: bind('page', (page) => page(after)),
      beside,
    },
    { name: 'count', askerOf: bind('count', (count) => count()) },
    { name: 'count, q', askerOf: bind('countFound', (count) => count(word)) },
    { name: 'first by name', askerOf: bind('first', (first) => first()) },
    { name: 'last by name', askerOf: bind('last', (last) => last()) },
  ]
}

// Marks the rows that the tasks write.
const newBirthdate = '1900-01-01'

function writingTasks(place: Place, rows: number): Task[] {
  const tidy = async () => {
    const text = placeholders(place.engine, 'delete from employees where birthdate = ?')
    await place.ask(text, [newBirthdate])
  }
  const changed = (turn: number, at = turn): Employee => {
    const stored = person(numberOf(at, rows))
    return { ...stored, name: `${stored.name} ${turn}` }
  }
  const { created_at: _, id: __, ...newcomer } = { ...person(1), birthdate: newBirthdate }
  const items = (turn: number) =>
    Array.from({ length: pageSize }, (_, place) => changed(turn, turn * pageSize + place))
  return [
    {
      name: 'create',
      askerOf: bind('create', (create, turn) => create({ ...newcomer, name: `Zed ${turn}` })),
      tidy,
      comparable: (answer) => ({ ...(answer as Employee), id: '', created_at: '' }),
    },
    { name: 'update', askerOf: bind('update', (update, turn) => update(changed(turn))) },
    {
      name: `updateMany, ${pageSize}`,
      askerOf: bind('updateMany', (updateMany, turn) => updateMany(items(turn))),
    },
    {
      name: 'delete',
      askerOf: bind('delete', (remove, turn) => remove(spareId(turn))),
      prepare: async (start, times) => {
        const spare = Array.from({ length: times }, (_, place) => start + place)
        await place.fill(
          spare.map((turn) =>
            toRow({ ...person(turn), id: spareId(turn), birthdate: newBirthdate }),
          ),
        )
      },
      tidy,
    },
  ]
}

function spareId(turn: number): string {
  return `spare ${String(turn).padStart(9, '0')}`
}

/** The row before the page: nine tenths down. */
export function pageStart(rows: number): number {
  return Math.floor(rows * 0.9)
}

/** The ids and words that the tasks use. */
export async function sampleOf({ ask, engine }: Place, rows: number): Promise<Sample> {
  const text = 'select id, name from employees order by name, id limit 1 offset ?'
  const { rows: found } = await ask(placeholders(engine, text), [pageStart(rows) - 1])
  const after = { ...(found[0] as Sample['after']) }
  return { id: person(1).id, word: rareWord, after }
}
