import { type Collection, lastNounOf } from '../model/api.ts'
import { reservedWords } from '../model/convention.ts'
import type { Target } from '../model/target.ts'
import { parametersFor } from '../wire/meaning.ts'
import type { Parameters } from '../wire/parameters.ts'
import { formatQuery } from '../wire/query.ts'
import { methodsFor } from '../wire/request.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { type PageData, type TargetPage, urlOf } from './page-data.ts'

/** Writes links from the start to the target. */
export function breadcrumbsOf(page: PageData): Html {
  const steps = page.target === undefined ? [] : stepsTo(page.target)
  const links = steps.map((step, index) => {
    const current = index === steps.length - 1 ? html` aria-current="page"` : ''
    return html`<li><a href="${urlOf(step, page)}"${current}><bdi>${labelOf(step)}</bdi></a></li>`
  })
  const version =
    page.target === undefined ? '' : html`<li><span>${page.target.collection.version}</span></li>`
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
<li><a href="${page.base}/">Start</a></li>${version}${links}</ol></nav>`
}

function stepsTo(target: Target): readonly Target[] {
  const { collection, parents, kind } = target
  const above = collection.ancestors.flatMap((ancestor, index): readonly Target[] => {
    const collected = { collection: ancestor, parents: parents.slice(0, index) }
    return [
      { kind: 'collection', ...collected, id: undefined },
      { kind: 'item', ...collected, id: parents[index] ?? '' },
    ]
  })
  const own: Target = { kind: 'collection', collection, parents, id: undefined }
  return kind === 'collection' ? [...above, own] : [...above, own, target]
}

/** Returns the last segment of a target: its noun, its id, or the reserved word. */
export function labelOf(target: Target): string {
  if (target.kind === 'collection') return lastNounOf(target.collection)
  return target.kind === 'item' ? target.id : target.kind
}

/** Writes links to `first`, `last` and `count` of a collection. */
export function siblingLinksOf(page: TargetPage, { q, sort }: Parameters): HtmlContent {
  const { collection, parents } = page.target
  const links = reservedWords.flatMap((kind) => {
    const target: Target = { kind, collection, parents, id: undefined }
    if (!methodsFor(target, page.settings.registry).kinds.has('GET')) return []
    const isHere = page.target.kind === kind ? html` aria-current="page"` : ''
    // The links keep the search and the order, where the operation takes them.
    const takes: readonly string[] = parametersFor(kind, collection.resource)
    const query = formatQuery({
      ...(q !== undefined && takes.includes('q') ? { q } : {}),
      ...(sort !== undefined && takes.includes('sort') ? { sort } : {}),
    })
    const url = urlOf(target, page) + (query === '' ? '' : `?${query}`)
    return [html`<li><a href="${url}"${isHere}>${kind}</a></li>`]
  })
  return links.length === 0 ? undefined : html`<ul class="ends" aria-label="Related">${links}</ul>`
}

/** Writes links to the collections below an item. */
export function childrenOf(page: TargetPage, id: string): HtmlContent {
  const { collection, parents } = page.target
  const links = [...collection.children].map(([noun, child]) => {
    const target: Target = {
      kind: 'collection',
      collection: child,
      parents: [...parents, id],
      id: undefined,
    }
    return html`<li><a href="${urlOf(target, page)}">${noun}</a></li>`
  })
  if (links.length === 0) return undefined
  return html`<section aria-labelledby="children"><h2 id="children">Collections of this item</h2>
<ul class="children">${links}</ul></section>`
}

/**
 * Writes every collection of the API as a tree of links, by version. Nested collections have no
 * link: they need an item.
 */
export function treeOf({ settings, base }: Pick<PageData, 'settings' | 'base'>): HtmlContent {
  return [...settings.registry.api.versions].map(([version, roots]) => {
    const id = `version-${version}`
    return html`<section aria-labelledby="${id}"><h2 id="${id}">${version}</h2>
${listOf(roots, base)}</section>`
  })
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
