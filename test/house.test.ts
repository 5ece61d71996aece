import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { statuses } from '../src/convention/operations.ts'
import { longLinesIn, sourcesIn } from './support/lines.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))
  .sort()
const files = new Map(
  names.map((name) => {
    const text = readFileSync(join(source, name), 'utf8')
    return [name, ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)]
  }),
)

/** The rooms, doors and packages that a room may import. A door belongs to the room of its name. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  convention: ['convention', 'inflection'],
  contract: ['convention', 'contract', 'path-to-regexp'],
  wire: ['convention', 'contract', 'wire'],
  server: ['convention', 'contract', 'wire', 'server', 'uuid'],
  views: ['convention', 'contract', 'wire', 'server', 'views'],
  memory: ['convention', 'contract', 'memory', 'uuid'],
  kysely: ['convention', 'contract', 'kysely', 'uuid'],
  client: ['convention', 'contract', 'wire', 'client'],
  providers: ['convention', 'contract', 'wire', 'client', 'providers'],
  'react-admin': ['providers'],
  refine: ['providers'],
  query: ['client'],
  openapi: ['convention', 'contract', 'wire', 'openapi'],
  sets: ['convention', 'contract', 'sets', 'node:crypto', 'refa'],
  schemas: ['convention', 'contract', 'sets', 'schemas'],
  diff: ['convention', 'contract', 'wire', 'openapi', 'sets', 'schemas', 'diff', 'node:crypto'],
  explorer: ['convention', 'contract', 'wire', 'explorer', 'node:fs', 'node:module'],
  layers: ['convention', 'contract', 'wire', 'layers'],
  conformance: ['convention', 'trial'],
  trial: [
    'convention',
    'contract',
    'wire',
    'server',
    'memory',
    'trial',
    'node:fs',
    'node:http',
    'node:https',
    'node:process',
    'node:util',
    'node:zlib',
  ],
  file: [
    'convention',
    'contract',
    'wire',
    'memory',
    'file',
    'uuid',
    'node:buffer',
    'node:fs',
    'node:fs/promises',
    'node:path',
    'node:process',
    'node:timers/promises',
  ],
  project: [
    'index',
    'node',
    'kysely',
    'convention',
    'contract',
    'wire',
    'file',
    'project',
    'mysql2',
    'pg',
    'node:fs',
    'node:path',
    'node:sqlite',
  ],
  cli: [
    'index',
    'explorer',
    'layers',
    'node',
    'openapi',
    'convention',
    'contract',
    'wire',
    'trial',
    'sets',
    'schemas',
    'diff',
    'file',
    'project',
    'kysely',
    'cli',
    'commander',
    'jiti',
    'yaml',
    'node:child_process',
    'node:http',
    'node:https',
    'node:net',
    'node:os',
    'node:process',
    'node:url',
    'node:path',
    'node:fs',
    'node:util',
    'node:zlib',
  ],
  fetch: ['convention', 'contract', 'server'],
  node: ['convention', 'contract', 'server', 'node', 'node:http', 'node:net', 'node:stream'],
  index: ['convention', 'contract', 'wire', 'server', 'views'],
}

/** The folders of `contract/`, from the bottom up. A folder imports itself and those before it. */
const floorsOfContract = ['schema', 'resource', 'values', 'declare']

/** Packages that one file only may import. */
const packages: Readonly<Record<string, string>> = {
  'path-to-regexp': 'contract/declare/collections.ts',
  inflection: 'convention/noun.ts',
  refa: 'sets/automaton.ts',
}

/** Words that say which value, or what happened to it, but not what it is. */
const pronouns: ReadonlySet<string> = new Set(
  (
    'one other others own found given known shown asked made kept left right taken told untold ' +
    'whole part rest both thing these those beneath below under hub'
  ).split(' '),
)

/** Such names in 100 lines of a room's code. */
const maxPronouns = 1

/** Folders of peers, which may hold many files. */
const peers: Readonly<Record<string, string>> = {
  'trial/check/rules': 'a group of rules each',
  wire: 'a parse and a format function each',
}

/** Files that list peers: commands, rules, steps, members of a document, files of a project. */
const tables: readonly string[] = [
  'cli/program.ts',
  'diff/compare/snapshots.ts',
  'diff/rules.ts',
  'explorer/browser/main.ts',
  'explorer/content.ts',
  'explorer/page.ts',
  'openapi/document.ts',
  'openapi/paths.ts',
  'project/files.ts',
  'server/handle.ts',
  'trial/check/run.ts',
  'trial/conformance/checks.ts',
]

