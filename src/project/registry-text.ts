import { listLines, literal, memberName, objectLines } from './code.ts'
import type { ProjectModel, ProjectResource } from './model.ts'

/** Writes `service.ts`, which binds the contract to the tables of a database. */
export function serviceText({ resources }: ProjectModel): string {
  const lines = [
    "import type { Kysely } from 'kysely'",
    "import { defineRegistry } from 'nounful'",
    "import { kyselyAdapter } from 'nounful/kysely'",
    "import { api } from './contract.ts'",
    '',
    '/** Binds the contract to the tables of a database. */',
    'export function createRegistry(db: Kysely<unknown>) {',
    '  return defineRegistry(api).adapters({',
    ...resources.flatMap((resource) => adapterLines(resource, '    ')),
    '  })',
    '}',
  ]
  return `${lines.join('\n')}\n`
}

/** Writes the adapter of a resource as a member of an object. */
export function adapterLines(
  { noun, table, fields, key }: ProjectResource,
  indent: string,
): readonly string[] {
  const columns = fields.flatMap(({ name, column = name }) =>
    column === name ? [] : [`${memberName(name)}: ${literal(column)}`],
  )
  const before = `${indent}${memberName(noun)}: kyselyAdapter(db, {`
  if (columns.length === 0 && key === undefined) return [`${before} table: ${literal(table)} }),`]
  return [
    before,
    `${indent}  table: ${literal(table)},`,
    ...(columns.length === 0
      ? []
      : objectLines(columns, { before: `${indent}  columns: `, after: ',' })),
    ...(key === undefined ? [] : listLines(key, { before: `${indent}  key: `, after: ',' })),
    `${indent}}),`,
  ]
}
