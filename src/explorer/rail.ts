import type { Collection } from '../contract/resource/api.ts'
import { formatPath } from '../wire/path.ts'
import type { PageData, TargetPage } from './data/page-data.ts'
import { targetAt, urlOf } from './data/page-url.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { documentLinksOf, numberOf } from './navigation.ts'

/**
 * Writes the collections of the version of a page, the other versions, and the documents of the
 * API. A nested collection is a link where the path of the page holds its parents.
 */
export function railOf(page: PageData): HtmlContent {
  const { target, settings } = page
  if (target === undefined) return undefined
  const { versions } = settings.registry.api
  const { version } = target.collection
  const roots = versions.get(version) ?? new Map<string, Collection>()
  const others = [...versions.keys()].filter((name) => name !== version)
  const more = [
    listOf(
      'Versions',
      others.map((other) => versionLine({ ...page, target }, other)),
    ),
    listOf('Documents', documentLinksOf(page.documents)),
  ]
  return html`<nav class="rail" id="rail" aria-label="Resources"><div class="drawer-head">
<h2>Resources <small>${version}</small></h2>
<a class="close" href="#main" aria-label="Close the resources">×</a></div>
<ul>${linesOf({ ...page, target }, roots, [])}</ul>${more}</nav>`
}

function listOf(title: string, lines: readonly Html[]): HtmlContent {
  return lines.length === 0 ? undefined : html`<h2>${title}</h2><ul>${lines}</ul>`
}

function linesOf(
  page: TargetPage,
  collections: ReadonlyMap<string, Collection>,
  parents: readonly string[],
): readonly Html[] {
  return [...collections].map(([noun, collection]) => {
    const place = { collection, parents: [...parents] }
    const target = targetAt(place)
    const isHere = formatPath(target) === formatPath(targetAt(page.target))
    const current = isHere ? html` aria-current="true"` : ''
    const link = html`<a href="${urlOf(target, page)}"${current}>${noun}</a>`
    const id = idOnPath(page, place.collection, parents.length)
    const children =
      id === undefined
        ? [...collection.children.keys()].map((child) => html`<li><span>${child}</span></li>`)
        : linesOf(page, collection.children, [...parents, id])
    const subtree = children.length === 0 ? '' : html`<ul>${children}</ul>`
    return html`<li>${link}${numberOf(page, place)}${subtree}</li>\n`
  })
}

// The path of the page leads through an item of the collection, or ends there.
function idOnPath(
  { target }: TargetPage,
  { place }: Collection,
  depth: number,
): string | undefined {
  const { collection, parents, kind } = target
  const chain = kind === 'item' ? [...collection.ancestors, collection] : collection.ancestors
  const ids = kind === 'item' ? [...parents, target.id] : parents
  return chain[depth]?.place === place ? ids[depth] : undefined
}

// The same page in the other version, else the page of the version.
function versionLine(page: TargetPage, version: string): Html {
  const { target, settings, base } = page
  const { api, home } = settings.registry
  const same = api.collections.find(
    (candidate) => candidate.version === version && candidate.path === target.collection.path,
  )
  const url = same ? urlOf({ ...target, collection: same }, page) : `${base}/${version}`
  const label = same || home ? html`<a href="${url}">${version}</a>` : html`<span>${version}</span>`
  const deprecation = api.lifecycle.get(version)
  const { sunset } = deprecation ?? {}
  const end = sunset === undefined ? 'deprecated' : `until ${sunset}`
  return html`<li>${label}${deprecation && html` <small>${end}</small>`}</li>`
}
