import type { Json } from '../../contract/schema/schema.ts'
import type { Witness } from '../../schemas/change.ts'
import { canonicalText, pairBy } from '../../sets/canonical.ts'
import { type FoundChange, factChanges, makeChange } from '../change.ts'
import { compareNotices, judgeEnd } from '../lifetime.ts'
import { shortText } from '../schema-message.ts'
import { type ApiParameter, childOf, type ParameterPair } from './api-document.ts'
import { type FindingPlace, type MakeFinding, schemaFindings } from './finding.ts'
import type { OperationPair } from './pairs.ts'
import { textChanges } from './parameter-text.ts'
import { requestWith, sampleRequest } from './request-sample.ts'
import { resolveTop } from './schema-book.ts'

/** Compares the parameters of an operation. */
export function parameterChanges(pair: OperationPair): readonly FoundChange[] {
  const parameters = pairBy(pair.old.parameters, pair.new.parameters, ({ key }) => key)
  // A path always has its values, even where a document says nothing of them.
  const isSent = ({ in: where }: ApiParameter): boolean => where !== 'path'
  return [
    ...parameters.pairs.flatMap(([old, next]) => changesOf(pair, { old, new: next })),
    ...parameters.removed.filter(isSent).map((parameter) => removed(pair, parameter)),
    ...parameters.added.filter(isSent).map((parameter) => added(pair, parameter)),
  ]
}

function placeOf({ place }: OperationPair, parameter: ApiParameter): string {
  return `${place} ${parameter.in} ${parameter.name}`
}

function removed(pair: OperationPair, parameter: ApiParameter): FoundChange {
  const { name: from, lifetime, shared } = parameter
  const end = judgeEnd(lifetime, pair)
  const witness = end.verdict === 'breaking' ? requestWith(pair, parameter) : undefined
  const facts = { ...end, shared, from, message: `the parameter "${from}" is gone`, witness }
  return makeChange('parameter-removed', placeOf(pair, parameter), facts)
}

function added(pair: OperationPair, parameter: ApiParameter): FoundChange {
  const { name: to, shared, isRequired } = parameter
  const at = placeOf(pair, parameter)
  if (!isRequired) {
    const message = `a request may have the parameter "${to}"`
    return makeChange('parameter-added', at, { shared, to, message })
  }
  const message = `a request needs the parameter "${to}"`
  const witness = sampleRequest(pair.old, pair.schemas)
  return makeChange('parameter-required-added', at, { shared, to, message, witness })
}

function changesOf(pair: OperationPair, parameters: ParameterPair): readonly FoundChange[] {
  const { old, new: next } = parameters
  const shared = old.shared === next.shared ? old.shared : undefined
  const at = placeOf(pair, old)
  const find: MakeFinding = (rule, facts) => makeChange(rule, at, { shared, ...facts })
  return [
    ...requiredChange(pair, parameters, find),
    ...emptyChange(pair, parameters, find),
    ...formChanges(pair, parameters, find),
    ...compareNotices('parameter', at, [old.lifetime, next.lifetime], { shared }),
    ...defaultChange(pair, parameters, { at, shared }),
    ...schemaChanges(pair, parameters, { at, shared }),
  ]
}

function requiredChange(
  pair: OperationPair,
  { old: { name, isRequired }, new: next }: ParameterPair,
  find: MakeFinding,
): readonly FoundChange[] {
  if (isRequired === next.isRequired) return []
  if (!next.isRequired) {
    const message = `a request may leave out the parameter "${name}"`
    return [find('parameter-became-optional', { message })]
  }
  const message = `a request needs the parameter "${name}"`
  const witness = sampleRequest(pair.old, pair.schemas)
  return [find('parameter-became-required', { message, witness })]
}

function schemaChanges(
  pair: OperationPair,
  parameters: ParameterPair,
  { at, shared }: FindingPlace,
): readonly FoundChange[] {
  const { old } = parameters
  const changes = textChanges(pair.schemas, parameters, 'request')
  const [from, to] = keywordsOf(pair, parameters, 'type')
  const isFine = changes.length > 0 && changes.every(({ verdict }) => verdict === 'fine')
  if (isFine && canonicalText(from) !== canonicalText(to)) {
    const message = `the texts of "${old.name}" are among those of the new type`
    return [makeChange('request-type-widened', at, { shared, from, to, message })]
  }
  const exchange = (witness: Witness) => requestWith(pair, old, witness)
  return schemaFindings(changes, { at, shared, exchange })
}

function keywordsOf(
  { schemas }: OperationPair,
  parameters: ParameterPair,
  keyword: 'default' | 'type',
): readonly [old: Json, next: Json] {
  const valueIn = (document: 'old' | 'new') => {
    const owned = schemas.read(parameters[document].schema, { document, use: 'request' })
    return childOf(resolveTop(owned), keyword) ?? null
  }
  return [valueIn('old'), valueIn('new')]
}

function defaultChange(
  pair: OperationPair,
  parameters: ParameterPair,
  { at, shared }: FindingPlace,
): readonly FoundChange[] {
  const [from, to] = keywordsOf(pair, parameters, 'default')
  const { name } = parameters.old
  const message = `the default of "${name}" is ${shortText(to)}, it was ${shortText(from)}`
  return factChanges(at, [from ?? undefined, to ?? undefined], {
    set: ['parameter-default-changed', message, { shared }],
  })
}

/** Tells whether a parameter takes an empty value. */
function emptyChange(
  pair: OperationPair,
  { old, new: next }: ParameterPair,
  find: MakeFinding,
): readonly FoundChange[] {
  if (old.takesEmpty === next.takesEmpty) return []
  const message = `the parameter "${old.name}" ${next.takesEmpty ? 'may' : 'must not'} be empty`
  if (next.takesEmpty) return [find('parameter-empty-taken', { message })]
  const witness = requestWith(pair, old, { value: '' })
  return [find('parameter-empty-refused', { message, witness })]
}

/** Compares how the text of a parameter is written. */
function formChanges(
  pair: OperationPair,
  parameters: ParameterPair,
  find: MakeFinding,
): readonly FoundChange[] {
  const { old, new: next } = parameters
  const types = keywordsOf(pair, parameters, 'type')
  const isParted = !types.some((type) => /^(?:string|integer|number|boolean)$/.test(String(type)))
  const [from, to] = [formText(old, isParted), formText(next, isParted)]
  const facts = { from, to, message: `the text of "${old.name}" is ${to}, it was ${from}` }
  const styles =
    from === to
      ? []
      : [find('parameter-style-changed', { ...facts, witness: requestWith(pair, old) })]
  const { takesReserved } = next.form
  if (old.form.takesReserved === takesReserved) return styles
  const rule = takesReserved ? 'parameter-reserved-taken' : 'parameter-reserved-refused'
  const message = `"${old.name}" ${takesReserved ? 'may' : 'must not'} hold reserved characters`
  return [...styles, find(rule, { message })]
}

// `explode` changes the text of lists and objects only.
function formText({ form }: ApiParameter, isParted: boolean): string {
  if (form.mediaType !== undefined) return form.mediaType
  const isPlain = !isParted && /^(?:form|simple|spaceDelimited|pipeDelimited)$/.test(form.style)
  if (isPlain) return 'plain'
  return `${form.style}${isParted && form.isExploded ? ', exploded' : ''}`
}
