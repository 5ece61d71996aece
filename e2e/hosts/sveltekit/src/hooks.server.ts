import type { Handle } from '@sveltejs/kit/hooks'
import { userOf } from './notes'

export const handle: Handle = ({ event, resolve }) => {
  event.locals.user = userOf(event.request.headers.get('authorization'))
  return resolve(event)
}
