import type { RequestHandler } from '@sveltejs/kit'
import { defineRegistry, type HostRequest } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { adapters, api, type User, writersOnly } from '../../../notes'

const registry = defineRegistry(api)
  .context(({ given: [user] }: HostRequest<Request, [user: User | undefined]>) => user)
  .use(writersOnly)
  .adapters(adapters)
const notes = toFetchHandler(registry, { base: '/api' })

// All methods: the api itself answers the ones that it does not allow.
export const fallback: RequestHandler = ({ request, locals }) => notes(request, locals.user)
// Else SvelteKit answers paths that end with "/" by a redirect.
export const trailingSlash = 'ignore'
