import { CompiledQuery } from 'kysely'
import { type Row, toEmployee } from './people.ts'
import type { Place, Value } from './place.ts'
import type * as way from './way.ts'
import type { Way } from './way.ts'
import { withNounful } from './with-nounful.ts'

/** A statement that the adapter sent. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly Value[]
}

/** Statements by what they were sent for. */
export type Said = Readonly<
  Record<'read' | 'list' | 'search' | 'page' | 'count' | 'countFound' | 'first' | 'last', Statement>
>

/** Questions whose statements are taken down. */
export interface Sample {
  readonly id: string
  readonly word: string
  readonly after: way.Place
}

/** Takes down what the adapter sends. */
export async function takeDown(place: Place, { id, word, after }: Sample): Promise<Said> {
  let last: Statement | undefined
  const db = place.listen(({ query: { sql, parameters } }) => {
    last = { sql, parameters: parameters as readonly Value[] }
  })
  const nounful = withNounful(db)
  const said = async (asked: unknown): Promise<Statement> => {
    await asked
    if (last === undefined) throw new Error('Nothing was sent.')
    return last
  }
  return {
    read: await said(nounful.read(id)),
    list: await said(nounful.list()),
    search: await said(nounful.search(word)),
    page: await said(nounful.page(after)),
    count: await said(nounful.count()),
    countFound: await said(nounful.countFound(word)),
    first: await said(nounful.first()),
    last: await said(nounful.last()),
  }
}

/** The adapter's own statements, ready made, through Kysely. */
export function withSame({ db }: Place, said: Said, sample: Sample): Partial<Way> {
  const rows = async ({ sql, parameters }: Statement) => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))
    return rows.map(toEmployee)
  }
  const count = async ({ sql, parameters }: Statement) => {
    const query = CompiledQuery.raw(sql, [...parameters])
    const { rows } = await db.executeQuery<{ count: unknown }>(query)
    return Number(rows[0]?.count)
  }
  const one = async (statement: Statement) => (await rows(statement))[0]
  const { sql, parameters } = said.read
  return {
    read: (id) =>
      one({ sql, parameters: parameters.map((value) => (value === sample.id ? id : value)) }),
    list: () => rows(said.list),
    search: () => rows(said.search),
    page: () => rows(said.page),
    count: () => count(said.count),
    countFound: () => count(said.countFound),
    first: () => one(said.first),
    last: () => one(said.last),
  }
}
