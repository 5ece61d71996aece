import type { ApiParameter } from './api-document.ts'
import { type DocumentFinding, findingOf } from './finding.ts'
import type { OperationPair } from './operation-pair.ts'
import { alignTexts } from './parameter-text.ts'
import { schemaMessage } from './schema-message.ts'

/** The headers of a response in both documents. */
export interface HeaderPair {
  /** The place of the response: `GET /pets 200`. */
  readonly at: string
  readonly shared: string | undefined
  readonly old: readonly ApiParameter[]
  readonly new: readonly ApiParameter[]
}

/** Compares the headers of a response. */
export function headerChanges(
  pair: OperationPair,
  headers: HeaderPair,
): readonly DocumentFinding[] {
  const old = new Map(headers.old.map((header) => [header.key, header]))
  const next = new Map(headers.new.map((header) => [header.key, header]))
  return [
    ...headers.old.flatMap((header) => {
      const other = next.get(header.key)
      return other ? changesOf(pair, headers, [header, other]) : [removed(headers, header)]
    }),
    ...headers.new
      .filter(({ key }) => !old.has(key))
      .map((header) =>
        findingOf('response-header-added', placeOf(headers, header), {
          shared: sharedOf(headers, header),
          to: header.name,
          message: `the response has the header "${header.name}"`,
        }),
      ),
  ]
}

function placeOf({ at }: HeaderPair, { name }: ApiParameter): string {
  return `${at} header ${name}`
}

function sharedOf({ shared }: HeaderPair, { name }: ApiParameter): string | undefined {
  return shared === undefined ? undefined : `${shared} header ${name}`
}

function removed(headers: HeaderPair, header: ApiParameter): DocumentFinding {
  return findingOf('response-header-removed', placeOf(headers, header), {
    shared: sharedOf(headers, header),
    from: header.name,
    message: `the response has no header "${header.name}"`,
    ...(header.isRequired
      ? {}
      : {
          verdict: 'depends',
          because: 'The old document let the header be missing, but clients may read it.',
        }),
  })
}

function changesOf(
  pair: OperationPair,
  headers: HeaderPair,
  [old, next]: readonly [ApiParameter, ApiParameter],
): readonly DocumentFinding[] {
  const at = placeOf(headers, old)
  const shared = old.shared ?? sharedOf(headers, old)
  const changes = pair.schemas.compare({
    old: old.schema,
    new: next.schema,
    use: 'item',
    adjust: (owned) => alignTexts(owned, { form: next.form, use: 'item' }),
  })
  const word = next.isRequired ? 'required' : 'optional'
  return [
    ...(old.isRequired === next.isRequired
      ? []
      : [
          findingOf(`response-header-became-${word}`, at, {
            shared,
            message: `the header "${old.name}" is ${word}`,
          }),
        ]),
    ...changes.map((change) => {
      const { rule, from, to, verdict, because } = change
      return {
        ...{ rule, from, to, verdict, message: schemaMessage(change) },
        at: change.at === '' ? at : `${at} ${change.at}`,
        shared: change.shared ?? [shared, change.at].filter((part) => part).join(' '),
        ...(because === undefined ? {} : { because }),
      }
    }),
  ]
}
