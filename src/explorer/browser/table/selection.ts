import { maxFilterValues } from '../../../convention/filter-operators.ts'
import { formatStatus } from '../../message.ts'
import { findAll, findOne, make } from '../find.ts'
import { pageHolding, refresh } from '../refresh.ts'
import { sendRequest } from '../send.ts'
import { showToast } from '../toast.ts'
import { namesOfRows, rowText } from './rows.ts'

/** Prepares a form of the page. */
type Enhance = (form: HTMLFormElement) => void

/** Acts on the buttons of the bar, and on the boxes of the rows. */
export function watchSelection(enhance: Enhance): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(boxes)) return
    if (target.matches('thead input'))
      for (const box of inputs('tbody')) box.checked = target.checked
    showBar(enhance)
  })
}

const boxes = '.items th > input'

function inputs(part: string): readonly HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`.items ${part} th > input`)]
}

/** Adds a box to each row of a table whose items the user may delete or export. */
export function offerSelection(within: ParentNode): void {
  for (const heading of findAll(within, '[data-list] tr > :first-child:not(:has(input))')) {
    const label = heading.matches('thead *')
      ? 'Select all'
      : `Select ${heading.textContent?.trim()}`
    heading.prepend(make('input', { type: 'checkbox', 'aria-label': label }))
  }
}

/** Exports a list, once the user chooses a format. */
export function watchExport(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-export]') : null
    const { export: url, format } = button?.dataset ?? {}
    if (url === undefined || (format !== 'csv' && format !== 'json')) return
    const columns = findAll(document, '.items thead bdi').map(({ innerText }) => innerText)
    const { csvLine, csvOf } = await import('./csv.ts')
    const { exportItems } = await import('./export.ts')
    const lines = (items: readonly unknown[]) => csvOf(items, columns)
    const list = { url, format, head: csvLine(columns), lines } as const
    try {
      await exportItems(list, (words) => showToast('status', words))
    } catch (error) {
      showToast('alert', `The export broke off. ${error}`)
    }
  })
}

interface Row {
  readonly id: string
  readonly text: string
}

function selectedRows(): readonly Row[] {
  const checked = inputs('tbody').filter((box) => box.checked)
  return checked.flatMap((box) => {
    const row = box.closest('tr')
    const link = row?.querySelector('th a')
    const [, id = ''] = /\/([^/]*)$/.exec(link?.getAttribute('href') ?? '') ?? []
    return row ? [{ id: decodeURIComponent(id), text: rowText(row) }] : []
  })
}

function showBar(enhance: Enhance): void {
  const rows = selectedRows()
  document.querySelector('.selection')?.remove()
  if (rows.length === 0) return
  const { list = '', deletes } = findOne(document, '[data-list]').dataset
  const button = (label: string, act: () => unknown, attributes = {}): HTMLElement => {
    const element = make('button', { type: 'button', ...attributes }, label)
    element.addEventListener('click', act)
    return element
  }
  const exports = ['CSV', 'JSON'].map((format) => {
    const url = `${batchesOf(list, rows)[0]}&limit=${rows.length}`
    const data = { 'data-format': format.toLowerCase(), 'data-export': url }
    return make('button', { type: 'button', ...data }, format)
  })
  const remove = button('Delete…', () => askToDelete(list, enhance), { class: 'danger' })
  const clear = button('Clear', () => {
    for (const box of [...inputs('thead'), ...inputs('tbody')]) box.checked = false
    showBar(enhance)
  })
  const isBatch = rows.length <= maxFilterValues
  const buttons = [...(isBatch ? exports : []), ...(deletes === undefined ? [] : [remove]), clear]
  const bar = { class: 'selection', role: 'region', 'aria-label': 'Selection' }
  findOne(document, '#data').append(
    make('div', bar, make('span', { role: 'status' }, `${rows.length} selected`), ...buttons),
  )
}

// A filter takes at most so many ids.
function batchesOf(list: string, rows: readonly Row[]): readonly string[] {
  const number = Math.ceil(rows.length / maxFilterValues)
  return Array.from({ length: number }, (_, index) => {
    const batch = rows.slice(index * maxFilterValues, (index + 1) * maxFilterValues)
    return `${list}?${new URLSearchParams(batch.map(({ id }) => ['id', id]))}`
  })
}

function askToDelete(list: string, enhance: Enhance): void {
  const rows = selectedRows()
  const title = `Delete ${rows.length === 1 ? 'this item' : `these ${rows.length} items`}?`
  const remove = make('button', { type: 'button', class: 'danger' }, 'Delete')
  const keep = make('button', { type: 'button', autofocus: '' }, 'Keep them')
  const texts = rows.map(({ text }) => text)
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', 'selection-title')
  dialog.append(
    make('h3', { id: 'selection-title' }, title),
    namesOfRows(texts, rows.length),
    make('p', {}, 'You cannot undo it. References to them will lead nowhere.'),
    make('p', { class: 'buttons' }, remove, keep),
  )
  keep.addEventListener('click', () => dialog.close())
  remove.addEventListener('click', () => {
    dialog.close()
    deleteRows(list, rows, enhance)
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

async function deleteRows(list: string, rows: readonly Row[], enhance: Enhance): Promise<void> {
  let deleted = 0
  for (const url of batchesOf(list, rows)) {
    const headers = { prefer: `max-affected=${maxFilterValues}` }
    const trip = await sendRequest({ method: 'DELETE', url, headers }).catch(() => undefined)
    const { detail = '', deleted: number } = Object(trip?.value)
    if (typeof number !== 'number') {
      const status = trip === undefined ? 'No response came' : formatStatus(trip.response)
      showToast('alert', `${deleted} deleted, then: ${status}. ${detail}`)
      return
    }
    deleted += number
  }
  await refresh(pageHolding(document.body), enhance)
  showToast('status', `${deleted} deleted.`)
}
