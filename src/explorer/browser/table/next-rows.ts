/** Functions of the main script: this one is loaded late, and imports nothing. */
interface Pages {
  readonly fetchPage: (url: string) => Promise<Document>
  /** Prepares rows that have come. */
  readonly prepare: (within: ParentNode) => void
}

/**
 * Adds the rows of the next page to the table. The link to that page then leads to the one after
 * it. Where columns differ, as without a schema, the link stays as it is.
 */
export async function addNextRows(
  link: HTMLAnchorElement,
  { fetchPage, prepare }: Pages,
): Promise<void> {
  const fresh = await fetchPage(link.href).catch(() => undefined)
  link.ariaBusy = null
  const table = document.querySelector('.items')
  const freshTable = fresh?.querySelector('.items')
  // The user has gone on to another page, or no rows came.
  if (!fresh || !freshTable || !link.isConnected || table === null) return
  if (namesOf(freshTable) !== namesOf(table)) return
  const rows = freshTable.querySelectorAll('tbody tr')
  table.querySelector('tbody')?.append(...rows)
  prepare(document)
  const words = document.querySelector('.pager p')
  words?.setAttribute('role', 'status')
  const number = table.querySelectorAll('tbody tr').length
  words?.replaceChildren(lengthOf(words.textContent ?? '', number))
  const next = fresh.querySelector('.pager [rel="next"]')
  if (next === null) link.parentElement?.remove()
  else link.href = next.getAttribute('href') ?? ''
}

function namesOf(table: Element): string {
  return [...table.querySelectorAll('thead bdi')].map(({ textContent }) => textContent).join()
}

// `1–50 of 1,000` and `50 items` with another number of rows.
function lengthOf(words: string, number: number): string {
  const [, first = '1'] = /^([\d,]+)–/.exec(words) ?? []
  const last = Number(first.replaceAll(',', '')) - 1 + number
  return words.replace(/[\d,]+(?= (?:of|item))/, last.toLocaleString('en'))
}
