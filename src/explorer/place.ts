import type { Collection } from '../model/api.ts'
import { reservedWords } from '../model/convention.ts'
import type { Target } from '../model/target.ts'
import { parametersFor } from '../wire/meaning.ts'
import type { Parameters } from '../wire/parameters.ts'
import { formatQuery } from '../wire/query.ts'
import { methodsFor } from '../wire/request.ts'
import { type Content, type Html, html } from './html.ts'
import { urlOf, type Visit, type VisitOf } from './site.ts'

/** The noun of a collection: the last of its path. */
export function nounOf({ path }: Collection): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Writes the way from the start to where one is, every step but the last a link. */
export function crumbsOf(visit: Visit): Html {
  const steps = visit.target === undefined ? [] : stepsTo(visit.target)
  const links = steps.map((step, place) => {
    const current = place === steps.length - 1 ? html` aria-current="page"` : ''
    return html`<li><a href="${urlOf(step, visit)}"${current}><bdi>${labelOf(step)}</bdi></a></li>`
  })
  const version =
    visit.target === undefined ? '' : html`<li><span>${visit.target.collection.version}</span></li>`
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="${visit.base}/">Start</a></li>${version}${links}</ol></nav>`
}

function stepsTo(target: Target): readonly Target[] {
  const { collection, parents, kind } = target
  const above = collection.ancestors.flatMap((ancestor, place): readonly Target[] => {
    const collected = { collection: ancestor, parents: parents.slice(0, place) }
    return [
      { kind: 'collection', ...collected, id: undefined },
      { kind: 'item', ...collected, id: parents[place] ?? '' },
    ]
  })
  const own: Target = { kind: 'collection', collection, parents, id: undefined }
  return kind === 'collection' ? [...above, own] : [...above, own, target]
}

/** What a target is called among its siblings: its noun, its id, or the reserved word. */
export function labelOf(target: Target): string {
  if (target.kind === 'collection') return nounOf(target.collection)
  return target.kind === 'item' ? target.id : target.kind
}

/** Writes links to what is beside a collection: its first, its last, its count. */
export function endsOf(visit: VisitOf, { q, sort }: Parameters): Content {
  const { collection, parents } = visit.target
  const links = reservedWords.flatMap((kind) => {
    const target: Target = { kind, collection, parents, id: undefined }
    if (!methodsFor(target, visit.site.registry).kinds.has('GET')) return []
    const isHere = visit.target.kind === kind ? html` aria-current="page"` : ''
    // What narrows or orders the list does so here too, where it is taken.
    const takes: readonly string[] = parametersFor(kind, collection.resource)
    const query = formatQuery({
      ...(q !== undefined && takes.includes('q') ? { q } : {}),
      ...(sort !== undefined && takes.includes('sort') ? { sort } : {}),
    })
    const url = urlOf(target, visit) + (query === '' ? '' : `?${query}`)
    return [html`<li><a href="${url}"${isHere}>${kind}</a></li>`]
  })
  return links.length === 0
    ? undefined
    : html`<ul class="ends" aria-label="Beside it">${links}</ul>`
}

/** Writes links to the collections under an item. */
export function childrenOf(visit: VisitOf, id: string): Content {
  const { collection, parents } = visit.target
  const links = [...collection.children].map(([noun, child]) => {
    const target: Target = {
      kind: 'collection',
      collection: child,
      parents: [...parents, id],
      id: undefined,
    }
    return html`<li><a href="${urlOf(target, visit)}">${noun}</a></li>`
  })
  if (links.length === 0) return undefined
  return html`<section aria-labelledby="children"><h2 id="children">Under it</h2><ul class="children">${links}</ul></section>`
}

/** Writes every collection of the api as a tree of links, version by version. Nested ones have no link of their own: they begin at an item. */
export function treeOf({ site, base }: Pick<Visit, 'site' | 'base'>): Content {
  return [...site.registry.api.versions].map(
    ([
      version,
      roots,
    ]) => html`<section aria-labelledby="version-${version}"><h2 id="version-${version}">${version}</h2>
${listOf(roots, base)}</section>`,
  )
}

function listOf(collections: ReadonlyMap<string, Collection>, base: string): Html {
  const lines = [...collections].map(([noun, collection]) => {
    const { parameters, children, version, path } = collection
    const target: Target = { kind: 'collection', collection, parents: [], id: undefined }
    const name =
      parameters.length === 0
        ? html`<a href="${urlOf(target, { base })}">${noun}</a>`
        : html`<span>${noun}</span>`
    const below = children.size === 0 ? '' : listOf(children, base)
    return html`<li>${name} <code class="path">/${version}${path}</code>${below}</li>`
  })
  return html`<ul class="tree">${lines}</ul>`
}
