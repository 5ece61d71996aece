import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'

/** Runs `nounful init` in a folder of its own. */
async function init(source: (folder: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'nounful-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [warnings, codes]: [string[], number[]] = [[], []]
  const io = {
    print: () => undefined,
    warn: (text: string) => void warnings.push(text),
    setExitCode: (code: number) => void codes.push(code),
    version: '0.1.0',
  }
  const shop = join(folder, 'shop')
  await runProgram(['init', shop, '--from', source(folder)], io)
  return { shop, warnings, codes }
}

function fileWith(folder: string, statements: string): string {
  const path = join(folder, 'data.sqlite')
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
  return path
}

test('a SQLite file becomes a project beside it', async () => {
  const { shop, warnings, codes } = await init((folder) =>
    fileWith(
      folder,
      `create table notes (id integer primary key, text text not null);
       create table tags (note_id integer, tag text, primary key (note_id, tag));`,
    ),
  )
  expect([codes, warnings]).toEqual([
    [],
    ['The table "tags" is not served: its key (note_id, tag) is not of one column.'],
  ])
  expect(readdirSync(shop)).toHaveLength(10)
  const database = readFileSync(join(shop, 'database.ts'), 'utf8')
  expect(database).toContain("process.env.DATABASE_FILE ?? '../data.sqlite'")
})

const noTables = (folder: string) => fileWith(folder, 'create table tags (tag text)')
const broken = (folder: string) => {
  const path = join(folder, 'data.sqlite')
  writeFileSync(path, `SQLite format 3\0${'x'.repeat(5000)}`)
  return path
}

test.each([
  [
    'a PostgreSQL that is away',
    () => 'postgres://ann:secret@127.0.0.1:1/shop',
    /^postgres:\/\/127\.0\.0\.1:1\/shop cannot be read: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
  ],
  [
    'a MariaDB that is away',
    () => 'mariadb://ann:secret@127.0.0.1:1/shop',
    /^mysql:\/\/127\.0\.0\.1:1\/shop cannot be read: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
  ],
  [
    'an address without a database',
    () => 'mysql://ann:secret@127.0.0.1:1',
    /^mysql:\/\/127\.0\.0\.1:1 cannot be read: its address names no database\.$/,
  ],
  ['no address', () => 'postgres://:secret@:x', /^The database cannot be read: .+\.$/],
  ['a broken file', broken, /data\.sqlite cannot be read: file is not a database\.$/],
  ['no table to serve', noTables, /has no table that a contract can serve\.\nThe table "tags"/],
])('%s is a sentence, and nothing is written', async (_, source, sentence) => {
  const { shop, warnings, codes } = await init(source)
  expect([codes, existsSync(shop)]).toEqual([[1], false])
  expect(warnings).toEqual([expect.stringMatching(sentence)])
  expect(warnings.join()).not.toContain('secret')
})