const maxLinesOfFile = 400
const maxLinesOfFunction = 40
const maxFloors = 6
const maxImports = 12
const maxFilesOfFolder = 20
const maxValuesOfMainDoor = 16
const maxTypesOfMainDoor = 55

/** Folders and files whose lines have at most 100 columns. */
const folders = ['src', 'test', 'bench', 'e2e', 'tools', 'examples', 'docs', 'README.md']

function roomOf(name: string): string {
  return name.split('/')[0]?.replace(/\.ts$/, '') ?? ''
}

function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node) => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return nodes
}

/** Lists all imports and re-exports, types too: files by name below `src/`, packages by theirs. */
function importsOf(file: ts.SourceFile): string[] {
  return namesOfModules(file, (node) =>
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
        ? node.argument.literal
        : importedLater(node),
  )
}

/** Returns the module of `await import('./names.ts')`. */
function importedLater(node: ts.Node): ts.Node | undefined {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? node.arguments[0]
    : undefined
}

function namesOfModules(
  file: ts.SourceFile,
  specifierOf: (node: ts.Node) => ts.Node | undefined,
): string[] {
  return nodesOf(file).flatMap((node) => {
    const specifier = specifierOf(node)
    if (!specifier || !ts.isStringLiteral(specifier)) return []
    const { text } = specifier
    return [text.startsWith('.') ? normalize(join(dirname(file.fileName), text)) : text]
  })
}

/** Returns the name of the object whose member a node assigns or deletes; `''` for none. */
function nameOfChanged(node: ts.Node): string {
  const target = changedBy(node)
  if (target === undefined) return ''
  return (ts.isPropertyAccessExpression(target) ? target.name : target).getText()
}

function changedBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    const isAssignment =
      kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
    return isAssignment ? ownerOfMember(node.left) : undefined
  }
  if (ts.isDeleteExpression(node)) return ownerOfMember(node.expression)
  const isCounting =
    ts.isPostfixUnaryExpression(node) ||
    (ts.isPrefixUnaryExpression(node) && node.operator !== ts.SyntaxKind.ExclamationToken)
  if (isCounting) return ownerOfMember(node.operand)
  if (!ts.isCallExpression(node)) return undefined
  const isWrite =
    /^(?:Object\.(?:assign|definePropert)|Reflect\.(?:set|define|delete)|setField|putField)/.test(
      node.expression.getText(),
    )
  return isWrite ? node.arguments[0] : undefined
}

function ownerOfMember(target: ts.Expression): ts.Expression | undefined {
  return ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)
    ? target.expression
    : undefined
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile()
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

function faultsOf(find: (file: ts.SourceFile) => readonly string[]): string[] {
  return [...files.values()].flatMap(find)
}

function linesOf(name: string): number {
  return files.get(name)?.text.trimEnd().split('\n').length ?? 0
}

/** By file: the files of `src/` that it imports, and those that import it. */
const imports = new Map<string, readonly string[]>()
const importers = new Map<string, string[]>()
for (const [name, file] of files) {
  const imported = [...new Set(importsOf(file))].filter((path) => files.has(path))
  imports.set(name, imported)
  for (const path of imported) importers.set(path, [...(importers.get(path) ?? []), name])
}

const floors = new Map<string, number>()

/** Returns the floor of a file in its room: one above the highest file that it imports there. */
function floorOf(name: string): number {
  const cached = floors.get(name)
  if (cached !== undefined) return cached
  const below = imports.get(name)?.filter((path) => roomOf(path) === roomOf(name)) ?? []
  const floor = 1 + Math.max(0, ...below.map(floorOf))
  floors.set(name, floor)
  return floor
}

/** Returns the file that a file should live in: its only importer in the room, if both fit. */
function homeOf(name: string): string | undefined {
  const [importer, ...others] = importers.get(name) ?? []
  const file = files.get(importer ?? '')
  if (!file || !importer?.includes('/') || others.length > 0) return undefined
  const isLazy = namesOfModules(file, importedLater).includes(name)
  const fits = linesOf(name) + linesOf(importer) <= maxLinesOfFile
  const isPeer = tables.includes(importer)
  return roomOf(importer) === roomOf(name) && fits && !isLazy && !isPeer ? importer : undefined
}

