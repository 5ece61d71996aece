import type { Collection, Target } from '../contract/resource/api.ts'
import type { HttpResponse } from '../contract/resource/http.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { jsonType, refuseAnyBody } from '../wire/body.ts'
import { addEndHeaders } from '../wire/deprecation.ts'
import { type Home, toHome } from '../wire/home.ts'
import { meaningOf, queryRulesFor } from '../wire/meaning.ts'
import { documentAllow, homeVersionOf, methodsFor } from '../wire/path.ts'
import { describeDeprecation } from './describe.ts'
import type { Lifetime } from './lifetime/lifetime.ts'

/**
 * Answers GET, HEAD and OPTIONS of the home document of an api (`/`) or of a version (`/v1`). It
 * asks no context and no adapter. Returns `undefined` for any other URL.
 *
 * @throws {ProblemError} `bad_path`, `unknown_parameter`, `body_not_allowed`.
 */
export function answerHome({ request, registry }: Lifetime): Awaitable<HttpResponse> | undefined {
  const { url, method, base = '' } = request
  const version = homeVersionOf(url, registry)
  if (version === undefined) return undefined
  const end = registry.api.lifecycle.get(version)
  const isOptions = method === 'OPTIONS'
  if (!isOptions) refuseParameters(url, registry)
  const body = isOptions
    ? { version: version || null, ...describeDeprecation(end), target: 'home', operations }
    : toHome({ versions: versionsOf(registry, base, version), documents: {} })
  const headers = { 'content-type': jsonType, ...(isOptions && { allow: documentAllow }) }
  const plain: HttpResponse = { status: 200, headers, body }
  const target = undefined
  const response = end ? addEndHeaders(plain, end, { request, registry, target }) : plain
  return isOptions ? response : whenReady(refuseAnyBody(request), () => response)
}

const operations = [{ kind: 'home', method: 'GET', parameters: [] }]

// By the rules of an operation without parameters.
function refuseParameters(url: string, { api }: Registry): void {
  const collection = api.collections[0] as Collection
  const rules = { ...queryRulesFor('deleteAll', collection), reason: undefined }
  meaningOf(/\?(.*)/s.exec(url)?.[1] ?? '', rules, targetOf(collection))
}

function targetOf(collection: Collection): Target {
  return { kind: 'collection', collection, parents: [], id: undefined }
}

// For the prefix of the last request: most hosts have one.
const cache = new WeakMap<Registry, { readonly base: string; readonly versions: Versions }>()

type Versions = Home['versions']

function versionsOf(registry: Registry, base: string, version: string): Versions {
  let homes = cache.get(registry)
  if (homes?.base !== base) {
    homes = { base, versions: describeVersions(registry, base) }
    cache.set(registry, homes)
  }
  return version ? homes.versions.filter(({ name }) => name === version) : homes.versions
}

function describeVersions(registry: Registry, base: string): Versions {
  const { versions, lifecycle, collections } = registry.api
  return [...versions.keys()].map((name) => {
    const { deprecated, sunset } = lifecycle.get(name) ?? {}
    const resources = collections
      .filter(({ version }) => version === name)
      .map((collection) => describeCollection(collection, registry, base))
    return {
      name,
      path: `${base}/${name}`,
      ...(deprecated && { deprecated }),
      ...(sunset && { sunset }),
      resources,
    }
  })
}

function describeCollection(
  collection: Collection,
  registry: Registry,
  base: string,
): Versions[number]['resources'][number] {
  const { version, resource, ancestors } = collection
  const path = `${base}/${version}${collection.path.replace(/:([^/]+)/g, '{$1}')}`
  return {
    name: resource.name,
    path,
    item: `${path}/{id}`,
    methods: methodsFor(targetOf(collection), registry).allow.split(', '),
    parents: ancestors.map((ancestor) => ancestor.resource.name),
  }
}
