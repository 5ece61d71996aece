import type { ApiOperation } from './api-document.ts'
import { type DocumentFinding, findingOf } from './finding.ts'
import { pairMediaTypes } from './media-type-pairs.ts'
import { pairBy, pairOperations } from './operation-pairs.ts'
import type { DocumentPair, SchemaComparison } from './schema-comparison.ts'
import { schemaMessage } from './schema-message.ts'

/**
 * Compares the requests that the server sends: webhooks, and the callbacks of operations. Their
 * bodies are what a client gets.
 */
export function webhookChanges(
  documents: DocumentPair,
  schemas: SchemaComparison,
): readonly DocumentFinding[] {
  const { pairs } = pairOperations(documents)
  const { old, new: next } = documents
  return [
    ...calledChanges({ old: old.webhooks, new: next.webhooks, at: 'webhook' }, schemas),
    ...pairs.flatMap(([one, other]) =>
      calledChanges(
        {
          old: one.callbacks,
          new: other.callbacks,
          at: `${one.method} ${one.path} callback`,
        },
        schemas,
      ),
    ),
  ]
}

interface CalledPair {
  readonly old: readonly ApiOperation[]
  readonly new: readonly ApiOperation[]
  readonly at: string
}

function calledChanges(
  { old, new: next, at }: CalledPair,
  schemas: SchemaComparison,
): readonly DocumentFinding[] {
  const { pairs, removed, added } = pairBy(old, next)
  const placeOf = ({ method, path }: ApiOperation) => `${at} ${method} ${path}`
  return [
    ...removed.map((operation) =>
      findingOf('webhook-removed', placeOf(operation), {
        from: operation.path,
        message: 'the server no longer sends the request',
      }),
    ),
    ...added.map((operation) =>
      findingOf('webhook-added', placeOf(operation), {
        to: operation.path,
        message: 'the server may send the request',
      }),
    ),
    ...pairs.flatMap(([one, other]) => sentChanges(placeOf(one), [one, other], schemas)),
  ]
}

function sentChanges(
  place: string,
  [old, next]: readonly [ApiOperation, ApiOperation],
  schemas: SchemaComparison,
): readonly DocumentFinding[] {
  const { pairs } = pairMediaTypes(old.body?.content ?? [], next.body?.content ?? [])
  return pairs.flatMap(([one, other]) =>
    schemas.compare({ old: one.schema, new: other.schema, use: 'item' }).map((change) => {
      const { rule, from, to, verdict, because, shared } = change
      return {
        ...{ rule, from, to, verdict, message: schemaMessage(change), shared },
        at: `${place} body ${change.at}`.trim(),
        ...(because === undefined ? {} : { because }),
      }
    }),
  )
}
