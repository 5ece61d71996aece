import type { HttpRequest, HttpResponse } from '../contract/resource/http.ts'
import { pathOf } from '../wire/document.ts'
import { readAssets } from './assets.ts'

interface Assets {
  readonly texts: ReadonlyMap<string, string>
  /** Changes with the texts. */
  readonly hash: string
}

let cachedAssets: Assets | undefined

const types: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css'],
  ['svg', 'image/svg+xml'],
  ['js', 'text/javascript'],
  ['ts', 'text/javascript'],
])

/** Returns the path of an asset, without the prefix of a host: `/_explorer/1x2y3z/style.css`. */
export function assetUrl(folder: string, name: string): string {
  return `${folder}/${assets().hash}/${name}`
}

/** Returns the response with an asset; `undefined` for any other request. */
export function serveAsset(request: HttpRequest, folder: string): HttpResponse | undefined {
  const path = pathOf(request)
  if (!path.startsWith(`${folder}/`)) return undefined
  const [, hash = '', name = ''] = /^\/([^/]+)\/(.+)$/.exec(path.slice(folder.length)) ?? []
  const body = assets().texts.get(name)
  if (body === undefined) return undefined
  // A page of another version gets the current asset, but must not cache it.
  const isCurrent = hash === assets().hash
  return {
    status: 200,
    headers: {
      'content-type': `${types.get(name.slice(name.lastIndexOf('.') + 1))}; charset=utf-8`,
      'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body,
  }
}

function assets(): Assets {
  if (cachedAssets === undefined) {
    const texts = readAssets()
    cachedAssets = { texts, hash: hashOf([...texts].flat().join('\0')) }
  }
  return cachedAssets
}

// FNV-1a: enough to distinguish versions, on every runtime.
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
