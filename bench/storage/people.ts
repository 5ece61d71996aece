import { randomNumbers } from '../support/figures.ts'

/** A row of the table. */
export type Row = {
  readonly id: string
  readonly name: string
  readonly birthdate: string
  readonly email: string | null
  readonly company_id: string | null
  readonly created_at: string
}

/** The columns of the table. */
export const columns = ['id', 'name', 'birthdate', 'email', 'company_id', 'created_at'] as const

/** An employee as the service returns it. */
export interface Employee extends Omit<Row, 'email' | 'company_id'> {
  readonly email?: string
  readonly company_id?: string
}

/** The word that one in 400 names has, and no other text. */
export const rareWord = 'okafor'

// One in eight is not ASCII, as in a company with offices in Europe.
const firsts = (
  'Ada Ben Chloé Dmitri Emi Farid Gita Hugo Ines Jürgen Kofi Lena Mara Nils Olga Pablo ' +
  'Quinn Rosa Sami Tove Uma Vera Wim Xenia Yuki Zoë Anil Bruno Carla Dora Ewa Finn Åsa ' +
  'Hana Igor José Karim Lucía Milan Nadia'
).split(' ')
const starts = 'Oka Mor Lind Has Tan Nas Ber Cas Dal Fer Gal Hol Jan Kov Mar Nov Pet Ros Sal Vas'
const ends = 'for eau quist ter aka ser man tro ini berg ova sen ski ford ley wood son dez ard etti'
const [beginnings, endings] = [starts.split(' '), ends.split(' ')]

/** The employee of a number, always the same; ids are UUIDs of version 7, in the same order. */
export function person(number: number): Employee {
  const next = randomNumbers(Math.imul(number + 1, 0x9e3779b1))
  const at = Date.UTC(2020, 0, 1) + number * 100
  const first = pick(firsts, next())
  const family = pick(beginnings, next()) + pick(endings, next())
  const letter = String.fromCharCode(65 + (next() % 26))
  const day = Date.UTC(1955, 0, 1) + (next() % 18_000) * 86_400_000
  const address = `${first}.${family}${number}@example.com`.normalize('NFD')
  return {
    id: idOf(at, next(), next()),
    name: `${first} ${letter}. ${family}`,
    birthdate: new Date(day).toISOString().slice(0, 10),
    ...(next() % 5 > 0 && { email: address.replace(/[^ -~]/g, '').toLowerCase() }),
    ...(next() % 4 > 0 && { company_id: `00${1 + (next() % 3)}` }),
    created_at: new Date(at).toISOString(),
  }
}

/** A row as an item: a missing value is a missing field. */
export function toEmployee({ email, company_id, ...fields }: Row): Employee {
  return { ...fields, ...(email !== null && { email }), ...(company_id !== null && { company_id }) }
}

/** Runs a query, and returns its rows as items. */
export async function itemsOf(query: { execute(): Promise<Row[]> }): Promise<Employee[]> {
  return (await query.execute()).map(toEmployee)
}

/** An item as a row. */
export function toRow({ email, company_id, ...rest }: Employee): Row {
  return { ...rest, email: email ?? null, company_id: company_id ?? null }
}

function pick(words: readonly string[], number: number): string {
  return words[number % words.length] ?? ''
}

function idOf(at: number, one: number, other: number): string {
  const time = at.toString(16).padStart(12, '0')
  const [a, b] = [one, other].map((number) => number.toString(16).padStart(8, '0'))
  const start = `${time.slice(0, 8)}-${time.slice(8)}`
  return `${start}-7${a?.slice(0, 3)}-8${a?.slice(3, 6)}-${a?.slice(4)}${b}`
}
