import { closeSync, openSync, readSync } from 'node:fs'

/** A database to read. */
export type DatabaseAddress =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres' | 'mysql'; readonly url: string }

const protocols = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
} as const

/** Reads the address of a database: a URL, or the path of a SQLite file. `undefined`: neither. */
export function parseAddress(source: string): DatabaseAddress | undefined {
  const [protocol] = /^\w+:(?=\/\/)/.exec(source) ?? []
  const engine = Object.entries(protocols).find(([name]) => name === protocol)?.[1]
  if (engine !== undefined) return { engine, url: source.replace(/^mariadb:/, 'mysql:') }
  return isSqlite(source) ? { engine: 'sqlite', file: source } : undefined
}

const magic = 'SQLite format 3\0'

function isSqlite(path: string): boolean {
  const start = Buffer.alloc(magic.length)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, start)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
  return start.toString('latin1') === magic
}
