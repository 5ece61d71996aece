import { type Collection, lastNounOf } from '../contract/resource/api.ts'
import { fieldOf } from '../convention/value.ts'
import type { Node } from './json-schema.ts'
import type { OpenApiOptions } from './options.ts'
import { collectionsNewestFirst, type Service, versionsOf } from './source.ts'
import { sharedMethods, tagDescription } from './words.ts'

/** The ends of tags by version: empty for the newest one. */
export type TagSuffixes = ReadonlyMap<string, string>

/**
 * Returns the ends of a document's tags. The tags of an older version say which, and whether it is
 * deprecated: `employees (v1, deprecated)`.
 */
export function tagSuffixesOf(service: Pick<Service, 'api'>): TagSuffixes {
  const { collections } = service.api
  return new Map(
    versionsOf(service).map((version, age) => {
      const isDeprecated = collections
        .filter((collection) => collection.version === version)
        .every(({ deprecation }) => deprecation !== undefined)
      return [version, age === 0 ? '' : ` (${version}${isDeprecated ? ', deprecated' : ''})`]
    }),
  )
}

/** Returns the tag of a collection's operations: its noun, with the end of its version. */
export function nounTagOf(collection: Collection, suffixes: TagSuffixes): string {
  return lastNounOf(collection) + (suffixes.get(collection.version) ?? '')
}

/** Returns the tags of a document with their descriptions, those of the newest version first. */
export function tagsOf(service: Service, { tags, methods }: OpenApiOptions): readonly Node[] {
  const groups = new Map<string, Collection[]>()
  const suffixes = tagSuffixesOf(service)
  for (const collection of collectionsNewestFirst(service)) {
    if (service.kindsOf(collection).length === 0) continue
    const tag = nounTagOf(collection, suffixes)
    groups.set(tag, [...(groups.get(tag) ?? []), collection])
  }
  const nounTags = [...groups].map(([name, collections]) => {
    const [noun = ''] = collections.map(lastNounOf)
    return { name, description: (tags && fieldOf(tags, noun)) ?? tagDescription(collections) }
  })
  const { tag: name, description } = sharedMethods
  return methods === 'all' ? [...nounTags, { name, description }] : nounTags
}
