import { type Collection, lastNounOf, type Target } from '../contract/resource/api.ts'
import { reservedWords } from '../convention/operations.ts'
import { formatPath, methodsFor } from '../wire/path.ts'
import { type PageData, readParametersOf, readRowsOf, type TargetPage } from './data/page-data.ts'
import {
  type CollectionPath,
  itemAt,
  type PageParameters,
  targetAt,
  urlOf,
} from './data/page-url.ts'
import { type Html, type HtmlContent, html } from './html.ts'

/** Writes links from the start to the target. */
export function breadcrumbsOf(page: PageData): Html {
  const steps = page.target === undefined ? [] : stepsTo(page.target)
  const links = steps.map((step, index) => {
    const current = index === steps.length - 1 ? html` aria-current="page"` : ''
    const label = html`<bdi>${labelOf(page, step)}</bdi>`
    return html`<li><a href="${urlOf(step, page)}"${current}>${label}</a></li>`
  })
  const version = page.target?.collection.version ?? page.start ?? ''
  const versionLink = version === '' ? '' : html`<li>${versionLinkOf(version, page)}</li>`
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
<li><a href="${page.base}/">Start</a></li>${versionLink}${links}</ol></nav>`
}

/** Writes links to documents of the API, each by its name. */
export function documentLinksOf(documents: PageData['documents']): readonly Html[] {
  return Object.entries(documents).map(
    ([name, path]) => html`<li><a href="${path}">${name}</a></li>`,
  )
}

// A version has a page where it has a home document.
function versionLinkOf(
  version: string,
  { settings, base, start }: Pick<PageData, 'settings' | 'base' | 'start'>,
): Html {
  const current = start === version ? html` aria-current="page"` : ''
  return settings.registry.home
    ? html`<a href="${base}/${version}"${current}>${version}</a>`
    : html`<span>${version}</span>`
}

function stepsTo(target: Target): readonly Target[] {
  const { collection, parents, kind } = target
  const above = collection.ancestors.flatMap((ancestor, index) => {
    const place = { collection: ancestor, parents: parents.slice(0, index) }
    return [targetAt(place), itemAt(place, parents[index] ?? '')]
  })
  return [...above, targetAt(target), ...(kind === 'collection' ? [] : [target])]
}

/**
 * Returns the label of a target: the name of an item where the page knows it, else the last
 * segment of its path.
 */
export function labelOf({ names }: Pick<PageData, 'names'>, target: Target): string {
  if (target.kind === 'collection') return lastNounOf(target.collection)
  if (target.kind !== 'item') return target.kind
  return names.get(formatPath(target)) ?? target.id
}

/** Writes links to `first`, `last` and `count` of a collection. */
export function siblingLinksOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const links = reservedWords.flatMap((word) => {
    const target = targetAt(page.target, word)
    const names = readRowsOf(target, page.settings)
    if (names === undefined) return []
    const isHere = page.target.kind === word ? html` aria-current="page"` : ''
    // The links keep the parameters that the operation takes: search, filters and order.
    const siblingParameters = Object.fromEntries(names.map((name) => [name, parameters[name]]))
    return [html`<li><a href="${urlOf(target, page, siblingParameters)}"${isHere}>${word}</a></li>`]
  })
  return links.length === 0 ? undefined : html`<ul class="ends" aria-label="Related">${links}</ul>`
}

/** Writes links to the collections below an item, and to the items that refer to it. */
export function childrenOf(page: TargetPage, id: string): HtmlContent {
  const { collection, parents } = page.target
  const children = [...collection.children].map(([noun, child]) => {
    const target = targetAt({ collection: child, parents: [...parents, id] })
    return { label: noun, target, parameters: {} }
  })
  const links = [...children, ...referrersOf(page, id)].map(({ label, target, parameters }) => {
    const link = html`<a href="${urlOf(target, page, parameters)}">${label}</a>`
    return html`<li>${link}${numberOf(page, target, parameters)}</li>`
  })
  if (links.length === 0) return undefined
  return html`<section class="related" aria-labelledby="children"><h2 id="children">Related</h2>
<ul class="children">${links}</ul></section>`
}

interface RelatedList {
  readonly label: string
  readonly target: Target
  readonly parameters: PageParameters
}

// The lists of other resources whose items hold the id, where their lists filter by it.
function referrersOf({ target, settings }: TargetPage, id: string): readonly RelatedList[] {
  const { collection } = target
  const nested = [...collection.children.values()].map(({ resource }) => resource)
  return settings.registry.api.collections.flatMap((referrer) => {
    const { resource, parameters, version } = referrer
    const isList = version === collection.version && parameters.length === 0
    if (!isList || nested.includes(resource)) return []
    const list = targetAt({ collection: referrer, parents: [] })
    const filters = readParametersOf(list, settings) ?? []
    return referrer.references
      .filter(
        ({ target: { resource: referred }, field }) =>
          referred === collection.resource && filters.includes(field),
      )
      .map(({ field }) => ({
        label: `${lastNounOf(referrer)} by ${field}`,
        target: list,
        parameters: { where: [[field, id] as const] },
      }))
  })
}

/** Writes the place for the number of a list. The script reads it after the page is shown. */
export function numberOf(
  page: Pick<PageData, 'settings' | 'base' | 'received'>,
  place: CollectionPath,
  parameters: PageParameters = {},
): HtmlContent {
  const count = targetAt(place, 'count')
  const isCountable = methodsFor(count, page.settings.registry).kinds.has('GET')
  const isUnknown = place.collection.resource.total === false || page.received.status === 401
  if (!isCountable || isUnknown) return undefined
  return html` <small data-number="${urlOf(count, page, parameters)}"></small>`
}

/**
 * Writes the collections of the API as cards, by version: those of the version that a start page
 * is about, else all.
 */
export function overviewOf(page: PageData): HtmlContent {
  const { settings, start } = page
  const { versions, lifecycle, collections } = settings.registry.api
  const shown = [...versions.keys()].filter((version) => !start || version === start)
  return shown.map((version) => {
    const id = `version-${version}`
    const { sunset } = lifecycle.get(version) ?? {}
    const end = sunset === undefined ? 'deprecated' : `until ${sunset}`
    const state = lifecycle.has(version) ? html` <small>${end}</small>` : ''
    const cards = collections
      .filter((collection) => collection.version === version)
      .map((collection) => cardOf(page, collection))
    return html`<section aria-labelledby="${id}">
<h2 id="${id}">${versionLinkOf(version, page)}${state}</h2>
<ul class="cards">${cards}</ul></section>`
  })
}

// A nested collection has no link: it needs an item of the outermost one.
function cardOf(page: PageData, collection: Collection): Html {
  const { parameters, ancestors, version, path, resource } = collection
  const target = targetAt({ collection, parents: [] })
  const isRoot = parameters.length === 0
  const name = isRoot ? linkOf(collection, page) : lastNounOf(collection)
  const [root] = ancestors
  const methods = new Set(
    [target, itemAt(target, '')].flatMap((place) => [
      ...methodsFor(place, page.settings.registry).kinds.keys(),
    ]),
  )
  const names = [...methods].filter((method) => /^[A-Z]+$/.test(method) && method !== 'HEAD')
  return html`<li class="card"><h3>${name}</h3>${isRoot ? numberOf(page, target) : ''}
<code class="path">/${version}${path}</code>${root && html`<p>Below ${linkOf(root, page)}</p>`}
${fieldsLineOf('Search', resource.searchable, resource)}
${fieldsLineOf('Sort', resource.sortable, resource)}
<p>${names.map((method) => html`<code>${method}</code> `)}</p></li>\n`
}

function linkOf(collection: Collection, page: PageData): Html {
  const url = urlOf(targetAt({ collection, parents: [] }), page)
  return html`<a href="${url}">${lastNounOf(collection)}</a>`
}

function fieldsLineOf(
  label: string,
  fields: readonly string[],
  { restricted }: Collection['resource'],
): HtmlContent {
  const open = fields.filter((field) => !restricted.includes(field))
  return open.length === 0 ? undefined : html`<p>${label}: ${open.join(', ')}</p>`
}
