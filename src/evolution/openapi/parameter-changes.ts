import type { Json } from '../../model/schema.ts'
import type { ApiParameter } from './api-document.ts'
import { type Finding, type FindingParts, findingOf } from './finding.ts'
import { childOf } from './json-node.ts'
import { reasonOfEnd, verdictOfEnd } from './lifetime.ts'
import type { OperationPair } from './operation-pair.ts'
import { emptyChange, type Find, formChanges } from './parameter-form.ts'
import { type ParameterPair, requestWith, witnessOf } from './parameter-pair.ts'
import { alignTexts } from './parameter-text.ts'
import { sampleRequest } from './request-sample.ts'
import { resolveTop } from './schema-book.ts'
import { schemaMessage } from './schema-message.ts'

/** Compares the parameters of an operation. */
export function parameterChanges(pair: OperationPair): readonly Finding[] {
  const old = new Map(pair.old.parameters.map((parameter) => [parameter.key, parameter]))
  const next = new Map(pair.new.parameters.map((parameter) => [parameter.key, parameter]))
  return [
    ...[...old.values()].flatMap((parameter) => {
      const other = next.get(parameter.key)
      return other ? changesOf(pair, { old: parameter, new: other }) : [removed(pair, parameter)]
    }),
    ...[...next.values()]
      .filter(({ key }) => !old.has(key))
      .map((parameter) => added(pair, parameter)),
  ]
}

function placeOf({ place }: OperationPair, parameter: ApiParameter): string {
  return `${place} ${parameter.in} ${parameter.name}`
}

function sharedBy(one: ApiParameter, other: ApiParameter | undefined): string | undefined {
  return one.shared === other?.shared ? one.shared : undefined
}

function removed(pair: OperationPair, parameter: ApiParameter): Finding {
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

function added(pair: OperationPair, parameter: ApiParameter): Finding {
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

function changesOf(pair: OperationPair, both: ParameterPair): readonly Finding[] {
  const shared = sharedBy(both.old, both.new)
  const at = placeOf(pair, both.old)
  const find = (rule: string, parts: FindingParts) => findingOf(rule, at, { shared, ...parts })
  return [
    ...(both.old.isRequired === both.new.isRequired ? [] : [requiredChange(pair, both, find)]),
    ...emptyChange(pair, both, find),
    ...formChanges(pair, both, find),
    ...lifetimeChange(both, find),
    ...schemaChanges(pair, both),
  ]
}

function requiredChange(pair: OperationPair, { old, new: next }: ParameterPair, find: Find) {
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

function lifetimeChange({ old, new: next }: ParameterPair, find: Find): readonly Finding[] {
  if (old.lifetime.isDeprecated === next.lifetime.isDeprecated) return []
  const { isDeprecated, sunset } = next.lifetime
  return isDeprecated
    ? [
        find('parameter-deprecated', {
          to: sunset ?? null,
          message: `the parameter "${old.name}" is deprecated`,
        }),
      ]
    : [
        find('parameter-undeprecated', {
          message: `the parameter "${old.name}" is no longer deprecated`,
        }),
      ]
}

function schemaChanges(pair: OperationPair, both: ParameterPair): readonly Finding[] {
  const changes = pair.schemas.compare({
    old: both.old.schema,
    new: both.new.schema,
    use: 'request',
    adjust: (owned) => alignTexts(owned, both),
  })
  const at = placeOf(pair, both.old)
  const whole = sharedBy(both.old, both.new)
  return [
    ...defaultChange(pair, both),
    ...changes.map((change) => {
      const { rule, from, to, verdict, because, witness } = change
      const request = witness && requestWith(pair, both.old, witness)
      return {
        ...{ rule, from, to, verdict, message: schemaMessage(change) },
        at: change.at === '' ? at : `${at} ${change.at}`,
        shared: change.shared ?? (whole && [whole, change.at].join(' ').trim()),
        ...(because === undefined ? {} : { because }),
        ...witnessOf(request),
      }
    }),
  ]
}

function defaultChange(pair: OperationPair, both: ParameterPair): readonly Finding[] {
  const [from, to] = (['old', 'new'] as const).map((document): Json => {
    const owned = pair.schemas.read(both[document].schema, { document, use: 'request' })
    return childOf(resolveTop(owned), 'default') ?? null
  })
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  return [
    findingOf('parameter-default-changed', placeOf(pair, both.old), {
      shared: sharedBy(both.old, both.new),
      from: from ?? null,
      to: to ?? null,
      message: `the default of "${both.old.name}" is ${JSON.stringify(to)}, it was ${JSON.stringify(from)}`,
    }),
  ]
}
