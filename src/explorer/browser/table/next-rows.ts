import { findAll, findOne } from '../find.ts'
import { fetchPage } from '../refresh.ts'

/**
 * Adds the rows of the next page to the table. The link to that page then leads to the one after
 * it. Where columns differ, as without a schema, the link stays as it is.
 */
export async function addNextRows(
  link: HTMLAnchorElement,
  prepare: (within: ParentNode) => void,
): Promise<void> {
  const pager = findOne(document, '.pager')
  pager.setAttribute('aria-busy', 'true')
  const fresh = await fetchPage(link.href).catch(() => undefined)
  pager.removeAttribute('aria-busy')
  const table = document.querySelector('.items')
  const freshTable = fresh?.querySelector('.items')
  // The user has gone on to another page, or no rows came.
  if (!fresh || !freshTable || !link.isConnected || table === null) return
  if (namesOf(freshTable) !== namesOf(table)) return
  const body = findOne(table, 'tbody')
  body.append(...document.adoptNode(findOne(freshTable, 'tbody')).children)
  prepare(document)
  const words = findOne(pager, 'p')
  words.setAttribute('role', 'status')
  words.textContent = lengthOf(words.textContent ?? '', body.children.length)
  const next = fresh.querySelector('.pager [rel="next"]')
  if (next === null) link.parentElement?.remove()
  else link.href = next.getAttribute('href') ?? ''
}

function namesOf(table: Element): string {
  return findAll(table, 'thead bdi')
    .map(({ textContent }) => textContent)
    .join()
}

// `1–50 of 1,000` and `50 items` with another number of rows.
function lengthOf(words: string, number: number): string {
  const [, first = '1'] = /^([\d,]+)–/.exec(words) ?? []
  const last = Number(first.replaceAll(',', '')) - 1 + number
  return words.replace(/[\d,]+(?= (?:of|item))/, last.toLocaleString('en'))
}
