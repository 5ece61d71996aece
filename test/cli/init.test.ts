import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkNode, type InitFlags, initProject } from '../../src/cli/init.ts'
import { runProgram } from '../../src/cli/program.ts'

const defaults = { id: 'id', database: 'sqlite' }

function createFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'nounful-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function createIo() {
  const lines: string[] = []
  const warnings: string[] = []
  const io = {
    print: (text: string) => void lines.push(text),
    warn: (text: string) => void warnings.push(text),
    setExitCode: () => undefined,
    version: '0.1.0',
  }
  return { io, lines, warnings }
}

describe('a new project', () => {
  test('has its files, and says what comes next', async () => {
    const folder = createFolder()
    const { io, lines, warnings } = createIo()
    await runProgram(['init', join(folder, 'shop')], io)
    const names = readdirSync(join(folder, 'shop'))
    expect(names.toSorted()).toEqual([
      ...['.gitignore', 'README.md', 'api.test.ts', 'contract.ts', 'data.sql', 'database.ts'],
      ...['package.json', 'registry.ts', 'schema.sql', 'server.ts', 'service.ts', 'tsconfig.json'],
    ])
    expect(lines.join('\n')).toMatch(/^shop is written: [^\n]+\n\n {2}cd .*shop\n {2}npm install\n/)
    expect(warnings).toEqual([])
  })

  test.each<Partial<InitFlags>>([
    {},
    { auth: 'jwt', tenants: true },
    { auth: 'jwt', tenants: true, database: 'postgres' },
  ])('depends on the packages that this one is tried with: %j', async (flags) => {
    const folder = createFolder()
    await initProject(join(folder, 'shop'), { ...defaults, ...flags }, createIo().io)
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(folder, 'shop/package.json'), 'utf8'),
    )
    const library = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    const versions = { ...library.devDependencies, nounful: library.version }
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      expect([name, range]).toEqual([name, `^${versions[name]}`])
  })

  test('tells what the author of a file has to know', async () => {
    const home = '{"city":"x","__proto__":"y"}'
    const item = `{"_id":7,"a":null,"b":"\\ud800","__proto__":1,"home":${home}}`
    const file = `{"posts":[${item},{"_id":8}],"tags":[{"_id":1,"__proto__":{"a":1}}],"profile":{}}`
    const folder = createFolder({ 'db.json': file })
    const { io, warnings } = createIo()
    await initProject(
      join(folder, 'api'),
      { ...defaults, from: join(folder, 'db.json'), id: '_id' },
      io,
    )
    expect(warnings).toEqual([
      '"profile" is an object: its path is /profiles/profile.',
      expect.stringContaining('by "__proto__": a parameter cannot name it.'),
      '"a" of "posts" is null or missing: here it is null.',
      '"b" of "posts" has half a character: the database replaces it.',
      '"__proto__" of "posts" stays in the file: no contract can name it.',
      '"__proto__" of "tags" stays in the file: no contract can name it.',
    ])
    expect(readFileSync(join(folder, 'api/data.sql'), 'utf8')).toContain(
      'posts (id, a, b, home) values\n  (7, null,',
    )
    const contract = readFileSync(join(folder, 'api/contract.ts'), 'utf8')
    expect(contract).toContain("'home.city'")
    expect(contract).not.toContain('__proto__')
  })
})

describe('wrong use is told, and nothing is written', () => {
  test.each<readonly [what: string, folder: string, file: string | undefined, sentence: RegExp]>([
    ['a folder with files', 'used', undefined, /used holds mine\.txt already: name a folder/],
    ['a file', 'db.txt', undefined, /^ENOTDIR: not a directory/],
    ['a name that is none of a package', 'My API', undefined, /have the name "My API": use lower/],
    ['a file that is not there', 'new', '{none}', /none\.json does not exist: name a JSON file/],
    [
      'a file that is no JSON',
      'new',
      '{"posts": [\n  {"id": 1},,\n]}',
      /line 2, column 13: expect/,
    ],
    [
      'ids that clash',
      'new',
      '{"a": [{"id": 1}, {"id": "1"}]}',
      /a\/0 and a\/1 have the same id 1/,
    ],
    ['a file without collections', 'new', '{"version": 1}', /holds no collection: write one/],
  ])('%s', async (_, name, content, sentence) => {
    const folder = createFolder({ 'db.txt': '' })
    mkdirSync(join(folder, 'used'))
    writeFileSync(join(folder, 'used/mine.txt'), 'mine')
    const from = content === '{none}' ? join(folder, 'none.json') : join(folder, 'db.txt')
    if (content !== undefined) writeFileSync(join(folder, 'db.txt'), content)
    const flags = content === undefined ? defaults : { ...defaults, from }
    await expect(initProject(join(folder, name), flags, createIo().io)).rejects.toThrow(sentence)
    expect(readdirSync(join(folder, 'used'))).toEqual(['mine.txt'])
    expect(existsSync(join(folder, 'new'))).toBe(false)
    expect(existsSync(join(folder, 'My API'))).toBe(false)
  })

  test.each<readonly [string, Partial<InitFlags>]>([
    ['--auth cannot be "basic": write --auth jwt.', { auth: 'basic', tenants: true }],
    ['--auth jwt and --tenants go together', { auth: 'jwt' }],
    ['--auth jwt and --tenants go together', { tenants: true }],
    ['--from and --tenants exclude each other', { auth: 'jwt', tenants: true, from: 'db.json' }],
    ['--database cannot be "oracle": write sqlite or postgres.', { database: 'oracle' }],
    ['--database postgres is for a service', { database: 'postgres' }],
  ])('%s', async (sentence, flags) => {
    const folder = join(createFolder(), 'new')
    const writing = initProject(folder, { ...defaults, ...flags }, createIo().io)
    await expect(writing).rejects.toThrow(sentence)
    expect(existsSync(folder)).toBe(false)
  })

  test.each<readonly [string, boolean]>([
    ['20.19.0', false],
    ['22.17.1', false],
    ['22.18.0', true],
    ['24.0.0', true],
    ['26.1.0', true],
  ])('by Node %s: %s', (version, isTaken) => {
    const check = () => checkNode(version)
    if (isTaken) expect(check).not.toThrow()
    else expect(check).toThrow(`takes Node 22.18 or later: this is ${version}.`)
  })
})
