import type { Json } from '../../model/schema.ts'
import type { Alternative, Credential } from './api-document.ts'
import { type Finding, findingOf } from './finding.ts'
import type { OperationPair } from './operation-pair.ts'
import { witnessOf } from './parameter-pair.ts'
import { sampleRequest } from './request-sample.ts'

/** Compares the credentials that an operation takes: any one of its alternatives. */
export function securityChanges(pair: OperationPair): readonly Finding[] {
  const renewed = renewedSchemes(pair)
  const old = pair.old.security.map((alternative) => renamed(alternative, renewed))
  const next = pair.new.security
  const lost = old.filter((one) => !next.some((other) => isEnough(one, other)))
  const gained = next.filter((other) => !old.some((one) => isEnough(other, one)))
  return [
    ...[...renewed.values()].map(({ from, to }) => schemeChange(pair, from, to)),
    ...(lost.length > 0
      ? lost.map((alternative) => refused(pair, alternative, next))
      : gained.map((alternative) => relaxed(pair, alternative, old))),
  ]
}

interface Renewal {
  readonly from: Credential
  readonly to: Credential
}

// A scheme whose tokens come from another address is the same scheme by its name and type.
function renewedSchemes(pair: OperationPair): ReadonlyMap<string, Renewal> {
  const all = pair.new.security.flat()
  const changed = pair.old.security.flat().flatMap((from): readonly [string, Renewal][] => {
    if (!/^(?:oauth2|openIdConnect)$/.test(from.type)) return []
    if (all.some(({ scheme }) => scheme === from.scheme)) return []
    const to = all.find(({ name, type }) => name === from.name && type === from.type)
    return to === undefined ? [] : [[from.scheme, { from, to }]]
  })
  return new Map(changed)
}

function renamed(alternative: Alternative, renewed: ReadonlyMap<string, Renewal>): Alternative {
  return alternative.map((credential) => {
    const renewal = renewed.get(credential.scheme)
    return renewal ? { ...credential, scheme: renewal.to.scheme } : credential
  })
}

// Credentials are enough where another alternative asks for no more.
function isEnough(held: Alternative, asked: Alternative): boolean {
  return asked.every(({ scheme, scopes }) => {
    const own = held.find((credential) => credential.scheme === scheme)
    return own !== undefined && scopes.every((scope) => own.scopes.includes(scope))
  })
}

function refused(
  pair: OperationPair,
  alternative: Alternative,
  next: readonly Alternative[],
): Finding {
  const sameSchemes = next.find((other) => isEnough(alternative, withoutScopes(other)))
  const more = next.find((other) => isEnough(other, alternative))
  const witness = witnessOf(sampleRequest(pair.old, pair.schemas))
  const { at, ...place } = placed(pair, alternative)
  const parts = { ...place, to: textOf(sameSchemes ?? more ?? next[0] ?? []) }
  if (sameSchemes) {
    const message = `a token needs ${scopesOf(sameSchemes)}`
    return findingOf('security-scope-added', at, { ...parts, message, ...witness })
  }
  const held = alternative.length === 0 ? 'no credentials are' : `${nameOf(alternative)} is`
  const message = `${held} not enough: a request needs ${next.map(nameOf).join(' or ')}`
  const rule = more ? 'security-added' : 'security-alternative-removed'
  return findingOf(rule, at, { ...parts, message, ...witness })
}

function relaxed(
  pair: OperationPair,
  alternative: Alternative,
  old: readonly Alternative[],
): Finding {
  const isScope = old.some((one) => isEnough(alternative, withoutScopes(one)))
  const isFewer = old.some((one) => isEnough(one, alternative))
  const name = isScope ? 'scope-removed' : isFewer ? 'removed' : 'alternative-added'
  const { at, shared } = placed(pair, alternative)
  return findingOf(`security-${name}`, at, {
    shared,
    to: textOf(alternative),
    message: `${alternative.length === 0 ? 'no credentials' : nameOf(alternative)} will do`,
  })
}

function schemeChange(pair: OperationPair, from: Credential, to: Credential): Finding {
  return findingOf('security-scheme-changed', `${pair.place} security`, {
    shared: `components/securitySchemes/${from.name}`,
    from: from.scheme,
    to: to.scheme,
    message: `"${from.name}" gives its tokens at another address`,
  })
}

function placed({ place }: OperationPair, alternative: Alternative) {
  return { at: `${place} security`, shared: 'security', from: textOf(alternative) }
}

function withoutScopes(alternative: Alternative): Alternative {
  return alternative.map((credential) => ({ ...credential, scopes: [] }))
}

function nameOf(alternative: Alternative): string {
  return alternative.length === 0 ? 'none' : alternative.map(({ name }) => name).join(' and ')
}

function scopesOf(alternative: Alternative): string {
  return alternative.flatMap(({ scopes }) => scopes).join(', ')
}

function textOf(alternative: Alternative): Json {
  return alternative.map(({ name, scopes }) =>
    scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`,
  )
}
