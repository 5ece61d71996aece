import type { DocumentFinding } from './finding.ts'
import { childOf } from './json-node.ts'
import type { MakeFinding } from './lifetime.ts'
import type { OperationPair } from './operation-pair.ts'
import { type ParameterPair, requestWith, witnessOf } from './parameter-pair.ts'
import { resolveTop } from './schema-book.ts'

/** Tells whether a parameter takes an empty value. */
export function emptyChange(
  pair: OperationPair,
  { old, new: next }: ParameterPair,
  find: MakeFinding,
): readonly DocumentFinding[] {
  if (old.takesEmpty === next.takesEmpty) return []
  const message = `the parameter "${old.name}" ${next.takesEmpty ? 'may' : 'must not'} be empty`
  return next.takesEmpty
    ? [find('parameter-empty-taken', { message })]
    : [
        find('parameter-empty-refused', {
          message,
          ...witnessOf(requestWith(pair, old, { value: '' })),
        }),
      ]
}

/** Compares how the text of a parameter is written. */
export function formChanges(
  pair: OperationPair,
  both: ParameterPair,
  find: MakeFinding,
): readonly DocumentFinding[] {
  const { old, new: next } = both
  const from = formText(pair, both, 'old')
  const to = formText(pair, both, 'new')
  const styles =
    from === to
      ? []
      : [
          find('parameter-style-changed', {
            from,
            to,
            message: `the text of "${old.name}" is ${to}, it was ${from}`,
            ...witnessOf(requestWith(pair, old)),
          }),
        ]
  const [one, other] = [old.form.takesReserved, next.form.takesReserved]
  if (one === other) return styles
  const rule = other ? 'parameter-reserved-taken' : 'parameter-reserved-refused'
  const message = `"${old.name}" ${other ? 'may' : 'must not'} hold reserved characters`
  return [...styles, find(rule, { message })]
}

// `explode` changes the text of lists and objects only.
function formText(pair: OperationPair, both: ParameterPair, document: 'old' | 'new'): string {
  const { form } = both[document]
  if (form.mediaType !== undefined) return form.mediaType
  const isParted = (['old', 'new'] as const).every((name) => {
    const type = childOf(
      resolveTop(pair.schemas.read(both[name].schema, { document: name, use: 'request' })),
      'type',
    )
    return !/^(?:string|integer|number|boolean)$/.test(String(type))
  })
  const isPlain = !isParted && /^(?:form|simple|spaceDelimited|pipeDelimited)$/.test(form.style)
  if (isPlain) return 'plain'
  return `${form.style}${isParted && form.isExploded ? ', exploded' : ''}`
}
