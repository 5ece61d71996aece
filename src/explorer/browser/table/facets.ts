import { findAll, findOne, make } from '../find.ts'
import { fetchPage } from '../refresh.ts'

// Values of a facet beside the table. The page of the count has all.
const maxValues = 6
const maxAge = 60_000

interface CachedPage {
  readonly fresh: Promise<Document>
  readonly time: number
}

const pages = new Map<string, CachedPage>()

/** Forgets the counts: another user may see others, and a write changes them. */
export function forgetFacets(): void {
  pages.clear()
}

/** Shows how many items each value has, after the page is shown: one field after another. */
export async function showFacets(): Promise<void> {
  for (const line of findAll(document, '[data-facet]:not([data-read])')) {
    line.dataset.read = ''
    const link = findOne(line, 'a')
    const fresh = await pageOf(link.getAttribute('href') ?? '').catch(() => undefined)
    const groups = fresh === undefined ? [] : findAll(fresh, '.groups li')
    const values = groups.slice(0, maxValues).map((group) => facetValue(group, line))
    const number = groups.length - values.length
    if (groups.length === 0) values.push(make('small', {}, '0'))
    const isCut = fresh?.querySelector('.groups + .note') != null
    const more = { href: link.getAttribute('href') ?? '', class: 'more' }
    line.replaceChildren(
      link,
      ...values,
      ...(number > 0 ? [make('a', more, `${number}${isCut ? '+' : ''} more`)] : []),
    )
  }
}

function pageOf(url: string): Promise<Document> {
  const cached = pages.get(url)
  if (cached !== undefined && Date.now() - cached.time < maxAge) return cached.fresh
  const fresh = fetchPage(url)
  pages.set(url, { fresh, time: Date.now() })
  return fresh
}

// Order and columns of the page stay. The value that the page has already leads back.
function facetValue(group: Element, { dataset: { facet = '' } }: HTMLElement): HTMLElement {
  const value = make('span', {}, ...document.importNode(group, true).childNodes)
  const link = value.querySelector('a')
  if (link === null) return value
  const url = new URL(link.href, location.href)
  const here = new URLSearchParams(location.search)
  for (const [name, text] of here) {
    if (!['sort', 'fields', 'include', 'limit'].includes(name)) continue
    url.searchParams.append(name, text)
  }
  const isHere = [facet, `${facet}:null`].some((name) =>
    here.getAll(name).some((text) => url.searchParams.getAll(name).includes(text)),
  )
  if (isHere) link.setAttribute('aria-current', 'true')
  for (const name of isHere ? [facet, `${facet}:null`] : []) url.searchParams.delete(name)
  link.href = url.pathname + url.search
  return value
}
