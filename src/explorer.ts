import {
  type Answer,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  type Layer,
  withServedPage,
} from './contract/resource/http.ts'
import type { AnyRegistry } from './contract/resource/registry.ts'
import { createJsonSchemaReader, type ToJsonSchema } from './contract/schema/json-schema.ts'
import { type Awaitable, whenReady } from './convention/awaitable.ts'
import { checkFunction, checkOptions } from './convention/declaration.ts'
import { prefersHtml } from './explorer/accept.ts'
import { contentOf } from './explorer/content.ts'
import { isApiResponse, loadPage } from './explorer/data/load-page.ts'
import { withNames } from './explorer/data/names.ts'
import type { ExplorerSettings } from './explorer/data/page-data.ts'
import { homeOf, targetOfPage } from './explorer/data/page-request.ts'
import { pageOf } from './explorer/page.ts'
import { serveAsset } from './explorer/serve-asset.ts'
import { parseProblem } from './wire/problem.ts'

/** Options of {@link explorer}. */
export interface ExplorerOptions {
  /** The title of the pages. Default `API`. */
  readonly title?: string
  /** A text about the API for the start page, like `info.description`. Default: none. */
  readonly description?: string | undefined
  /**
   * Returns the JSON Schema of a schema that does not provide one itself, as with valibot.
   * `output` is for responses, `input` for requests. `undefined` when it cannot.
   */
  readonly toJsonSchema?: ToJsonSchema
  /** The path of its style sheet and script. No noun may have it. Default `/_explorer`. */
  readonly assets?: string
  /**
   * Returns the `Authorization` of each user of an example, by a name to choose. The page of a 401
   * then gives them to everyone who opens it: never set it where data are real. Default: none.
   */
  readonly exampleUsers?: () => Awaitable<Readonly<Record<string, string>>>
}

const optionNames: Record<keyof ExplorerOptions, true> = {
  title: true,
  description: true,
  toJsonSchema: true,
  assets: true,
  exampleUsers: true,
}

/**
 * Creates a layer that shows the resources to browsers as pages:
 * `serve(registry, { layers: [explorer(registry)] })`.
 *
 * A GET or HEAD whose `Accept` prefers `text/html` to JSON gets a page. Every other request gets
 * JSON. The page shows the response of the API to the same request, so authorization and
 * middleware apply.
 *
 * @throws {TypeError} For an invalid option, and for anything but a registry.
 */
export function explorer(registry: AnyRegistry, options: ExplorerOptions = {}): Layer {
  const settings = siteOf(registry, options)
  const layer: Layer = (request, answer) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(request)
    const asset = serveAsset(request, settings.assets)
    if (asset !== undefined) return asset
    return prefersHtml(headerOf(request, 'accept'))
      ? pageResponse(request, answer, settings)
      : whenReady(answer(request), (response) => varyIfPage(response, request, settings))
  }
  return withServedPage(layer, { title: 'explorer', path: '/' })
}

function siteOf(registry: AnyRegistry, options: ExplorerOptions): ExplorerSettings {
  if (!('bindings' in Object(registry)))
    throw new TypeError(
      'The explorer needs a registry: write explorer(registry, { title: "API" }).',
    )
  checkOptions('The explorer', options, optionNames)
  const { title = 'API', description, toJsonSchema, assets = '/_explorer' } = options
  const { exampleUsers = () => ({}) } = options
  if (toJsonSchema !== undefined)
    checkFunction('"toJsonSchema" of the explorer', toJsonSchema, '(schema, direction) => …')
  checkFunction('"exampleUsers" of the explorer', exampleUsers, '() => …')
  if (!/^(?:\/[\w~.-]+)*\/[\w~-][\w~.-]*$/.test(assets)) {
    throw new TypeError(`"${assets}" is no path for assets: write it like "/_explorer".`)
  }
  for (const [name, text] of Object.entries({ title, description })) {
    if (typeof text !== 'string' && text !== undefined)
      throw new TypeError(`"${name}" of the explorer is a ${typeof text}: write a string.`)
  }
  const schemaOf = createJsonSchemaReader(toJsonSchema)
  return {
    ...{ registry, title, description, assets, schemaOf },
    exampleUsers: async () => exampleUsers(),
  }
}

async function pageResponse(
  request: HttpRequest,
  answer: Answer,
  settings: ExplorerSettings,
): Promise<HttpResponse> {
  const page = await loadPage(request, answer, settings)
  if (!('settings' in page)) return varyIfPage(page, request, settings)
  const namedPage = await withNames(page, answer)
  return varyByAccept(pageOf(namedPage, contentOf(namedPage)))
}

// A response of another layer has no page, so it does not depend on `Accept`.
function varyIfPage(
  response: HttpResponse,
  request: HttpRequest,
  settings: ExplorerSettings,
): HttpResponse {
  const hasPage =
    parseProblem(response) !== undefined ||
    (isApiResponse(response) &&
      (targetOfPage(request, settings) ?? homeOf(request, settings)) !== undefined)
  return hasPage ? varyByAccept(response) : response
}

function varyByAccept(response: HttpResponse): HttpResponse {
  const { vary = '' } = response.headers
  if (/(?:^|,)\s*(?:\*|accept)\s*(?:,|$)/i.test(vary)) return response
  const newVary = vary === '' ? 'Accept' : `${vary}, Accept`
  return { ...response, headers: { ...response.headers, vary: newVary } }
}
