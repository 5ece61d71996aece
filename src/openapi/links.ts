import type { Collection } from '../contract/resource/api.ts'
import { formatPointer } from '../wire/pointer.ts'
import type { Components } from './components.ts'
import { keyOfField, oneOf } from './names.ts'
import type { Service } from './source.ts'
import type { Node } from './walk.ts'
import { operationIdOf } from './words.ts'

/** The parts of the document that links use. */
export interface LinkKit {
  readonly components: Components
  readonly service: Pick<Service, 'kindsOf'>
}

/**
 * Returns the member `links` of a response with an item, if its references lead to items that a
 * client can read. An item below a parent has no link: the response lacks the parent's id.
 */
export function withLinks({ references }: Collection, { components, service }: LinkKit): Node {
  const links = references.flatMap(({ field, to, as, target }) => {
    const isLinked = target.parameters.length === 0 && service.kindsOf(target).includes('read')
    if (!isLinked) return []
    const operationId = operationIdOf('read', target)
    const link = components.refer('links', `${operationId}.${keyOfField(field)}`, () => ({
      operationId,
      parameters: { id: `$response.body#${formatPointer([field])}` },
      description: `\`${field}\` is the id of ${oneOf(to)}.`,
    }))
    return [[keyOfField(as), link] as const]
  })
  return links.length === 0 ? {} : { links: Object.fromEntries(links) }
}
