import type { NextRequest } from 'next/server'
import { defineRegistry, type HostRequest } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { adapters, api, userOf, writersOnly } from '../../../notes'

// Next.js passes its own request, with cookies and the like, and the parameters of the path.
type Asked = HostRequest<NextRequest, [context: { params: Promise<{ path?: string[] }> }]>

const registry = defineRegistry(api)
  .context(({ source }: Asked) => userOf(source.headers.get('authorization')))
  .use(writersOnly)
  .adapters(adapters)
const notes = toFetchHandler(registry, { base: '/api' })

export {
  notes as DELETE,
  notes as GET,
  notes as HEAD,
  notes as OPTIONS,
  notes as PATCH,
  notes as POST,
  notes as PUT,
}
