import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText } from '../canonical.ts'
import type { ApiParameter } from './api-document.ts'
import { type DocumentFinding, type DocumentFindingParts, findingOf } from './finding.ts'
import { childOf } from './json-node.ts'
import { lifetimeChanges, type MakeFinding, reasonOfEnd, verdictOfEnd } from './lifetime.ts'
import type { OperationPair } from './operation-pair.ts'
import { emptyChange, formChanges } from './parameter-form.ts'
import { type ParameterPair, requestWith, witnessOf } from './parameter-pair.ts'
import { alignTexts } from './parameter-text.ts'
import { sampleRequest } from './request-sample.ts'
import { resolveTop } from './schema-book.ts'
import { schemaMessage, shortText } from './schema-message.ts'

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
