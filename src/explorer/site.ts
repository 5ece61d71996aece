import type { Collection } from '../model/api.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { idFor } from '../model/id.ts'
import type { ToJsonSchema } from '../model/json-schema.ts'
import type { AnyRegistry } from '../model/registry.ts'
import type { Target } from '../model/target.ts'
import { formatPath } from '../wire/path.ts'
import type { Received, Sent } from './exchange.ts'

/** What does not change from page to page. */
export interface Site {
  readonly registry: AnyRegistry
  readonly title: string
  /** Where the style sheet and the script are, below the prefix of a host. */
  readonly assets: string
  readonly schemaOf: ToJsonSchema
}

/** A request for a page, and what the api answered when it was asked for the same. */
export interface Visit {
  readonly site: Site
  readonly request: HttpRequest
  /** The prefix that a host cut off; `''` for none. */
  readonly base: string
  /** `undefined` where the path names nothing. */
  readonly target: Target | undefined
  /** It is the top that is asked for, where there is no resource but something to tell. */
  readonly isStart: boolean
  readonly sent: Sent
  /** As it came from the api. */
  readonly answer: HttpResponse
  readonly received: Received
  /** The value that the answer's body holds. */
  readonly body: unknown
  /** The title of the problem that was answered, else the reason of the status. */
  readonly title: string
}

/** What is shown of a visit to a target. */
export type VisitOf<Kind extends Target = Target> = Visit & { readonly target: Kind }

/** Tells whether a link leads to a place of this server: `//` and `/\` would begin the name of another. */
export function isOwn(link: string): boolean {
  return /^\/(?![/\\])/.test(link)
}

/** Where a target is, prefix included. */
export function urlOf(target: Target, { base }: Pick<Visit, 'base'>): string {
  return base + formatPath(target)
}

/** Gives the text of an id as a path holds it; `undefined` for a value that is no id of the collection's items. */
export function textOfId({ resource }: Collection, value: unknown): string | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  return isScalar && idFor(resource, `${value}`) === value ? `${value}` : undefined
}
