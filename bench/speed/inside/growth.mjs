// How long it takes to find what a path names, among so many collections.
import { answers } from './questions.mjs'
import { nounsOf, registryOf, routers } from './routers.mjs'
import { flat, timeInTurn } from './turns.mjs'
import { nounful } from './world.mjs'

answers({ growth: measure })

const most = 1000

/** Times everything: nanoseconds a call, by name, a value a round. */
async function measure({ size, effort }) {
  const nouns = nounsOf(size)
  const paths = Array.from({ length: most }, (_, place) =>
    // Spread over all of them, in no order.
    flat(`/v1/${nouns[(place * 7919) % size]}/${place}`),
  )
  const requests = paths.map((url) => ({ method: 'GET', url }))
  const registry = registryOf(nouns)
  for (const request of requests) {
    if (nounful.handle(request, registry).status !== 200)
      throw new Error(`Not found: ${request.url}`)
  }
  const others = Object.entries(routers).map(([name, routerOf]) => {
    const call = routerOf(nouns)
    if (!call(paths[0])) throw new Error(`${name} does not find ${paths[0]}`)
    return { name, call, inputs: paths }
  })
  return timeInTurn(
    [
      {
        name: 'parse',
        call: (request) => nounful.parseRequest(request, registry),
        inputs: requests,
      },
      { name: 'handle', call: (request) => nounful.handle(request, registry), inputs: requests },
      ...others,
    ],
    effort,
  )
}
