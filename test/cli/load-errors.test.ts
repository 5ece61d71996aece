import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GateFolder, gateFolder } from './gate-folder.ts'

const timeout = 60_000
const execute = promisify(execFile)
const program = fileURLToPath(new URL('load-by-jiti.ts', import.meta.url))

const files: Readonly<Record<string, string>> = {
  'contract.ts': "import { z } from 'zod'\n\nexport const Note =\nexport const b = z.string(\n",
  'registry.ts': "import { Note } from './contract.ts'\nexport const a: unknown = Note\n",
  'open.ts': 'export const a: number = 1\nexport const registry = {\n',
  'open.mjs': 'export const a = 1\nexport const registry = {\n',
  'lacks-file.ts': "import { z } from 'zod'\nimport { api } from './nowhere.ts'\nz.string(api)\n",
  'lacks-package.ts': "import { z } from 'zod'\nimport api from 'no-such-package'\nz.string(api)\n",
  'lacks-export.ts':
    "import { defineRegistry } from 'nounful'\nimport { apii } from './fine.ts'\n" +
    'export const registry = defineRegistry(apii)\n',
  'fine.ts': 'export const a: number = 1\n',
  'misnamed.ts': `import { defineResource } from 'nounful'
import { z } from 'zod'

const schema: any = z.object({ id: z.string(), text: z.string() })
export const notes = defineResource('notes', { schema, sortable: ['txt'], searchable: ['tex'] })
`,
  'through.ts': "export { notes } from './misnamed.ts'\n",
  'with-enum.ts':
    "enum Place { Here = '/notes' }\nexport { notes } from './misnamed.ts'\nPlace.Here\n",
  'enum-open.ts': "enum Place { Here = '/notes' }\nexport const registry = {\n",
  'throws.ts': "const place: string = 'here'\n\nif (place) throw new Error('Not ' + place)\n",
  'zod.ts': "import { z } from 'zod'\nconst a: any = { no: true }\nz.object({}).pick(a)\n",
}

let folder: GateFolder
let root = ''
beforeAll(() => {
  folder = gateFolder()
  root = realpathSync(folder.path)
  for (const [name, text] of Object.entries(files)) folder.write(name, text)
})
afterAll(() => folder.drop())

const field =
  'Resource "notes" names "txt" in "sortable": "txt" is no field of "notes". Did you mean'
const rows: readonly (readonly [file: string, node: string, jiti: string])[] = [
  ['contract.ts', 'contract.ts:4:1: Expression expected', 'contract.ts:4:1: Unexpected token'],
  ['registry.ts', 'contract.ts:4:1: Expression expected', 'contract.ts:4:1: Unexpected token'],
  ['open.ts', 'open.ts:3:1: Unexpected token', 'open.ts:3:1: Unexpected token'],
  ['open.mjs', 'open.mjs:3:1: Unexpected end of input', 'open.mjs:3:1: Unexpected token'],
  [
    'lacks-file.ts',
    'lacks-file.ts:2:21: Cannot find "./nowhere.ts"',
    'lacks-file.ts:2:21: Cannot find "./nowhere.ts"',
  ],
  [
    'lacks-package.ts',
    'lacks-package.ts:2:17: Cannot find "no-such-package"',
    'lacks-package.ts:2:17: Cannot find "no-such-package"',
  ],
  ['misnamed.ts', `misnamed.ts:5:22: ${field}`, `misnamed.ts:5:22: ${field}`],
  ['through.ts', `misnamed.ts:5:22: ${field}`, `misnamed.ts:5:22: ${field}`],
  ['with-enum.ts', `misnamed.ts:5:22: ${field}`, `misnamed.ts:5:22: ${field}`],
  ['enum-open.ts', 'enum-open.ts:3:1: ', 'enum-open.ts:3:1: Unexpected token'],
  ['throws.ts', 'throws.ts:3:18: Not here', 'throws.ts:3:18: Not here'],
  ['zod.ts', 'zod.ts:3:14: Unrecognized key: "no"', 'zod.ts:3:14: Unrecognized key: "no"'],
]

describe('a module that does not load', () => {
  test.concurrent.each(rows)(
    '%s is told with its place',
    async (file, node) => {
      const { code, out, warned } = await folder.run('routes', file)
      expect([code, out, warned.startsWith(node)]).toEqual([2, '', true])
      expect(warned).not.toMatch(/^ +at |node_modules/m)
    },
    timeout,
  )

  test(
    'is told with its place by jiti alone',
    async () => {
      const paths = rows.map(([file]) => join(root, file))
      const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']
      const { stdout } = await execute(process.execPath, [...flags, program, ...paths])
      const messages: Record<string, string> = JSON.parse(stdout)
      for (const [file, , jiti] of rows) {
        expect(messages[join(root, file)]?.slice(0, root.length + 1 + jiti.length)).toBe(
          `${root}/${jiti}`,
        )
      }
    },
    timeout,
  )

  test(
    'that names an export which is missing is told by Node',
    async () => {
      const { warned } = await folder.run('routes', 'lacks-export.ts')
      expect(warned).toMatch(/^lacks-export\.ts:2:10: .*no.* export named 'apii'\n$/)
    },
    timeout,
  )

  test(
    'tells every fault of a declaration',
    async () => {
      const { warned } = await folder.run('routes', 'misnamed.ts')
      expect(warned).toContain('"tex" is no field of "notes". Did you mean "text"?')
    },
    timeout,
  )
})
