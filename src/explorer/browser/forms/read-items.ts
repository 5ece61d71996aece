import { fieldOf, isRecord } from '../../../convention/value.ts'
import { isCut } from '../../../wire/link.ts'
import { controlIn, findAll, findOne, make } from '../find.ts'
import { nameOfItem } from '../item.ts'
import { sendRequest } from '../send.ts'

/** Suggests the items that a field may refer to, once the user enters the field. */
export function watchReferences(form: HTMLElement): void {
  for (const list of findAll(form, 'datalist')) {
    const field = list.closest('.field') ?? form
    controlIn(field).addEventListener('focus', () => suggest(list), { once: true })
  }
}

// A list that goes on suggests nothing: the user would miss the other items.
async function suggest(list: HTMLElement): Promise<void> {
  const { url = '', names = '' } = list.dataset
  const trip = await sendRequest({ method: 'GET', url, headers: {} }).catch(() => undefined)
  const isWhole = trip?.response.status === 200 && !isCut(trip.response.headers)
  const items: readonly object[] = isWhole && Array.isArray(trip.value) ? trip.value : []
  const fields: readonly string[] = JSON.parse(names)
  list.replaceChildren(
    ...items.map((item) => {
      const value = `${Reflect.get(item, 'id')}`
      return make('option', { value }, nameOfItem(item, fields) ?? value)
    }),
  )
}

/** Fills the JSON of a form of many items with those of the page, once the form is open. */
export function watchFill(form: HTMLElement): void {
  const note = form.querySelector<HTMLElement>('[data-items]')
  const details = form.closest('details')
  if (note === null || details === null) return
  const fillOnce = () => {
    if (!details.open || note.dataset.items !== '') return
    note.dataset.items = 'asked'
    fill(form, note)
  }
  details.addEventListener('toggle', fillOnce)
  fillOnce()
}

async function fill(form: HTMLElement, note: HTMLElement): Promise<void> {
  const { url = '', most, bytes, members } = note.dataset
  const trip = await sendRequest({ method: 'GET', url, headers: {} }).catch(() => undefined)
  const isFine = trip?.response.status === 200 && Array.isArray(trip.value)
  const items = isFine ? (trip.value as readonly unknown[]).slice(0, Number(most)) : []
  const names: readonly string[] | undefined = members && JSON.parse(members)
  const entries = names === undefined ? items : items.map((item) => pick(item, names))
  const json = JSON.stringify(entries, undefined, 2)
  const isTooLong = json.length > Number(bytes)
  if (!isFine) note.textContent = 'The items could not be read.'
  if (isTooLong) note.textContent = 'The items of this page are too long for this form.'
  if (!isFine || isTooLong || form.dataset.touched !== undefined) return
  controlIn(findOne(form, '[data-json]')).value = json
}

function pick(item: unknown, names: readonly string[]): object {
  const entries = names.map((name) => [name, isRecord(item) ? fieldOf(item, name) : undefined])
  return Object.fromEntries(entries)
}
