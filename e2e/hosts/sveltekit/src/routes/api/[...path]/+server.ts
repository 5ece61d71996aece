import type { RequestHandler } from '@sveltejs/kit'
import { defineRegistry, type HostRequest } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { adapters, api, type User, writersOnly } from '../../../notes'

const registry = defineRegistry(api)
  .context(({ given: [user] }: HostRequest<Request, [user: User | undefined]>) => user)
  .use(writersOnly)
  .adapters(adapters)
const notes = toFetchHandler(registry, { base: '/api' })

// Whatever the method: the api itself answers those it does not take.
export const fallback: RequestHandler = ({ request, locals }) => notes(request, locals.user)
// Else SvelteKit answers paths that end with "/" by a redirect.
export const trailingSlash = 'ignore'
