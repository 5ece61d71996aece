import type { Json } from '../../contract/schema/schema.ts'
import { groupBy } from '../../sets/canonical.ts'
import {
  type ContractChange,
  type FoundChange,
  factChanges,
  listChanges,
  makeChange,
} from '../change.ts'
import { compareNotices, judgeEnd } from '../lifetime.ts'
import type { Alternative, ApiOperation, Credential } from './api-document.ts'
import {
  contentChanges,
  joinFindings,
  type MakeFinding,
  pairMediaTypes,
  schemaFindings,
  worstOf,
} from './finding.ts'
import {
  canonicalPath,
  type DocumentPair,
  type OperationPair,
  pairOperations,
  type SchemaComparison,
} from './pairs.ts'
import { parameterChanges } from './parameter-changes.ts'
import { readApiDocument } from './read-api-document.ts'
import { sampleRequest } from './request-sample.ts'
import { responseChanges } from './response-changes.ts'
import { createSchemaComparison } from './schema-comparison.ts'

/**
 * Compares two OpenAPI documents, 3.0 to 3.2, from the side of the clients. Requests that were
 * fine still are, and answers are what the old document says. A part that many operations share is
 * one change. The worst changes come first.
 *
 * @param on The day that ends are judged on: `2026-11-24`. Default: today.
 * @throws {TypeError} For a value that is no OpenAPI document, with the place of the fault.
 */
export function compareDocuments(
  old: unknown,
  next: unknown,
  { on = new Date().toISOString().slice(0, 10) }: Partial<Pick<OperationPair, 'on'>> = {},
): readonly ContractChange[] {
  const documents = { old: readApiDocument(old, 'old'), new: readApiDocument(next, 'new') }
  const schemas = createSchemaComparison(documents)
  const [oldOperations, newOperations] = [documents.old.operations, documents.new.operations]
  const { pairs, removed, added } = pairOperations(oldOperations, newOperations)
  return joinFindings([
    ...endings({ schemas, on }, removed, newOperations),
    ...beginnings(added, oldOperations),
    ...pairs.flatMap(([old, next]) =>
      operationChanges({ old, new: next, place: placeOf(old), schemas, on }),
    ),
    ...calledChanges([documents.old.webhooks, documents.new.webhooks], 'webhook', schemas),
    ...pairs.flatMap(([old, next]) =>
      calledChanges([old.callbacks, next.callbacks], `${placeOf(old)} callback`, schemas),
    ),
    ...unreadableChanges(documents),
  ])
}

function placeOf({ method, path }: ApiOperation): string {
  return `${method} ${path}`
}

type Judge = Pick<OperationPair, 'schemas' | 'on'>

// A path is gone with its last operation.
function endings(
  judge: Judge,
  removed: readonly ApiOperation[],
  remaining: readonly ApiOperation[],
): readonly FoundChange[] {
  return [...groupBy(removed, ({ path }) => path)].flatMap(([path, operations]) =>
    isAmong(remaining, path)
      ? operations.map((operation) => ending(judge, [operation], 'operation-removed'))
      : [ending(judge, operations, 'path-removed')],
  )
}

function ending(
  { schemas, on }: Judge,
  operations: readonly ApiOperation[],
  rule: 'operation-removed' | 'path-removed',
): FoundChange {
  const ends = operations.map((operation) => ({
    operation,
    ...judgeEnd(operation.lifetime, { on }),
  }))
  const verdict = worstOf(ends.map((end) => end.verdict))
  const end = ends.find((candidate) => candidate.verdict === verdict)
  if (end === undefined) throw new RangeError('An end has an operation.')
  const { operation, because } = end
  const witness = verdict === 'breaking' ? sampleRequest(operation, schemas) : undefined
  if (rule === 'operation-removed') {
    const facts = { from: operation.method, message: 'the operation is gone' }
    return makeChange(rule, placeOf(operation), { ...facts, verdict, because, witness })
  }
  const from = operations.map(({ method }) => method)
  const message = `the path is gone: ${from.join(', ')}`
  return makeChange(rule, operation.path, { from, message, verdict, because, witness })
}

function beginnings(
  added: readonly ApiOperation[],
  oldOperations: readonly ApiOperation[],
): readonly FoundChange[] {
  return [...groupBy(added, ({ path }) => path)].flatMap(([path, operations]) => {
    const to = operations.map(({ method }) => method)
    const message = `the path is new: ${to.join(', ')}`
    if (!isAmong(oldOperations, path)) return [makeChange('path-added', path, { to, message })]
    return operations.map((operation) => {
      const facts = { to: operation.method, message: 'the operation is new' }
      return makeChange('operation-added', placeOf(operation), facts)
    })
  })
}

function isAmong(operations: readonly ApiOperation[], path: string): boolean {
  return operations.some((operation) => canonicalPath(operation.path) === canonicalPath(path))
}

// A part that cannot be read may have changed.
function unreadableChanges(documents: DocumentPair): readonly FoundChange[] {
  const references = new Set([...documents.old.unreadable, ...documents.new.unreadable])
  return [...references].map((reference) => {
    const message = `the reference "${reference}" leads to nothing within its document`
    return makeChange('schema-untold', reference, { message })
  })
}

/** Compares an operation that both documents have. */
function operationChanges(pair: OperationPair): readonly FoundChange[] {
  const { old, new: next, place } = pair
  return [
    ...serverChanges(pair),
    ...compareNotices('operation', place, [old.lifetime, next.lifetime]),
    ...idChange(pair),
    ...securityChanges(pair),
    ...parameterChanges(pair),
    ...bodyChanges(pair),
    ...responseChanges(pair),
  ]
}

