import { isCut } from '../../wire/link.ts'
import { controlIn, findAll, make } from './find.ts'
import { nameOfItem } from './item.ts'
import { sendRequest } from './send.ts'

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
