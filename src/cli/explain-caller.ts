import type { Api, Collection } from '../contract/resource/api.ts'
import { idFor } from '../contract/resource/id.ts'
import { isOwner } from '../contract/values/scope.ts'
import { isRecord } from '../convention/declared.ts'
import { fieldOf } from '../convention/value.ts'
import type { ParsedCall } from '../wire/request.ts'

interface Named {
  readonly api: Api
  /** As JSON; `undefined` for none. */
  readonly body: unknown
}

/**
 * Makes the scope of a caller who owns the items that a request names: `explain` does not know the
 * real one. A path comes before the body.
 */
export function callerFor({ target }: ParsedCall, { api, body }: Named): object {
  const { ancestors, parameters } = target.collection
  const items = [body].flat().filter(isRecord)
  const ownersOf = (field: string): unknown => {
    const index = parameters.indexOf(field)
    if (index >= 0)
      return idFor((ancestors[index] as Collection).resource, `${target.parents[index]}`) ?? unknown
    const sent = items.map((item) => fieldOf(item, field)).filter(isOwner)
    return sent.length > 0 ? sent : unknown
  }
  return Object.fromEntries(api.ownerFields.map((field) => [field, ownersOf(field)]))
}

const unknown = '…'