function serverChanges({ old, new: next, place }: OperationPair): readonly FoundChange[] {
  const more = { shared: 'servers' }
  return listChanges(`${place} servers`, [old.servers, next.servers], {
    removed: (url) => ['server-removed', `the document no longer names the address "${url}"`, more],
    added: (url) => ['server-added', `the document names the address "${url}"`, more],
  })
}

// Generators name a function without an id by themselves.
function idChange({ old, new: next, place }: OperationPair): readonly FoundChange[] {
  if (old.id === undefined) return []
  const message = `the id of the operation is ${next.id ?? 'gone'}, it was ${old.id}`
  return factChanges(place, [old.id, next.id], { set: ['operation-id-changed', message] })
}

/**
 * Compares the requests that the server sends: webhooks, and the callbacks of operations. Their
 * bodies are what a client gets.
 */
function calledChanges(
  [old, next]: readonly [readonly ApiOperation[], readonly ApiOperation[]],
  at: string,
  schemas: SchemaComparison,
): readonly FoundChange[] {
  const { pairs, removed, added } = pairOperations(old, next)
  return [
    ...removed.map((operation) => {
      const facts = { from: operation.path, message: 'the server no longer sends the request' }
      return makeChange('webhook-removed', `${at} ${placeOf(operation)}`, facts)
    }),
    ...added.map((operation) => {
      const facts = { to: operation.path, message: 'the server may send the request' }
      return makeChange('webhook-added', `${at} ${placeOf(operation)}`, facts)
    }),
    ...pairs.flatMap(([oldOperation, newOperation]) => {
      const [oldTypes, newTypes] = [oldOperation, newOperation].map(({ body }) => body?.content)
      return pairMediaTypes(oldTypes ?? [], newTypes ?? []).pairs.flatMap(([oldBody, newBody]) => {
        const written = { old: oldBody.schema, new: newBody.schema, use: 'item' } as const
        const place = `${at} ${placeOf(oldOperation)} body`
        return schemaFindings(schemas.compare(written), { at: place })
      })
    }),
  ]
}

/** Compares the credentials that an operation takes: any one of its alternatives. */
function securityChanges(pair: OperationPair): readonly FoundChange[] {
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
): FoundChange {
  const sameSchemes = next.find((candidate) => isEnough(alternative, withoutScopes(candidate)))
  const more = next.find((candidate) => isEnough(candidate, alternative))
  const { at, ...place } = placed(pair, alternative)
  const to = textOf(sameSchemes ?? more ?? next[0] ?? [])
  const facts = { ...place, to, witness: sampleRequest(pair.old, pair.schemas) }
  if (sameSchemes) {
    const message = `a token needs ${scopesOf(sameSchemes)}`
    return makeChange('security-scope-added', at, { ...facts, message })
  }
  const held = alternative.length === 0 ? 'no credentials are' : `${nameOf(alternative)} is`
  const message = `${held} not enough: a request needs ${next.map(nameOf).join(' or ')}`
  const rule = more ? 'security-added' : 'security-alternative-removed'
  return makeChange(rule, at, { ...facts, message })
}

function relaxed(
  pair: OperationPair,
  alternative: Alternative,
  old: readonly Alternative[],
): FoundChange {
  const isScope = old.some((candidate) => isEnough(alternative, withoutScopes(candidate)))
  const isFewer = old.some((candidate) => isEnough(candidate, alternative))
  const name = isScope ? 'scope-removed' : isFewer ? 'removed' : 'alternative-added'
  const { at, shared } = placed(pair, alternative)
  return makeChange(`security-${name}`, at, {
    shared,
    to: textOf(alternative),
    message: `${alternative.length === 0 ? 'no credentials' : nameOf(alternative)} will do`,
  })
}

function schemeChange(pair: OperationPair, from: Credential, to: Credential): FoundChange {
  return makeChange('security-scheme-changed', `${pair.place} security`, {
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

/** Compares the bodies that an operation takes. */
function bodyChanges(pair: OperationPair): readonly FoundChange[] {
  const { body: old } = pair.old
  const { body: next } = pair.new
  const shared = old?.shared === next?.shared ? old?.shared : undefined
  const find: MakeFinding = (rule, facts) =>
    makeChange(rule, `${pair.place} body`, { shared, ...facts })
  const needed = () => ({
    message: 'a request needs a body',
    witness: sampleRequest(pair.old, pair.schemas),
  })
  if (old === undefined) {
    if (next === undefined) return []
    if (next.isRequired) return [find('body-required-added', needed())]
    return [find('body-added', { message: 'a request may have a body' })]
  }
  if (next === undefined) {
    const witness = sampleRequest(pair.old, pair.schemas, { mediaType: old.content[0]?.type })
    return [find('body-removed', { message: 'the body is gone', witness })]
  }
  // A body without a media type takes any.
  const isAny = old.content.length === 0 || next.content.length === 0
  const contents = contentChanges(pair.schemas, {
    ...{ use: 'request', at: `${pair.place} body`, shared },
    content: isAny ? [[], []] : [old.content, next.content],
    exchange: (body, mediaType) =>
      sampleRequest(pair.old, pair.schemas, { body: body?.value, mediaType }),
  })
  if (old.isRequired === next.isRequired) return contents
  const changed = next.isRequired
    ? find('body-became-required', needed())
    : find('body-became-optional', { message: 'a request may leave out the body' })
  return [changed, ...contents]
}
