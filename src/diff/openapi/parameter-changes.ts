import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText } from '../canonical.ts'
import { type ApiParameter, childOf } from './api-document.ts'
import {
  type DocumentFinding,
  type DocumentFindingParts,
  findingOf,
  lifetimeChanges,
  type MakeFinding,
  reasonOfEnd,
  verdictOfEnd,
} from './finding.ts'
import { alignTexts } from './parameter-text.ts'
import { type ParameterPair, requestWith, sampleRequest, witnessOf } from './request-sample.ts'
import { resolveTop } from './schema-book.ts'
import { type OperationPair, schemaMessage, shortText } from './schema-comparison.ts'

/** Compares the parameters of an operation. */
export function parameterChanges(pair: OperationPair): readonly DocumentFinding[] {
  const old = new Map(pair.old.parameters.map((parameter) => [parameter.key, parameter]))
  const next = new Map(pair.new.parameters.map((parameter) => [parameter.key, parameter]))
  return [
    ...[...old.values()].flatMap((parameter) => {
      const other = next.get(parameter.key)
      if (other) return changesOf(pair, { old: parameter, new: other })
      // A path always has its values, even where a document says nothing of them.
      return parameter.in === 'path' ? [] : [removed(pair, parameter)]
    }),
    ...[...next.values()]
      .filter(({ key, in: where }) => !old.has(key) && where !== 'path')
      .map((parameter) => added(pair, parameter)),
  ]
}

function placeOf({ place }: OperationPair, parameter: ApiParameter): string {
  return `${place} ${parameter.in} ${parameter.name}`
}

function sharedBy(one: ApiParameter, other: ApiParameter | undefined): string | undefined {
  return one.shared === other?.shared ? one.shared : undefined
}

function removed(pair: OperationPair, parameter: ApiParameter): DocumentFinding {
  const { lifetime, shared } = parameter
  const verdict = verdictOfEnd(lifetime, pair.on)
  const because = reasonOfEnd(lifetime, pair.on)
  return findingOf('parameter-removed', placeOf(pair, parameter), {
    shared,
    verdict,
    ...(because === undefined ? {} : { because }),
    from: parameter.name,
    message: `the parameter "${parameter.name}" is gone`,
    ...witnessOf(verdict === 'breaking' ? requestWith(pair, parameter) : undefined),
  })
}

function added(pair: OperationPair, parameter: ApiParameter): DocumentFinding {
  const { name, shared, isRequired } = parameter
  const parts = { shared, to: name }
  return isRequired
    ? findingOf('parameter-required-added', placeOf(pair, parameter), {
        ...parts,
        message: `a request needs the parameter "${name}"`,
        ...witnessOf(sampleRequest(pair.old, pair.schemas)),
      })
    : findingOf('parameter-added', placeOf(pair, parameter), {
        ...parts,
        message: `a request may have the parameter "${name}"`,
      })
}

function changesOf(pair: OperationPair, both: ParameterPair): readonly DocumentFinding[] {
  const shared = sharedBy(both.old, both.new)
  const at = placeOf(pair, both.old)
  const find = (rule: string, parts: DocumentFindingParts) =>
    findingOf(rule, at, { shared, ...parts })
  return [
    ...(both.old.isRequired === both.new.isRequired ? [] : [requiredChange(pair, both, find)]),
    ...emptyChange(pair, both, find),
    ...formChanges(pair, both, find),
    ...lifetimeChanges('parameter', { old: both.old.lifetime, new: both.new.lifetime }, find),
    ...defaultChange(pair, both),
    ...schemaChanges(pair, both),
  ]
}

function requiredChange(pair: OperationPair, { old, new: next }: ParameterPair, find: MakeFinding) {
  const { name } = old
  return next.isRequired
    ? find('parameter-became-required', {
        message: `a request needs the parameter "${name}"`,
        ...witnessOf(sampleRequest(pair.old, pair.schemas)),
      })
    : find('parameter-became-optional', {
        message: `a request may leave out the parameter "${name}"`,
      })
}

function schemaChanges(pair: OperationPair, both: ParameterPair): readonly DocumentFinding[] {
  const changes = pair.schemas.compare({
    old: both.old.schema,
    new: both.new.schema,
    use: 'request',
    adjust: (owned) => alignTexts(owned, { form: both.new.form, use: 'request' }),
  })
  const at = placeOf(pair, both.old)
  const whole = sharedBy(both.old, both.new)
  const from = keywordOf(pair, both, { keyword: 'type', document: 'old' })
  const to = keywordOf(pair, both, { keyword: 'type', document: 'new' })
  const isFine = changes.length > 0 && changes.every(({ verdict }) => verdict === 'fine')
  if (isFine && canonicalText(from) !== canonicalText(to)) {
    const message = `the texts of "${both.old.name}" are among those of the new type`
    return [findingOf('request-type-widened', at, { shared: whole, from, to, message })]
  }
  return changes.map((change) => {
    const { rule, from, to, verdict, because, witness } = change
    return {
      ...{ rule, from, to, verdict, message: schemaMessage(change) },
      at: change.at === '' ? at : `${at} ${change.at}`,
      shared: change.shared ?? (whole && [whole, change.at].join(' ').trim()),
      ...(because === undefined ? {} : { because }),
      ...witnessOf(witness && requestWith(pair, both.old, witness)),
    }
  })
}

interface KeywordPlace {
  readonly keyword: 'default' | 'type'
  readonly document: 'old' | 'new'
}

function keywordOf(
  { schemas }: OperationPair,
  both: ParameterPair,
  { keyword, document }: KeywordPlace,
): Json {
  const owned = schemas.read(both[document].schema, { document, use: 'request' })
  return childOf(resolveTop(owned), keyword) ?? null
}

function defaultChange(pair: OperationPair, both: ParameterPair): readonly DocumentFinding[] {
  const from = keywordOf(pair, both, { keyword: 'default', document: 'old' })
  const to = keywordOf(pair, both, { keyword: 'default', document: 'new' })
  if (canonicalText(from) === canonicalText(to)) return []
  const message = `the default of "${both.old.name}" is ${shortText(to)}, it was ${shortText(from)}`
  return [
    findingOf('parameter-default-changed', placeOf(pair, both.old), {
      ...{ shared: sharedBy(both.old, both.new), from, to, message },
    }),
  ]
}

/** Tells whether a parameter takes an empty value. */
function emptyChange(
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
function formChanges(
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
