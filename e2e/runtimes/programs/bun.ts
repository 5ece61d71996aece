import { toFetchHandler } from 'nounful/fetch'
import { registry } from '../service/chosen.ts'

/** The part of Bun that it uses. */
declare const Bun: {
  serve(options: {
    readonly fetch: (request: Request) => Response | Promise<Response>
    readonly port: number
    readonly hostname: string
  }): { readonly url: URL }
}

const { url } = Bun.serve({ fetch: toFetchHandler(registry), port: 0, hostname: '127.0.0.1' })
console.log(url.href)
