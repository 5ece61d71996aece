import { type Collection, lastNounOf, type Target } from '../contract/resource/api.ts'
import { reservedWords } from '../convention/operations.ts'
import { formatPath, methodsFor } from '../wire/path.ts'
import { requestIn } from './browser/dock/languages.ts'
import { type PageData, readParametersOf, readRowsOf, type TargetPage } from './data/page-data.ts'
import {
  type CollectionPath,
  itemAt,
  type PageParameters,
  targetAt,
  urlOf,
} from './data/page-url.ts'
import { originOf } from './dock.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { excerptHtml, headingHtml } from './value.ts'

/** Writes links from the start to the target. */
export function breadcrumbsOf(page: PageData): Html {
  const steps = page.target === undefined ? [] : stepsTo(page.target)
  const links = steps.map((step, index) => {
    const current = index === steps.length - 1 ? html` aria-current="page"` : ''
    const label = headingHtml(labelOf(page, step))
    return html`<li><a href="${urlOf(step, page)}"${current}>${label}</a></li>`
  })
  const version = page.target?.collection.version ?? page.start ?? ''
  const versionLink = version === '' ? '' : html`<li>${versionLinkOf(version, page)}</li>`
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
<li><a href="${page.base}/">Start</a></li>${versionLink}${links}</ol></nav>`
}

/** Writes links to documents of the API, each by the name of its file. */
export function documentLinksOf(documents: PageData['documents']): readonly Html[] {
  return Object.entries(documents).map(
    ([name, path]) =>
      html`<li><a href="${path}">${path.slice(path.lastIndexOf('/') + 1) || name}</a></li>`,
  )
}

/** Writes a link to the page of a version, where it has a home document. */
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

/** Writes the beginning of a start page: what the API is, and its documents. */
export function greetingOf(page: PageData): HtmlContent {
  const { settings, start } = page
  const { title, description } = settings
  const client = html`<li><a href="#example">Typed client</a></li>`
  const links = [...documentLinksOf(page.documents), listToTry(page) === undefined ? [] : client]
  return html`<div class="head"><h1>${`${title} ${start}`.trim()}</h1></div>
${description === undefined ? '' : html`<p class="lead about">${description.trim()}</p>`}
<p class="lead">A JSON API. Open a path in a browser to look at it,
and ask for it from a program to get JSON.</p>
<ul class="ends" aria-label="Documents">${links}</ul>`
}

// The first list of the current version.
function listToTry({ settings, start }: PageData): Collection | undefined {
  const { collections, lifecycle } = settings.registry.api
  const lists = collections.filter(
    (collection) =>
      (!start || collection.version === start) &&
      collection.parameters.length === 0 &&
      readRowsOf(targetAt({ collection, parents: [] }), settings)?.includes('limit'),
  )
  return lists.find(({ version }) => !lifecycle.has(version)) ?? lists[0]
}

/** Writes a request of a start page that a click and a program can send. */
export function startExampleOf(page: PageData): HtmlContent {
  const collection = page.start === undefined ? undefined : listToTry(page)
  if (collection === undefined) return undefined
  const { request, base } = page
  const { sortable, restricted, maxLimit } = collection.resource
  const field = sortable.find((name) => !restricted.includes(name))
  const sort = field === undefined ? undefined : [{ field, direction: 'asc' } as const]
  const list = targetAt({ collection, parents: [] })
  const url = urlOf(list, page, { sort, limit: Math.min(2, maxLimit) })
  const origin = originOf(request)
  const commands = (['curl', 'client'] as const).map((language) => {
    const text = requestIn(language, { method: 'GET', url, headers: {} }, { origin, base })
    return html`<div class="curl">
<pre class="message"><code data-curl data-origin="${origin}">${text}</code></pre>
<button type="button" class="needs-script copy" data-copy hidden>Copy</button></div>`
  })
  return html`<section aria-labelledby="example"><h2 id="example">Try it</h2>
<p><code>GET</code> <a href="${url}">${url}</a></p><div class="parts">${commands}</div></section>`
}

/**
 * Writes the collections of the API as cards, by version: those of the version that a start page
 * is about, else all. A version that ends comes last.
 */
export function overviewOf(page: PageData): HtmlContent {
  const { settings, start } = page
  const { versions, lifecycle, collections } = settings.registry.api
  const names = [...versions.keys()]
    .filter((version) => !start || version === start)
    .toSorted((left, right) => Number(lifecycle.has(left)) - Number(lifecycle.has(right)))
  return names.map((version) => {
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

// A nested collection has no link: it needs an item of each one above it.
function cardOf(page: PageData, collection: Collection): Html {
  const { parameters, version, path, resource } = collection
  const target = targetAt({ collection, parents: [] })
  const isRoot = parameters.length === 0
  const name = isRoot ? linkOf(collection, page) : lastNounOf(collection)
  const methods = new Set(
    [target, itemAt(target, '')].flatMap((place) => [
      ...methodsFor(place, page.settings.registry).kinds.keys(),
    ]),
  )
  const reference = isRoot ? html`<a href="${urlOf(target, page)}#more">Reference</a>` : ''
  const names = [...methods].filter((method) => /^[A-Z]+$/.test(method) && method !== 'HEAD')
  return html`<li class="card"><h3>${name}</h3>${isRoot ? numberOf(page, target) : ''}
<code class="path">/${version}${path}</code>${isRoot ? '' : parentsLineOf(page, collection)}
${fieldsLineOf('Search', resource.searchable, resource)}
${fieldsLineOf('Sort', resource.sortable, resource)}
<p>${names.map((method) => html`<code>${method}</code> `)}${reference}</p></li>\n`
}

// Links below the first items of the collection at the top.
function parentsLineOf(page: PageData, collection: Collection): HtmlContent {
  const [root, ...middle] = collection.ancestors
  if (root === undefined) return undefined
  const items = page.parents.get(formatPath(targetAt({ collection: root, parents: [] }))) ?? []
  const steps = middle.map((ancestor) => `, then one of ${lastNounOf(ancestor)}`)
  const line = html`<p>Pick one of ${linkOf(root, page)}${steps}:</p>`
  const links = items.map(({ id, name }) => {
    const next = middle[0] ?? collection
    const url = urlOf(targetAt({ collection: next, parents: [id] }), page)
    return html`<li><a href="${url}">${excerptHtml(name)}</a></li>`
  })
  const label = `${lastNounOf(collection)} of`
  return [
    line,
    links.length === 0 ? '' : html`<ul class="ends picks" aria-label="${label}">${links}</ul>`,
  ]
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
