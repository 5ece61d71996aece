import type { Json } from '../../contract/schema/schema.ts'
import type { Alternative, Credential } from './api-document.ts'
import { type DocumentFinding, findingOf } from './finding.ts'
import type { OperationPair } from './pairs.ts'
import { sampleRequest, witnessOf } from './request-sample.ts'

/** Compares the credentials that an operation takes: any one of its alternatives. */
export function securityChanges(pair: OperationPair): readonly DocumentFinding[] {
  const { names, renewed } = matchSchemes(pair.old.security.flat(), pair.new.security.flat())
  const old = pair.old.security.map((alternative) =>
    alternative.map((credential) => ({
      ...credential,
      name: names.get(credential.name) ?? `${credential.name} (old)`,
    })),
  )
  const next = pair.new.security
  const lost = old.filter(
    (oldAlternative) => !next.some((newAlternative) => isEnough(oldAlternative, newAlternative)),
  )
  const gained = next.filter(
    (newAlternative) => !old.some((oldAlternative) => isEnough(newAlternative, oldAlternative)),
  )
  return [
    ...renewed.map(([from, to]) => schemeChange(pair, from, to)),
    ...lost.map((alternative) => refused(pair, alternative, next)),
    ...(lost.length > 0 ? [] : gained.map((alternative) => relaxed(pair, alternative, old))),
  ]
}

interface SchemeMatch {
  /** The name in the new document by the one in the old. */
  readonly names: ReadonlyMap<string, string>
  /** Schemes whose tokens come from another address. */
  readonly renewed: readonly (readonly [old: Credential, next: Credential])[]
}

// Two schemes may be defined alike and take different tokens. A definition tells schemes apart by
// itself only where a name is gone and another is new.
function matchSchemes(old: readonly Credential[], next: readonly Credential[]): SchemeMatch {
  const names = new Map<string, string>()
  const renewed = new Map<string, readonly [Credential, Credential]>()
  const oldNames = new Set(old.map(({ name }) => name))
  for (const credential of old) {
    const same = next.find(({ name }) => name === credential.name)
    const isRenewable = /^(?:oauth2|openIdConnect)$/.test(credential.type)
    if (same?.scheme === credential.scheme) names.set(same.name, same.name)
    else if (same && isRenewable && same.type === credential.type) {
      names.set(same.name, same.name)
      renewed.set(same.name, [credential, same])
    } else if (!names.has(credential.name)) {
      const matched = new Set(names.values())
      const newScheme = next.find(
        ({ name, scheme }) =>
          scheme === credential.scheme && !oldNames.has(name) && !matched.has(name),
      )
      if (newScheme) names.set(credential.name, newScheme.name)
    }
  }
  return { names, renewed: [...renewed.values()] }
}

// Credentials are enough where another alternative asks for no more.
function isEnough(held: Alternative, required: Alternative): boolean {
  return required.every(({ name, scopes }) => {
    const heldCredential = held.find((credential) => credential.name === name)
    return (
      heldCredential !== undefined && scopes.every((scope) => heldCredential.scopes.includes(scope))
    )
  })
}

function refused(
  pair: OperationPair,
  alternative: Alternative,
  next: readonly Alternative[],
): DocumentFinding {
  const sameSchemes = next.find((candidate) => isEnough(alternative, withoutScopes(candidate)))
  const more = next.find((candidate) => isEnough(candidate, alternative))
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
): DocumentFinding {
  const isScope = old.some((candidate) => isEnough(alternative, withoutScopes(candidate)))
  const isFewer = old.some((candidate) => isEnough(candidate, alternative))
  const name = isScope ? 'scope-removed' : isFewer ? 'removed' : 'alternative-added'
  const { at, shared } = placed(pair, alternative)
  return findingOf(`security-${name}`, at, {
    shared,
    to: textOf(alternative),
    message: `${alternative.length === 0 ? 'no credentials' : nameOf(alternative)} will do`,
  })
}

function schemeChange(pair: OperationPair, from: Credential, to: Credential): DocumentFinding {
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
