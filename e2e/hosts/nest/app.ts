import 'reflect-metadata'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { All, Controller, Module, Next, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { defineRegistry, type HostRequest } from 'nounful'
import { type NextFunction, toNodeListener } from 'nounful/node'
import { adapters, api, type User, userOf, writersOnly } from './notes.js'

type Asked = IncomingMessage & { user?: User }

const registry = defineRegistry(api)
  .context(({ source }: HostRequest<Asked>) => source.user)
  .use(writersOnly)
  .adapters(adapters)
// Nest leaves the prefix in for controllers, so the option names it.
const parsedNotes = toNodeListener(registry, { base: '/parsed' })

@Controller('parsed')
class NotesController {
  // Behind Nest's parser, which hands over the parsed body. Guards apply as elsewhere.
  @All('*path')
  handle(@Req() request: Asked, @Res() response: ServerResponse, @Next() next: NextFunction): void {
    parsedNotes(request, response, next)
  }
}

@Module({ controllers: [NotesController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
app.use((request: Asked, _response: ServerResponse, next: NextFunction) => {
  Object.assign(request, { user: userOf(request.headers.authorization) })
  next()
})
// Before Nest's parser: a broken body is then answered with a problem.
app.use('/api', toNodeListener(registry))
await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
console.log('Listening', await app.getUrl())
