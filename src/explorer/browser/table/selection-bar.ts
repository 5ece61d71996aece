import { maxFilterValues } from '../../../convention/filter-operators.ts'
import { formatStatus } from '../../message.ts'
import { controlIn, fieldElementsOf, findAll, findOne, make } from '../find.ts'
import { forgetDraft } from '../forms/draft.ts'
import { fillField } from '../forms/field.ts'
import { conflict, fetchPage, freshData, pageHolding, refresh } from '../refresh.ts'
import { sendRequest } from '../send.ts'
import { showToast } from '../toast.ts'
import { namesOfRows, rowText } from './rows.ts'

/** Prepares a form of the page. */
type Enhance = (form: HTMLFormElement) => void

/** The selected rows of a list. */
interface SelectedRows {
  /** The path of the list. */
  readonly list: string
  /** The most items of one request. */
  readonly most: number
  readonly rows: readonly SelectedRow[]
}

interface SelectedRow {
  readonly id: string
  readonly text: string
  /** The path of the item. */
  readonly url: string
}

/** Shows the number of the selected rows, and what the user can do with them. */
export function showBar(enhance: Enhance): void {
  const selection = readSelection()
  const { rows, most } = selection
  document.querySelector('.selection')?.remove()
  if (rows.length === 0) return
  const exports = ['CSV', 'JSON'].map((format) => {
    const data = {
      'data-format': format.toLowerCase(),
      'data-export': limitedOf(selection)[0] ?? '',
    }
    const title = `At most ${most} items at once`
    const isOver = rows.length > most
    return make(
      'button',
      { type: 'button', ...data, ...(isOver && { title, disabled: '' }) },
      format,
    )
  })
  const remove = buttonOf('Delete…', () => askToDelete(enhance))
  remove.className = 'danger'
  const isDeletable = findOne(document, '[data-list]').dataset.deletes !== undefined
  const buttons = [
    ...editButtons(selection, enhance),
    ...exports,
    ...(isDeletable ? [remove] : []),
    buttonOf('Clear', () => {
      for (const box of document.querySelectorAll<HTMLInputElement>('.items th > input'))
        box.checked = false
      showBar(enhance)
    }),
  ]
  const bar = { class: 'selection', role: 'region', 'aria-label': 'Selection' }
  findOne(document, '#data').append(
    make('div', bar, make('span', { role: 'status' }, `${rows.length} selected`), ...buttons),
  )
}

