import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { foundModule, moduleOr, snapshotOr } from '../../src/cli/find.ts'
import { runProgram } from '../../src/cli/program.ts'
import { UsageError } from '../../src/trial/check/usage-error.ts'

let folder = ''

/** Makes a folder with some files, and works in it or in a folder below. */
function workIn(files: Readonly<Record<string, string>>, place = '.'): void {
  folder = mkdtempSync(join(tmpdir(), 'find-'))
  // The search goes upwards, to the package of the machine's temporary folder at worst.
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  vi.spyOn(process, 'cwd').mockReturnValue(join(folder, place))
}

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const named = (nounful: unknown): string => JSON.stringify({ nounful })

type Files = Readonly<Record<string, string>>

const modules: readonly (readonly [files: Files, module: string])[] = [
  [{ 'registry.ts': '' }, 'registry.ts'],
  [{ 'src/registry.ts': '' }, 'src/registry.ts'],
  [{ 'registry.mjs': '', 'contract.ts': '' }, 'registry.mjs'],
  [{ 'registry.js': '', 'registry.ts': '' }, 'registry.ts'],
  [{ 'contract.mts': '' }, 'contract.mts'],
  [{ 'src/contract.js': '' }, 'src/contract.js'],
  [{ 'registry.ts': '', 'a/b.ts': '', 'package.json': named({ registry: 'a/b.ts' }) }, 'a/b.ts'],
  [
    { 'registry.ts': '', 'a/b.ts': '', 'package.json': named({ registry: './a/b.ts#mine' }) },
    'a/b.ts#mine',
  ],
  [
    { 'a.ts': '', 'b.ts': '', 'package.json': named({ registry: 'a.ts', contract: 'b.ts' }) },
    'a.ts',
  ],
  [{ 'b.ts': '', 'package.json': named({ contract: 'b.ts' }) }, 'b.ts'],
  [
    { 'registry.ts': '', 'b.json': '', 'package.json': named({ contract: 'b.json' }) },
    'registry.ts',
  ],
]

describe('a command without a module', () => {
  test.each(modules)('of %j takes %s', (files, module) => {
    workIn(files)
    expect(moduleOr(undefined)).toBe(module)
    expect(foundModule()).toBe(module)
    expect(moduleOr('other.ts')).toBe('other.ts')
  })

  test('takes the one beside package.json from a folder below', () => {
    workIn({ 'registry.ts': '', 'lib/deep/a.ts': '' }, 'lib/deep')
    expect(moduleOr(undefined)).toBe('../../registry.ts')
  })

  test('takes the one where it runs first', () => {
    workIn({ 'registry.ts': '', 'lib/registry.js': '' }, 'lib')
    expect(moduleOr(undefined)).toBe('registry.js')
  })

  const wrong: readonly (readonly [text: string, message: string])[] = [
    ['{', 'package.json cannot be read: '],
    [named('registry.ts'), '"nounful" of package.json must be an object, as in "nounful": { "reg'],
    [named({ registry: 7 }), '"registry" of package.json must be a path'],
    [named({ registry: '' }), '"registry" of package.json must be a path'],
    [named({ regsitry: 'a.ts' }), '"nounful" of package.json has "regsitry": write "registry"'],
    [
      named({ registry: 'gone.ts' }),
      'gone.ts, which package.json names as "registry", does not exist.',
    ],
    ['{}', 'No module is named, and ./ and src/ hold no registry.ts and no contract.ts'],
  ]
  test.each(wrong)('refuses the package.json %s', (text, message) => {
    workIn({ 'package.json': text })
    expect(() => moduleOr(undefined)).toThrow(message)
    expect(() => moduleOr(undefined)).toThrow(UsageError)
  })
})

const snapshots: readonly (readonly [files: Files, snapshot: string])[] = [
  [{ 'contract.json': '' }, 'contract.json'],
  [{ 'src/contract.json': '' }, 'src/contract.json'],
  [{ 'contract.json': '', 'b.json': '', 'package.json': named({ contract: 'b.json' }) }, 'b.json'],
  [
    { 'contract.json': '', 'b.ts': '', 'package.json': named({ contract: 'b.ts' }) },
    'contract.json',
  ],
]

describe('a comparison without a snapshot', () => {
  test.each(snapshots)('of %j takes %s', (files, snapshot) => {
    workIn(files)
    expect(snapshotOr(undefined)).toBe(snapshot)
    expect(snapshotOr('old.json')).toBe('old.json')
  })

  test('says where it looked', () => {
    workIn({})
    expect(() => snapshotOr(undefined)).toThrow('./ and src/ hold no contract.json. Write one with')
  })
})

/** Runs a command line, and returns what it prints. */
async function run(...args: readonly string[]) {
  const printed: string[] = []
  let code = 0
  await runProgram(args, {
    print: (text) => void printed.push(text),
    warn: () => undefined,
    setExitCode: (given) => {
      code = given
    },
    version: '1.2.3',
  })
  return { code, text: printed.join('\n') }
}

describe('nounful alone', () => {
  test('prints a first screen', async () => {
    workIn({})
    const { code, text } = await run()
    expect(code).toBe(0)
    expect(text.split('\n')).toEqual([
      'nounful 1.2.3: a conventional JSON API of the resources that you declare.',
      '',
      expect.stringMatching(/^ {2}routes {4}list the operations of an API$/),
      ...Array.from({ length: 10 }, () => expect.stringMatching(/^ {2}[a-z]+ +[a-z]/)),
      '',
      'Next: declare your resources in registry.ts, as in node_modules/nounful/docs/guide.md',
      'npx nounful COMMAND --help shows the options of a command, with examples.',
    ])
  })

  test('names the module that it finds', async () => {
    workIn({ 'src/registry.ts': '' })
    expect((await run()).text).toContain('Next: npx nounful routes lists the operations of src/reg')
  })

  test('fits 80 columns', async () => {
    workIn({})
    expect(Math.max(...(await run()).text.split('\n').map(({ length }) => length))).toBeLessThan(90)
  })
})