/** The rules of the layout of a room's files. Each lists the faults. */
const layout = {
  /** A file is at most on the sixth floor of its room. A door stands above it. */
  floors: (paths: readonly string[]) =>
    paths
      .filter((path) => path.includes('/') && floorOf(path) > maxFloors)
      .map((path) => `${path}: ${floorOf(path)}`),
  /** A file imports at most twelve files. */
  imports: (paths: readonly string[]) =>
    paths
      .filter((path) => path.includes('/') && !tables.includes(path))
      .map((path) => [path, imports.get(path)?.length ?? 0] as const)
      .filter(([, count]) => count > maxImports)
      .map(([path, count]) => `${path}: ${count}`),
  /** A folder holds at most twenty files, unless they are peers. */
  folders: (paths: readonly string[]) =>
    [...new Set(paths.map(dirname))]
      .filter((folder) => peers[folder] === undefined)
      .map((folder) => [folder, paths.filter((path) => dirname(path) === folder).length] as const)
      .filter(([, count]) => count > maxFilesOfFolder)
      .map(([folder, count]) => `${folder}: ${count}`),
  /** A file with one importer lives in it. */
  homes: (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const home = homeOf(path)
      return home === undefined ? [] : [`${path}: merge it into ${home}`]
    }),
}

describe('imports', () => {
  test('go downward only', () => {
    const faults = faultsOf((file) => {
      const allowed = rooms[roomOf(file.fileName)] ?? []
      return importsOf(file)
        .filter((name) => !allowed.includes(files.has(name) ? roomOf(name) : name))
        .map((name) => `${file.fileName} imports ${name}`)
    })
    expect(faults).toEqual([])
  })

  test('of contract/ go down its four floors', () => {
    const floorOf = (name: string) => floorsOfContract.indexOf(name.split('/')[1] ?? '')
    const faults = faultsOf((file) =>
      roomOf(file.fileName) === 'contract'
        ? importsOf(file)
            .filter((name) => roomOf(name) === 'contract')
            .filter((name) => floorOf(name) < 0 || floorOf(name) > floorOf(file.fileName))
            .map((name) => `${file.fileName} imports ${name}`)
        : [],
    )
    expect(faults).toEqual([])
  })

  // A view is an adapter: it judges items as the core does, and takes no step of a request.
  test('of views/ take operations, checks, rewrite and remove of server/ only', () => {
    const faults = faultsOf((file) =>
      roomOf(file.fileName) === 'views'
        ? importsOf(file)
            .filter((name) => /^server\/(?!checks\/|(?:operations|rewrite|remove)\.ts)/.test(name))
            .map((name) => `${file.fileName} imports ${name}`)
        : [],
    )
    expect(faults).toEqual([])
  })

  // A room that responds by itself would bypass the layers, the context and the middleware.
  test('take what answers requests in doors only', () => {
    const doors = ['fetch.ts', 'node/listener.ts', 'server/respond.ts']
    const faults = faultsOf((file) =>
      nodesOf(file)
        .filter(ts.isImportSpecifier)
        .map(({ name, propertyName }) => (propertyName ?? name).text)
        .filter((name) => /^(?:respond|responder)$/.test(name) && !doors.includes(file.fileName))
        .map((name) => `${file.fileName} imports ${name}`),
    )
    expect(faults).toEqual([])
  })

  test('take a package in one file', () => {
    const faults = faultsOf((file) =>
      importsOf(file)
        .filter((name) => packages[name] !== undefined && packages[name] !== file.fileName)
        .map((name) => `${file.fileName} imports ${name}`),
    )
    expect(faults).toEqual([])
  })

  test('name files that are there', () => {
    const faults = faultsOf((file) =>
      importsOf(file)
        .filter((name) => name.endsWith('.ts') && !files.has(name))
        .map((name) => `${file.fileName} imports ${name}`),
    )
    expect(faults).toEqual([])
  })

  test('of checks and lifetimes lead to no step', () => {
    const faults = faultsOf((file) =>
      /^server\/(?:checks|lifetime)\//.test(file.fileName)
        ? importsOf(file)
            .filter((name) => /^server\/(?:steps\/|handle)/.test(name))
            .map((name) => `${file.fileName} imports ${name}`)
        : [],
    )
    expect(faults).toEqual([])
  })

  test('form no cycle, types included', () => {
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (name: string, path: readonly string[]) => {
      if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(' → '))
      if (done.has(name) || path.includes(name)) return
      const file = files.get(name)
      for (const imported of file ? importsOf(file) : []) visit(imported, [...path, name])
      done.add(name)
    }
    for (const name of names) visit(name, [])
    expect(cycles).toEqual([])
  })
})

