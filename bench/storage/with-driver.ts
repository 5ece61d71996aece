import { v7 as uuidv7 } from 'uuid'
import { type Employee, type Row, toEmployee, toRow } from './people.ts'
import {
  type Ask,
  type EngineName,
  type Place,
  placeholders,
  type Result,
  type Value,
} from './place.ts'
import type { Said } from './same.ts'
import { pageSize, type Way } from './way.ts'

const columns = 'id, name, birthdate, email, company_id, created_at'

/** SQL by hand, through the driver. Searches are the adapter's statements, for the same results. */
export function withDriver({ ask, transact, engine }: Place, said: Said): Way {
  const texts = textsFor(engine)
  const items = (result: Result) => result.rows.map((row) => toEmployee(row as Row))
  const first = (result: Result) => items(result)[0]
  const count = ({ rows: [row] }: Result) => Number((row as { count: unknown }).count)
  const listed = async (text: string, parameters: readonly Value[]) =>
    items(await ask(text, parameters))
  return {
    read: async (id) => first(await ask(texts.read, [id])),
    list: () => listed(texts.list, [pageSize]),
    search: () => listed(said.search.sql, said.search.parameters),
    page: ({ name, id }) =>
      listed(
        texts.page,
        engine === 'mariadb' ? [name, name, name, id, pageSize] : [name, id, pageSize],
      ),
    count: async () => count(await ask(texts.count, [])),
    countFound: async () => count(await ask(said.countFound.sql, said.countFound.parameters)),
    first: async () => first(await ask(texts.list, [1])),
    last: async () => first(await ask(texts.last, [1])),
    create: async (item) => {
      const created = { ...item, id: uuidv7(), created_at: new Date().toISOString() }
      const { id, name, birthdate, email, company_id, created_at } = toRow(created)
      const values = [id, name, birthdate, email, company_id, created_at]
      return first(await ask(texts.insert, values)) ?? created
    },
    update: async (item) =>
      engine === 'mariadb'
        ? transact((inside) => replace(inside, texts, item))
        : replace(ask, texts, item),
    updateMany: (wanted) =>
      transact(async (inside) => {
        const { rows } = await inside(
          texts.lock(wanted.length),
          wanted.map(({ id }) => id),
        )
        if (rows.length < wanted.length) throw new Error('Not all of them are there.')
        const updated: (Employee | undefined)[] = []
        for (const item of wanted) updated.push(await replace(inside, texts, item))
        return updated
      }),
    delete: async (id) => first(await ask(texts.delete, [id])),
  }
}

type Texts = ReturnType<typeof textsFor>

function textsFor(engine: EngineName) {
  const text = (words: string) => placeholders(engine, words)
  const selected = `select ${columns} from employees`
  const after =
    engine === 'mariadb' ? 'name >= ? and (name > ? or name = ? and id > ?)' : '(name, id) > (?, ?)'
  const locking = engine === 'sqlite' ? '' : 'for update'
  const returning = `returning ${columns}`
  const update =
    'update employees set name = ?, birthdate = ?, email = ?, company_id = ? where id = ?'
  return {
    read: text(`${selected} where id = ?`),
    list: text(`${selected} order by name, id limit ?`),
    page: text(`${selected} where ${after} order by name, id limit ?`),
    last: text(`${selected} order by name desc, id desc limit ?`),
    count: 'select count(*) as count from employees',
    insert: text(`insert into employees (${columns}) values (?, ?, ?, ?, ?, ?) ${returning}`),
    update: text(engine === 'mariadb' ? update : `${update} ${returning}`),
    returns: engine !== 'mariadb',
    delete: text(`delete from employees where id = ? ${returning}`),
    lock: (count: number) =>
      text(
        `select id from employees where id in (${Array(count).fill('?')}) order by id ${locking}`,
      ),
  }
}

async function replace(ask: Ask, texts: Texts, item: Employee): Promise<Employee | undefined> {
  const { id, name, birthdate, email, company_id } = toRow(item)
  const { rows: updated } = await ask(texts.update, [name, birthdate, email, company_id, id])
  const [row] = texts.returns ? updated : (await ask(texts.read, [id])).rows
  return row === undefined ? undefined : toEmployee(row as Row)
}
