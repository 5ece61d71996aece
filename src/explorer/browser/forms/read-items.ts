import { fieldOf, isRecord } from '../../../convention/value.ts'
import { controlIn, findOne } from '../find.ts'
import { sendRequest } from '../send.ts'

/** Fills the JSON of a form of many items with those of the page. */
export async function fillItems(form: HTMLElement, note: HTMLElement): Promise<void> {
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