describe('operations and tasks', () => {
  const writer = 'server/operations.ts'

  // Steps and views share one operation with the middleware and `onError`: see `complete`.
  test(`change in ${writer} only`, () => {
    const faults = faultsOf((file) =>
      /^(?:server|views)\//.test(file.fileName) && file.fileName !== writer
        ? nodesOf(file)
            .filter((node) => /(?:operation|task|writing|trial)$/i.test(nameOfChanged(node)))
            .map(placeOf)
        : [],
    )
    expect(faults).toEqual([])
  })

  test(`change in one function of ${writer}`, () => {
    const file = files.get(writer)
    const changes = file ? nodesOf(file).filter((node) => nameOfChanged(node) !== '') : []
    expect(changes.map((node) => node.getText())).toEqual([
      'operation[name] = value',
      'scope[name] = (parents[depth] as PathParent).id',
    ])
  })

  test.each([
    ['operation.item = item', 'operation'],
    ['task.operation.items ??= []', 'operation'],
    ['task.operation["ids"] = ids', 'operation'],
    ['delete baseOperation.id', 'baseOperation'],
    ['task.tries++', 'task'],
    ['Object.assign(task, more)', 'task'],
    ['Reflect.deleteProperty(task.operation, "item")', 'operation'],
    ['const next = { ...task, outcome }', ''],
    ['operation.item === item', ''],
    ['if (!operation.isDryRun) run()', ''],
  ])('are watched: %s', (text, expected) => {
    const nodes = nodesOf(ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022, true))
    expect(nodes.map(nameOfChanged).find((name) => name !== '') ?? '').toBe(expected)
  })
})

describe('rooms', () => {
  test('are the ones of the plan', () => {
    expect([...new Set(names.map(roomOf))].filter((room) => rooms[room] === undefined)).toEqual([])
  })

  test('have no barrel', () => {
    expect(names.filter((name) => /\/index\.ts$/.test(name))).toEqual([])
  })

  test('leave the main door to re-exports', () => {
    const statements = files.get('index.ts')?.statements ?? []
    expect(
      statements.filter((statement) => !ts.isExportDeclaration(statement)).map(placeOf),
    ).toEqual([])
  })

  test.each([...new Set(names.map(roomOf))])('lay out their files by the rules: %s', (room) => {
    const paths = names.filter((name) => roomOf(name) === room)
    const faults = Object.entries(layout).flatMap(([rule, find]) =>
      find(paths).map((text) => `${rule}: ${text}`),
    )
    expect(faults).toEqual([])
  })
})

describe('files', () => {
  test(`have at most ${maxLinesOfFile} lines`, () => {
    const long = names.filter((name) => linesOf(name) > maxLinesOfFile)
    expect(long).toEqual([])
  })

  test(`have functions of at most ${maxLinesOfFunction} lines`, () => {
    const faults = faultsOf((file) =>
      nodesOf(file).flatMap((node) => {
        if (!ts.isFunctionLike(node) || !('body' in node)) return []
        const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line
        const lines = lineOf(node.end) - lineOf(node.getStart()) + 1
        return lines > maxLinesOfFunction ? [`${placeOf(node)}: ${lines}`] : []
      }),
    )
    expect(faults).toEqual([])
  })

  test.each(folders)('have lines of at most 100 columns: %s', (path) => {
    const long = sourcesIn(root, path)
      .map((name) => [name, longLinesIn(root, name)] as const)
      .filter(([, lines]) => lines.length > 0)
    expect(long).toEqual([])
  })

  test('have no any', () => {
    const faults = faultsOf((file) =>
      nodesOf(file)
        .filter(({ kind }) => kind === ts.SyntaxKind.AnyKeyword)
        .map(placeOf),
    )
    expect(faults).toEqual([])
  })

  test('silence no tool', () => {
    // A table may keep its rows on their lines.
    const silence =
      /@ts-(ignore|expect-error|nocheck)|eslint-disable|biome-ignore(?!(-start|-end)? format:)|v8 ignore|istanbul/
    const faults = faultsOf(({ fileName, text }) =>
      text.split('\n').flatMap((line, at) => (silence.test(line) ? [`${fileName}:${at + 1}`] : [])),
    )
    expect(faults).toEqual([])
  })
})

