import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUsageError } from '../../src/cli/load-error.ts'
import { type GateFolder, gateFolder } from './gate-folder.ts'

const patience = 60_000

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
    patience,
  )

  test.each(rows)('%s is told with its place by jiti alone', async (file, _, jiti) => {
    const url = pathToFileURL(join(root, file)).href
    const error = await createJiti(url, { fsCache: false, interopDefault: false })
      .import(url)
      .catch((thrown: unknown) => thrown)
    const { message } = toUsageError(file, { error, loader: 'jiti' })
    expect(message.startsWith(`${root}/${jiti}`)).toBe(true)
  })

  test(
    'that names an export which is missing is told by Node',
    async () => {
      const { warned } = await folder.run('routes', 'lacks-export.ts')
      expect(warned).toMatch(/^lacks-export\.ts:2:10: .*no.* export named 'apii'\n$/)
    },
    patience,
  )

  test(
    'tells every fault of a declaration',
    async () => {
      const { warned } = await folder.run('routes', 'misnamed.ts')
      expect(warned).toContain('"tex" is no field of "notes". Did you mean "text"?')
    },
    patience,
  )
})
