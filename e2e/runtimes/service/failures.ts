import { type AdapterFor, problem } from 'nounful'
import type { api } from './contract.ts'

/** Fails in every way that an adapter can. */
export const failures: AdapterFor<typeof api, 'failures'> = {
  read({ id }) {
    if (id === 'unavailable') throw problem('unavailable', 'Come again', { retryAfter: 7 })
    if (id === 'limited') throw problem('rate_limited', 'Too often', { retryAfter: 9 })
    if (id === 'forbidden') throw problem('forbidden')
    if (id === 'unauthenticated') throw problem('unauthenticated')
    if (id === 'rejected') return Promise.reject(new Error('secret'))
    throw new Error('secret')
  },
  async *list() {
    yield { id: 'one' }
    throw new Error('secret')
  },
}