describe('names', () => {
  test.each([...new Set(names.map(folderOf))])('of %s/ say what a thing is', (room) => {
    expect(pronounsPer100Lines(room)).toBeLessThanOrEqual(maxPronouns)
  })
})

describe('exports', () => {
  test('are documented where they are declared', () => {
    const faults = faultsOf((file) =>
      file.statements
        .filter(
          (statement) =>
            isExported(statement) && ts.getJSDocCommentsAndTags(statement).length === 0,
        )
        .map(placeOf),
    )
    expect(faults).toEqual([])
  })

  test('are declared as such', () => {
    const faults = faultsOf((file) =>
      file.statements
        .filter((statement) => ts.isExportAssignment(statement) || isLocalList(statement))
        .map(placeOf),
    )
    expect(faults).toEqual([])
  })

  test('are declared in one file each', () => {
    const paths = new Map<string, Set<string>>()
    for (const file of files.values()) {
      for (const name of file.statements.flatMap(namesOf)) {
        paths.set(name, new Set(paths.get(name)).add(file.fileName))
      }
    }
    const twice = [...paths].filter(([, { size }]) => size > 1)
    expect(twice).toEqual([])
  })

  test(`of the main door are ${maxValuesOfMainDoor} values at most`, () => {
    const values = exportsOfMainDoor().filter(({ isType }) => !isType)
    expect(values.length).toBeLessThanOrEqual(maxValuesOfMainDoor)
  })

  test(`of the main door are ${maxTypesOfMainDoor} types at most`, () => {
    const types = exportsOfMainDoor().filter(({ isType }) => isType)
    expect(types.length).toBeLessThanOrEqual(maxTypesOfMainDoor)
  })

  test('of the main door are named one by one', () => {
    const unnamed = (files.get('index.ts')?.statements ?? []).filter(
      (statement) =>
        ts.isExportDeclaration(statement) &&
        !(statement.exportClause && ts.isNamedExports(statement.exportClause)),
    )
    expect(unnamed.map(placeOf)).toEqual([])
  })
})

test('there are twelve statuses at most', () => {
  expect(new Set(statuses).size).toBeLessThanOrEqual(12)
  expect(statuses.filter((status) => ![2, 4, 5].includes(Math.floor(status / 100)))).toEqual([])
})

/** Rounds to tenths. A member counts where it is declared, not where it is read: `x.rest`. */
function pronounsPer100Lines(room: string): number {
  const sources = [...files.values()].filter(({ fileName }) => folderOf(fileName) === room)
  const lines = sources.flatMap(({ text }) => text.split('\n').filter(isCode))
  const identifiers = sources.flatMap(nodesOf).filter(ts.isIdentifier)
  const hits = identifiers.filter(
    ({ text, parent }) =>
      pronouns.has(text) && !(ts.isPropertyAccessExpression(parent) && parent.name.text === text),
  )
  return Math.round((1000 * hits.length) / Math.max(lines.length, 1)) / 10
}

function folderOf(name: string): string {
  return name.includes('/') ? roomOf(name) : 'doors'
}

function isCode(line: string): boolean {
  return /^\s*(?!\/\/|\/\*|\*)\S/.test(line)
}

/** Lists the names that an exported statement declares. */
function namesOf(statement: ts.Statement): string[] {
  if (!isExported(statement)) return []
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const { name } = statement as ts.DeclarationStatement
  return name ? [name.text] : []
}

interface Exported {
  readonly name: string
  readonly isType: boolean
}

function exportsOfMainDoor(): Exported[] {
  return (files.get('index.ts')?.statements ?? []).flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return []
    const { exportClause, isTypeOnly } = statement
    if (!exportClause || !ts.isNamedExports(exportClause)) return []
    return exportClause.elements.map((element) => ({
      name: element.name.text,
      isType: isTypeOnly || element.isTypeOnly,
    }))
  })
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false
  return (
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
  )
}

function isLocalList(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) && statement.moduleSpecifier === undefined
}
