import type { HttpResponse } from '../contract/resource/http.ts'

/** The home document: the versions of an api, or one of them, and the documents about it. */
export interface Home {
  readonly versions: readonly HomeVersion[]
  /** The paths of documents, by name: `openapi`. */
  readonly documents: Readonly<Record<string, string>>
}

interface HomeVersion {
  readonly name: string
  /** The path of its own home document: `/v1`. */
  readonly path: string
  /** The day from which it is deprecated, as declared. */
  readonly deprecated?: string
  /** The day from which it may be gone, as declared. */
  readonly sunset?: string | undefined
  readonly resources: readonly HomeResource[]
}

interface HomeResource {
  readonly name: string
  /** The path of the collection: `/v1/companies/{company_id}/employees`. */
  readonly path: string
  /** The path of an item: `/v1/companies/{company_id}/employees/{id}`. */
  readonly item: string
  /** The methods of the collection, as its `Allow` names them. */
  readonly methods: readonly string[]
  /** The names of the resources that the path leads through, outermost first. */
  readonly parents: readonly string[]
}

const homes = /* @__PURE__ */ new WeakSet<object>()

/** Makes a home document, which layers recognize. */
export function toHome(home: Home): Home {
  homes.add(home)
  return home
}

/** Adds documents to a home document in a response. Returns any other response unchanged. */
export function withDocuments(response: HttpResponse, documents: Home['documents']): HttpResponse {
  const { body } = response
  return isHome(body)
    ? { ...response, body: toHome({ ...body, documents: { ...body.documents, ...documents } }) }
    : response
}

function isHome(body: unknown): body is Home {
  return homes.has(Object(body))
}
