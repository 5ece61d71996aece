import type { Layer } from './http.ts'

/** A page or a document that a layer serves. */
interface ServedPage {
  /** `explorer`, `OpenAPI` */
  readonly title: string
  /** Below the prefix of a host: `/openapi.json`. */
  readonly path: string
}

const pages = new WeakMap<Layer, ServedPage>()

/** Notes the page that a layer serves, so that `serve` can print its URL. Returns the layer. */
export function withServedPage(layer: Layer, page: ServedPage): Layer {
  pages.set(layer, page)
  return layer
}

/** Returns the page that a layer serves; `undefined` for another layer. */
export function servedPageOf(layer: Layer): ServedPage | undefined {
  return pages.get(layer)
}
