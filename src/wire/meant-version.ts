import type { Collection } from '../contract/resource/api.ts'
import { withoutOrigin } from './origin.ts'
import { defaultRoots, type PathContext } from './path.ts'
import { decodePercent } from './percent.ts'

/** The version that a path means, and the collection that its beginning names. */
export interface MeantVersion {
  /** Also one that has ended. */
  readonly version: string
  readonly collection: Collection | undefined
}

/**
 * Returns the version that a URL means, whatever is wrong with the rest of it; `undefined` for
 * none. A path without a version means one only if it begins with a collection.
 */
export function meantVersion(url: string, context: PathContext): MeantVersion | undefined {
  const [path = ''] = withoutOrigin(url).split(/[?#]/, 1)
  const segments = path.split('/').slice(1).map(readable)
  const [first = ''] = segments
  const { versions, retired } = context.api
  if (retired.has(first)) return { version: first, collection: undefined }
  const named = versions.get(first)
  const roots = named ?? defaultRoots(first, context)
  let collection: Collection | undefined
  for (let index = named ? 1 : 0; ; index += 2) {
    const child: Collection | undefined = (collection?.children ?? roots)?.get(
      segments[index] ?? '',
    )
    if (child === undefined) break
    collection = child
  }
  const version = named ? first : collection?.version
  return version === undefined ? undefined : { version, collection }
}

function readable(segment: string): string {
  try {
    return decodePercent(segment, 'path')
  } catch {
    return ''
  }
}
