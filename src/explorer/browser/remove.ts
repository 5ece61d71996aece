import { controlIn, findAll, findOne, make } from './find.ts'
import { clearErrors, markField } from './issues.ts'
import { showSuccess } from './outcome.ts'
import { type Enhance, refreshPage, sendFor, sendForm } from './write.ts'

/** Asks the user to confirm, then deletes the item. */
export function confirmDelete(form: HTMLFormElement): void {
  form.querySelector('dialog')?.showModal()
}

/** Prepares the dialog of {@link confirmDelete}. */
export function watchDeleteDialog(form: HTMLFormElement): void {
  const dialog = form.querySelector('dialog')
  if (dialog === null) return
  findOne(dialog, '[data-cancel]').addEventListener('click', () => dialog.close())
  findOne(dialog, '[data-confirm]').addEventListener('click', () => {
    dialog.close()
    deleteItem(form)
  })
}

async function deleteItem(form: HTMLFormElement): Promise<void> {
  // The dialog must not open again before the response.
  form.setAttribute('aria-busy', 'true')
  const trip = await sendForm(form, {})
  form.removeAttribute('aria-busy')
  if (trip === undefined) return
  form.hidden = true
  for (const action of findAll(document, '.action')) action.hidden = !action.contains(form)
  findOne(document, '#data').replaceChildren(make('p', { class: 'empty' }, 'The item is deleted.'))
  // Both told of the item before.
  findOne(document, '.title .status').textContent = 'Deleted'
  findOne(document, 'main > .wire').hidden = true
  const list = make('a', { href: form.dataset.list ?? '/' }, 'the other items')
  showSuccess(form, ['It was deleted. See ', list, '.'], trip)
}

/** Counts the items, asks the user to type that number, then deletes at most as many. */
export async function confirmDeleteAll(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  clearErrors(form)
  const box = findOne(form, '[data-sure]')
  if (box.dataset.sure === '' && !(await countItems(form, box))) return
  const confirm = findOne(form, '[data-confirm]')
  const input = controlIn(confirm)
  if (confirm.hidden) {
    confirm.hidden = false
    findOne(form, '[data-ask]').hidden = true
    findOne(confirm, 'label').textContent = `Type ${box.dataset.sure} to delete ${box.dataset.what}`
    input.focus()
  } else if (input.value.trim() === box.dataset.sure) await sendDeleteAll(form, enhance)
  else {
    markField(box, `is not ${box.dataset.sure}`)
    input.focus()
  }
}

async function countItems(form: HTMLFormElement, box: HTMLElement): Promise<boolean> {
  const { count: url = '' } = box.dataset
  const trip = await sendFor(form, { method: 'GET', url, headers: {} })
  const number: unknown = Reflect.get(Object(trip?.value), 'count')
  if (trip === undefined || typeof number !== 'number') return false
  const words = number === 0 ? 'The collection is empty.' : `DELETE would delete ${number}.`
  showSuccess(form, [words], trip)
  if (number === 0) return false
  box.dataset.sure = `${number}`
  box.dataset.what = number === 1 ? 'the only item' : `all ${number}`
  form.dataset.prefer = `max-affected=${number}`
  return true
}

async function sendDeleteAll(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  const { prefer } = form.dataset
  const trip = await sendForm(form, prefer === undefined ? {} : { headers: { prefer } })
  // The number of items may have changed.
  if (trip === undefined) return resetQuestion(form)
  const number: unknown = Reflect.get(Object(trip.value), 'deleted')
  showSuccess(form, [`${number} deleted.`], trip)
  await refreshPage(form, enhance)
}

function resetQuestion(form: HTMLElement): void {
  const confirm = findOne(form, '[data-confirm]')
  confirm.hidden = true
  controlIn(confirm).value = ''
  findOne(form, '[data-ask]').hidden = false
  if (form.dataset.prefer !== undefined) findOne(form, '[data-sure]').dataset.sure = ''
}
