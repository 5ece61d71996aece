import { compareDocuments } from '../../../src/diff/openapi/document-changes.ts'

/** A JSON object of a test. */
export type Part = Readonly<Record<string, unknown>>

/** Makes a document of one operation, `GET /pets` unless the parts name another. */
export function documentOf(operation: Part, further: Part = {}): Part {
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { get: { responses: ok, ...operation } } },
    ...further,
  }
}

/** The responses of an operation that returns nothing to compare. */
export const ok = { 200: { description: 'Fine' } }

/** Makes the content of a JSON body. */
export function json(schema: unknown): Part {
  return { 'application/json': { schema } }
}

/** Compares two documents on a fixed day: `breaking parameter-removed GET /pets query q`. */
export function linesOf(old: unknown, next: unknown): string[] {
  return compareDocuments(old, next, { on: '2026-06-01' }).map(
    ({ verdict, rule, at }) => `${verdict} ${rule} ${at}`,
  )
}
