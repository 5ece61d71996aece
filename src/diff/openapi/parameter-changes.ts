import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText } from '../../sets/canonical.ts'
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
import { type OperationPair, schemaMessage, shortText } from './pairs.ts'
import { alignTexts } from './parameter-text.ts'
import { type ParameterPair, requestWith, sampleRequest, witnessOf } from './request-sample.ts'
import { resolveTop } from './schema-book.ts'

/** Compares the parameters of an operation. */
export function parameterChanges(pair: OperationPair): readonly DocumentFinding[] {
  const old = new Map(pair.old.parameters.map((parameter) => [parameter.key, parameter]))
  const next = new Map(pair.new.parameters.map((parameter) => [parameter.key, parameter]))
  return [
    ...[...old.values()].flatMap((parameter) => {
      const newParameter = next.get(parameter.key)
      if (newParameter) return changesOf(pair, { old: parameter, new: newParameter })
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

function sharedBy(
  parameter: ApiParameter,
  newParameter: ApiParameter | undefined,
): string | undefined {
  return parameter.shared === newParameter?.shared ? parameter.shared : undefined
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

function changesOf(pair: OperationPair, parameters: ParameterPair): readonly DocumentFinding[] {
  const shared = sharedBy(parameters.old, parameters.new)
  const at = placeOf(pair, parameters.old)
  const find = (rule: string, parts: DocumentFindingParts) =>
    findingOf(rule, at, { shared, ...parts })
  return [
    ...(parameters.old.isRequired === parameters.new.isRequired
      ? []
      : [requiredChange(pair, parameters, find)]),
    ...emptyChange(pair, parameters, find),
    ...formChanges(pair, parameters, find),
    ...lifetimeChanges(
      'parameter',
      { old: parameters.old.lifetime, new: parameters.new.lifetime },
      find,
    ),
    ...defaultChange(pair, parameters),
    ...schemaChanges(pair, parameters),
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

function schemaChanges(pair: OperationPair, parameters: ParameterPair): readonly DocumentFinding[] {
  const changes = pair.schemas.compare({
    old: parameters.old.schema,
    new: parameters.new.schema,
    use: 'request',
    adjust: (owned) => alignTexts(owned, { form: parameters.new.form, use: 'request' }),
  })
  const at = placeOf(pair, parameters.old)
  const shared = sharedBy(parameters.old, parameters.new)
  const from = keywordOf(pair, parameters, { keyword: 'type', document: 'old' })
  const to = keywordOf(pair, parameters, { keyword: 'type', document: 'new' })
  const isFine = changes.length > 0 && changes.every(({ verdict }) => verdict === 'fine')
  if (isFine && canonicalText(from) !== canonicalText(to)) {
    const message = `the texts of "${parameters.old.name}" are among those of the new type`
    return [findingOf('request-type-widened', at, { shared, from, to, message })]
  }
  return changes.map((change) => {
    const { rule, from, to, verdict, because, witness } = change
    return {
      ...{ rule, from, to, verdict, message: schemaMessage(change) },
      at: change.at === '' ? at : `${at} ${change.at}`,
      shared: change.shared ?? (shared && [shared, change.at].join(' ').trim()),
      ...(because === undefined ? {} : { because }),
      ...witnessOf(witness && requestWith(pair, parameters.old, witness)),
    }
  })
}

interface KeywordPlace {
  readonly keyword: 'default' | 'type'
  readonly document: 'old' | 'new'
}

function keywordOf(
  { schemas }: OperationPair,
  parameters: ParameterPair,
  { keyword, document }: KeywordPlace,
): Json {
  const owned = schemas.read(parameters[document].schema, { document, use: 'request' })
  return childOf(resolveTop(owned), keyword) ?? null
}

function defaultChange(pair: OperationPair, parameters: ParameterPair): readonly DocumentFinding[] {
  const from = keywordOf(pair, parameters, { keyword: 'default', document: 'old' })
  const to = keywordOf(pair, parameters, { keyword: 'default', document: 'new' })
  if (canonicalText(from) === canonicalText(to)) return []
  const { name } = parameters.old
  const message = `the default of "${name}" is ${shortText(to)}, it was ${shortText(from)}`
  return [
    findingOf('parameter-default-changed', placeOf(pair, parameters.old), {
      ...{ shared: sharedBy(parameters.old, parameters.new), from, to, message },
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
  parameters: ParameterPair,
  find: MakeFinding,
): readonly DocumentFinding[] {
  const { old, new: next } = parameters
  const from = formText(pair, parameters, 'old')
  const to = formText(pair, parameters, 'new')
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
  const [tookReserved, takesReserved] = [old.form.takesReserved, next.form.takesReserved]
  if (tookReserved === takesReserved) return styles
  const rule = takesReserved ? 'parameter-reserved-taken' : 'parameter-reserved-refused'
  const message = `"${old.name}" ${takesReserved ? 'may' : 'must not'} hold reserved characters`
  return [...styles, find(rule, { message })]
}

// `explode` changes the text of lists and objects only.
function formText(pair: OperationPair, parameters: ParameterPair, document: 'old' | 'new'): string {
  const { form } = parameters[document]
  if (form.mediaType !== undefined) return form.mediaType
  const isParted = (['old', 'new'] as const).every((name) => {
    const type = childOf(
      resolveTop(pair.schemas.read(parameters[name].schema, { document: name, use: 'request' })),
      'type',
    )
    return !/^(?:string|integer|number|boolean)$/.test(String(type))
  })
  const isPlain = !isParted && /^(?:form|simple|spaceDelimited|pipeDelimited)$/.test(form.style)
  if (isPlain) return 'plain'
  return `${form.style}${isParted && form.isExploded ? ', exploded' : ''}`
}