function readSelection(): SelectedRows {
  const { list = '', most } = findOne(document, '[data-list]').dataset
  const rows = findAll(document, '.items tbody tr:has(th > :checked)').map((row) => {
    const url = row.querySelector('th a')?.getAttribute('href') ?? ''
    return { id: decodeURIComponent(url.replace(/.*\//, '')), text: rowText(row), url }
  })
  return { list, most: Math.min(maxFilterValues, Number(most)), rows }
}

function listsOf({ list, rows, most }: SelectedRows): readonly string[] {
  const number = Math.ceil(rows.length / most)
  return Array.from({ length: number }, (_, index) => {
    const batch = rows.slice(index * most, (index + 1) * most)
    return `${list}?${new URLSearchParams(batch.map(({ id }) => ['id', id]))}`
  })
}

// A list without a limit may have pages.
function limitedOf(selection: SelectedRows): readonly string[] {
  return listsOf(selection).map((url) => `${url}&limit=${selection.most}`)
}

function buttonOf(label: string, act: () => unknown): HTMLElement {
  const button = make('button', { type: 'button' }, label)
  button.addEventListener('click', act)
  return button
}

// One request changes all items or none.
function editButtons({ rows }: SelectedRows, enhance: Enhance): readonly HTMLElement[] {
  const bulk = document.querySelector<HTMLElement>('form[data-kind="patchMany"]')
  if (bulk === null || rows.length > Number(findOne(bulk, '[data-items]').dataset.most)) return []
  const edit = buttonOf('Edit…', async () => {
    edit.toggleAttribute('disabled', true)
    try {
      await showForm(readSelection(), bulk, enhance)
    } catch (error) {
      showToast('alert', `${error}`)
    }
    edit.toggleAttribute('disabled', false)
  })
  return [edit]
}

async function showForm(
  selection: SelectedRows,
  bulk: HTMLElement,
  enhance: Enhance,
): Promise<void> {
  const [items, form] = await Promise.all([readItems(selection, bulk), readForm(selection)])
  const { url, media } = bulk.dataset
  Object.assign(form.dataset, { url, media, items: JSON.stringify(items) })
  forgetDraft(form)
  enhance(form)
  emptyFields(form)
  const title = make('h2', { id: 'selection-title' }, `Edit ${countOf(items.length)}`)
  const close = make('a', { class: 'close', href: '#main', 'aria-label': 'Close' }, '×')
  const head = make('div', { class: 'drawer-head' }, title, close)
  const dialog = openDialog(head, form.closest('details') ?? form)
  dialog.className = 'drawer'
  form.querySelector<HTMLElement>('[data-fields] :is(input, select, textarea)')?.focus()
  close.addEventListener('click', (event) => {
    event.preventDefault()
    dialog.close()
  })
  const finish = () => {
    // A page that went away may have taken it along.
    if (!dialog.isConnected) return
    dialog.close()
    findOne(document, '#main').focus()
    showToast('status', `${JSON.parse(form.dataset.items ?? '[]').length} changed.`)
  }
  form.addEventListener(conflict, async () => {
    const fresh = JSON.stringify(await readItems(selection, bulk).catch(() => items))
    // Another conflict, such as one of a unique field, has the same revisions.
    if (fresh === form.dataset.items) return
    form.dataset.items = fresh
    findOne(dialog, '.notice').append(make('p', {}, 'Save again to go on.'))
  })
  document.addEventListener(freshData, finish, { once: true })
  dialog.addEventListener('close', () => document.removeEventListener(freshData, finish))
}

// The form of one item sends its patch to each.
async function readForm({ rows }: SelectedRows): Promise<HTMLFormElement> {
  const page = await fetchPage(rows[0]?.url ?? '')
  const form = page.querySelector<HTMLFormElement>('form[data-kind="patch"]')
  const action = form?.closest('details')
  if (!form || !action) throw new Error('The items have no form.')
  delete form.dataset.etag
  action.open = true
  renameIds(action)
  return form
}

// The form has the values of no item.
function emptyFields(form: HTMLFormElement): void {
  for (const field of fieldElementsOf(form)) {
    offerNothing(field)
    fillField(field, undefined)
    field.dataset.stored = ''
    const hint = findOne(field, '.hint')
    hint.textContent = hint.textContent?.replace(/^(?:required|optional)(?: · )?/, '') ?? ''
  }
  form.prepend(make('p', { class: 'note' }, 'A field that you leave empty stays as it is.'))
}

// The form of an item with a value may lack these choices.
function offerNothing(field: HTMLElement): void {
  const control = controlIn(field)
  const state = field.querySelector('select.state')
  const isChoice = control instanceof HTMLSelectElement && control !== state
  if (isChoice && !control.querySelector('option[value=""]'))
    control.prepend(make('option', { value: '' }, '(left out)'))
  if (!state?.querySelector('option[value="absent"]'))
    state?.append(make('option', { value: 'absent' }, 'left out'))
}

// The panel of an item has the same ids.
function renameIds(element: HTMLElement): void {
  for (const name of ['id', 'for', 'aria-describedby'])
    for (const part of [element, ...findAll(element, `[${name}]`)]) {
      const ids = part.getAttribute(name)
      if (ids !== null) part.setAttribute(name, ids.replace(/\S+/g, 'selected-$&'))
    }
}

function openDialog(...content: readonly HTMLElement[]): HTMLDialogElement {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', 'selection-title')
  dialog.append(...content)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

function countOf(number: number): string {
  return number === 1 ? 'this item' : `these ${number} items`
}

// Only the id and the revision: the request changes nothing else, and what nobody else changed.
async function readItems(selection: SelectedRows, bulk: HTMLElement): Promise<readonly object[]> {
  const { members = '' } = findOne(bulk, '[data-items]').dataset
  const fields = encodeURIComponent(JSON.parse(members).join())
  const parts = limitedOf(selection).map(async (list) => {
    const url = `${list}&fields=${fields}`
    const { response, value } = await sendRequest({ method: 'GET', url, headers: {} })
    if (!Array.isArray(value)) throw new Error(`${url} is ${formatStatus(response)}`)
    return value as readonly object[]
  })
  const items = (await Promise.all(parts)).flat()
  if (items.length === 0) throw new Error('The items are gone.')
  return items
}

function askToDelete(enhance: Enhance): void {
  const selection = readSelection()
  const { rows } = selection
  const title = `Delete ${countOf(rows.length)}?`
  const remove = make('button', { type: 'button', class: 'danger' }, 'Delete')
  const keep = make('button', { type: 'button', autofocus: '' }, 'Keep them')
  const texts = rows.map(({ text }) => text)
  const dialog = openDialog(
    make('h3', { id: 'selection-title' }, title),
    namesOfRows(texts, rows.length),
    make('p', {}, 'You cannot undo it. References to them may lead nowhere.'),
    make('p', { class: 'buttons' }, remove, keep),
  )
  keep.addEventListener('click', () => dialog.close())
  remove.addEventListener('click', () => {
    dialog.close()
    deleteRows(selection, enhance)
  })
}

async function deleteRows(selection: SelectedRows, enhance: Enhance): Promise<void> {
  let deleted = 0
  for (const url of listsOf(selection)) {
    const headers = { prefer: `max-affected=${selection.most}` }
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
  findOne(document, '#main').focus()
  showToast('status', `${deleted} deleted.`)
}
