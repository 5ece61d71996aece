import type { IncomingMessage } from 'node:http'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { defineRegistry, type HostRequest } from 'nounful'
import { toNodeListener } from 'nounful/node'
import { adapters, api, type User, userOf, writersOnly } from './notes.js'

interface State {
  user?: User | undefined
}
type Asked = IncomingMessage & State & { body?: unknown }

const registry = defineRegistry(api)
  .context(({ source }: HostRequest<Asked>) => source.user)
  .use(writersOnly)
  .adapters(adapters)

// Koa leaves the prefix in, so the option names it. Koa's own context goes with it.
function mounted(base: string): Koa.Middleware<State> {
  const notes = toNodeListener(registry, { base })
  return async (context, next) => {
    if (!`${context.path}/`.startsWith(`${base}/`)) return next()
    const { req, res, request, state } = context
    const body = request.rawBody === undefined ? undefined : request.body
    context.respond = false
    const isOurs = await new Promise<boolean>((resolve) => {
      res.once('close', () => resolve(true))
      notes(Object.assign(req, { user: state.user, body }), res, () => resolve(false))
    })
    if (isOurs) return
    context.respond = true
    await next()
  }
}

const app = new Koa<State>()
app.use(async (context, next) => {
  context.state.user = userOf(context.get('authorization'))
  await next()
})
// Before the parser: a broken body is then answered with a problem.
app.use(mounted('/api'))
app.use(bodyParser())
// Behind it: the body comes parsed, and is taken as it is.
app.use(mounted('/parsed'))

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log('Listening', server.address())
})
