import type { StandardSchema } from './schema.ts'

/** The author of the texts of issues: the core, or the validator. */
export type MessagesOption = 'core' | 'validator'

// A schema says nothing of its api, and a view judges by the schemas of its hub.
const withOwnTexts = new WeakSet<StandardSchema>()

/** The schemas of a resource that judge bodies. */
interface Judging {
  readonly create: StandardSchema
  readonly update: StandardSchema
}

/** Keeps each text of the validators of some resources. */
export function keepTexts(resources: Iterable<Judging>): void {
  for (const { create, update } of resources) {
    withOwnTexts.add(create)
    withOwnTexts.add(update)
  }
}

/** Tells whether an api keeps each text of this validator. */
export function keepsTexts(schema: StandardSchema): boolean {
  return withOwnTexts.has(schema)
}
