import { explorer } from 'nounful/explorer'
import { serve } from 'nounful/node'
import { callers, createSample, tokensOf } from './sample.ts'
import { openTenants } from './service.ts'
import { openLogin } from './tokens.ts'

// The keys and the data last as long as the process: a token of an earlier run is 401.
const login = await openLogin()
const service = await openTenants(':memory:', login.keys)
const tokens = await tokensOf(login)
await createSample(service.registry, tokens)

// The page of a 401 offers two of the callers. Without tokens for everyone, leave this out.
const exampleUsers = async () => ({
  'ann, an admin of Acme': `Bearer ${await login.tokenOf(callers.ann)}`,
  'gus, a member of Globex': `Bearer ${await login.tokenOf(callers.gus)}`,
})

const server = await serve(service.registry, {
  layers: [explorer(service.registry, { title: 'Tenants', exampleUsers })],
  port: Number(process.env.PORT ?? 3000),
  stopOn: ['SIGTERM', 'SIGINT'],
  onStop: () => service.close(),
})

for (const [name, token] of Object.entries(tokens)) console.log(`export ${name}=${token}`)
console.log(`
Listening on ${server.url}. Set the tokens above in your shell, then try:

  curl -H "authorization: Bearer $gus" '${server.url}/v1/projects?include=owner'
  curl -H "authorization: Bearer $abe" '${server.url}/v1/projects?include=owner'
  curl -H "authorization: Bearer $ops" '${server.url}/v1/projects?include=owner'
  curl -H "authorization: Bearer $gus" -X DELETE ${server.url}/v1/projects
`)
