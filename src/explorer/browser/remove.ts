import { clearFaults, markField } from './faults.ts'
import { controlIn, find, findAll, make } from './find.ts'
import { tell } from './outcome.ts'
import { ask, type Enhance, renew, sendFrom } from './write.ts'

/** Asks whether an item shall go, and deletes it. */
export function confirmDelete(form: HTMLFormElement): void {
  form.querySelector('dialog')?.showModal()
}

/** Makes the question of {@link confirmDelete} work. */
export function watchQuestion(form: HTMLFormElement): void {
  const dialog = form.querySelector('dialog')
  if (dialog === null) return
  find(dialog, '[data-cancel]').addEventListener('click', () => dialog.close())
  find(dialog, '[data-confirm]').addEventListener('click', () => {
    dialog.close()
    deleteItem(form)
  })
}

async function deleteItem(form: HTMLFormElement): Promise<void> {
  // The question has been answered: until this is, it is not asked again.
  form.setAttribute('aria-busy', 'true')
  const exchange = await sendFrom(form, {}, undefined)
  form.removeAttribute('aria-busy')
  if (exchange === undefined) return
  form.hidden = true
  for (const action of findAll(document, '.action')) action.hidden = !action.contains(form)
  find(document, '#data').replaceChildren(
    make('p', { class: 'empty' }, 'It is not there any more.'),
  )
  const list = make('a', { href: form.dataset.list ?? '/' }, 'what is left')
  tell(form, ['It was deleted. See ', list, '.'], exchange)
}

/** Counts what would go, has that number typed, and only then deletes it: no more than was counted. */
export async function deleteAll(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  clearFaults(form)
  const box = find(form, '[data-sure]')
  if (box.dataset.sure === '' && !(await count(form, box))) return
  const confirm = find(form, '[data-confirm]')
  const input = controlIn(confirm)
  if (confirm.hidden) {
    confirm.hidden = false
    find(form, '[data-ask]').hidden = true
    find(confirm, 'label').textContent = `Type ${box.dataset.sure} to delete ${box.dataset.what}`
    input.focus()
  } else if (input.value.trim() === box.dataset.sure) await deleteThem(form, enhance)
  else {
    markField(box, `is not ${box.dataset.sure}`)
    input.focus()
  }
}

async function count(form: HTMLFormElement, box: HTMLElement): Promise<boolean> {
  const { count: url = '' } = box.dataset
  const exchange = await ask(form, { method: 'GET', url, headers: { accept: 'application/json' } })
  const number: unknown = Reflect.get(Object(exchange?.value), 'count')
  if (exchange === undefined || typeof number !== 'number') return false
  tell(form, [number === 0 ? 'There is nothing to delete.' : `${number} would go.`], exchange)
  if (number === 0) return false
  box.dataset.sure = `${number}`
  box.dataset.what = number === 1 ? 'the one there is' : `all ${number}`
  form.dataset.prefer = `max-affected=${number}`
  return true
}

async function deleteThem(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  const { prefer } = form.dataset
  const exchange = await sendFrom(form, prefer === undefined ? {} : { prefer }, undefined)
  // What was counted does not hold any more.
  if (exchange === undefined) return askAgain(form)
  const number: unknown = Reflect.get(Object(exchange.value), 'deleted')
  tell(form, [`${number} deleted.`], exchange)
  await renew(form, enhance)
}

function askAgain(form: HTMLElement): void {
  const confirm = find(form, '[data-confirm]')
  confirm.hidden = true
  controlIn(confirm).value = ''
  find(form, '[data-ask]').hidden = false
  if (form.dataset.prefer !== undefined) find(form, '[data-sure]').dataset.sure = ''
}
