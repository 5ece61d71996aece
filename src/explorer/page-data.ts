import type { Collection } from '../model/api.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { idFor } from '../model/id.ts'
import type { ToJsonSchema } from '../model/json-schema.ts'
import type { AnyRegistry } from '../model/registry.ts'
import type { Target } from '../model/target.ts'
import { formatPath } from '../wire/path.ts'
import type { ShownRequest, ShownResponse } from './message.ts'

/** The settings of an explorer, the same for every page. */
export interface ExplorerSettings {
  readonly registry: AnyRegistry
  readonly title: string
  /** The path of the style sheet and the script, without the prefix of a host. */
  readonly assets: string
  readonly schemaOf: ToJsonSchema
}

/** A request for a page, and the response of the API to the same request. */
export interface PageData {
  readonly settings: ExplorerSettings
  readonly request: HttpRequest
  /** The prefix that the host removed from the URL; `''` for none. */
  readonly base: string
  /** `undefined` for an unknown path. */
  readonly target: Target | undefined
  /** The request is for `/`, which lists all collections. */
  readonly isStart: boolean
  readonly shownRequest: ShownRequest
  readonly response: HttpResponse
  readonly shownResponse: ShownResponse
  /** The value of the response body. */
  readonly body: unknown
  /** The title of the problem, else the reason phrase. */
  readonly title: string
}

/** The data of a page about a target. */
export type TargetPage<Kind extends Target = Target> = PageData & { readonly target: Kind }

/** Tells whether a link is a path on this server: `//` and `/\` would begin the name of another. */
export function isLocalPath(link: string): boolean {
  return /^\/(?![/\\])/.test(link)
}

/** Returns the URL of a target, with the prefix of the host. */
export function urlOf(target: Target, { base }: Pick<PageData, 'base'>): string {
  return base + formatPath(target)
}

/** Returns the text of an id in a path; `undefined` for a value that is no id in the collection. */
export function idText({ resource }: Collection, value: unknown): string | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  return isScalar && idFor(resource, `${value}`) === value ? `${value}` : undefined
}
