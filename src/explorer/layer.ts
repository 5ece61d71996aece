import { whenReady } from '../model/awaitable.ts'
import { checkFunction, checkOptions } from '../model/declared.ts'
import { type HttpRequest, type HttpResponse, headerOf } from '../model/http.ts'
import { createJsonSchemaReader, type ToJsonSchema } from '../model/json-schema.ts'
import type { Answer, Layer } from '../model/layer.ts'
import type { AnyRegistry } from '../model/registry.ts'
import { parseProblem } from '../wire/problem.ts'
import { prefersHtml } from './accept.ts'
import { isOfApi, targetOfPage, visit } from './ask.ts'
import { assetFor } from './asset.ts'
import { pageOf } from './page.ts'
import type { Site } from './site.ts'

/** What {@link explorer} takes; every part is optional. */
export interface ExplorerOptions {
  /** What the pages are headed with. Default `API`. */
  readonly title?: string
  /**
   * Makes JSON Schemas for forms and columns where a schema does not tell them itself, as those of valibot do not:
   * `output` of what a response holds, `input` of what a client sends. `undefined` where it cannot. Default: the schema is asked.
   */
  readonly toJsonSchema?: ToJsonSchema
  /** The path of its style sheet and script, which no noun can be. Default `/_explorer`. */
  readonly assets?: string
}

const known: Record<keyof ExplorerOptions, true> = { title: true, toJsonSchema: true, assets: true }

/**
 * Makes a layer that answers browsers with pages about the resources themselves: `serve(registry, { layers: [explorer(registry)] })`.
 *
 * A page is for whoever sends GET or HEAD with an `Accept` in which `text/html` is above JSON; anybody else gets JSON as ever. It is made
 * of what the api answers to the same request, so authorization and middleware hold for it.
 *
 * @throws {TypeError} For an option that cannot be.
 */
export function explorer(registry: AnyRegistry, options: ExplorerOptions = {}): Layer {
  const site = siteOf(registry, options)
  return (request, answer) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(request)
    const asset = assetFor(request, site.assets)
    if (asset !== undefined) return asset
    return prefersHtml(headerOf(request, 'accept'))
      ? show(request, answer, site)
      : whenReady(answer(request), (response) => asOneOfTwo(response, request, site))
  }
}

function siteOf(registry: AnyRegistry, options: ExplorerOptions): Site {
  checkOptions('The explorer', options, known)
  const { title = 'API', toJsonSchema, assets = '/_explorer' } = options
  if (toJsonSchema !== undefined)
    checkFunction('"toJsonSchema" of the explorer', toJsonSchema, '(schema, direction) => …')
  if (!/^(?:\/[\w~.-]+)*\/[\w~-][\w~.-]*$/.test(assets)) {
    throw new TypeError(`"${assets}" is no path for assets: write it like "/_explorer".`)
  }
  if (typeof title !== 'string')
    throw new TypeError(`"title" of the explorer is a ${typeof title}: it has to be text.`)
  return { registry, title, assets, schemaOf: createJsonSchemaReader(toJsonSchema) }
}

async function show(request: HttpRequest, answer: Answer, site: Site): Promise<HttpResponse> {
  const visited = await visit(request, answer, site)
  return 'site' in visited ? varying(pageOf(visited)) : asOneOfTwo(visited, request, site)
}

// What another layer has answered has no page, and so does not depend on `Accept`.
function asOneOfTwo(response: HttpResponse, request: HttpRequest, site: Site): HttpResponse {
  const hasPage =
    parseProblem(response) !== undefined ||
    (isOfApi(response) && targetOfPage(request, site) !== undefined)
  return hasPage ? varying(response) : response
}

function varying(response: HttpResponse): HttpResponse {
  const { vary = '' } = response.headers
  if (/(?:^|,)\s*(?:\*|accept)\s*(?:,|$)/i.test(vary)) return response
  const both = vary === '' ? 'Accept' : `${vary}, Accept`
  return { ...response, headers: { ...response.headers, vary: both } }
}
