import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { pathOf } from '../wire/document.ts'
import { readAssets } from './assets.ts'

interface Assets {
  readonly texts: ReadonlyMap<string, string>
  /** Changes when any of them does. */
  readonly hash: string
}

let read: Assets | undefined

const types: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css'],
  ['svg', 'image/svg+xml'],
  ['js', 'text/javascript'],
  ['ts', 'text/javascript'],
])

/** Where an asset is, below the prefix of a host: `/_explorer/1x2y3z/style.css`. */
export function urlOfAsset(place: string, name: string): string {
  return `${place}/${assets().hash}/${name}`
}

/** Serves an asset; `undefined` where a request is for none. */
export function assetFor(request: HttpRequest, place: string): HttpResponse | undefined {
  const path = pathOf(request)
  if (!path.startsWith(`${place}/`)) return undefined
  const [, hash = '', name = ''] = /^\/([^/]+)\/(.+)$/.exec(path.slice(place.length)) ?? []
  const body = assets().texts.get(name)
  if (body === undefined) return undefined
  // Another instance may have a page of another version: it gets what there is, but shall not keep it.
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
  if (read === undefined) {
    const texts = readAssets()
    read = { texts, hash: hashOf([...texts].flat().join('\0')) }
  }
  return read
}

// FNV-1a, twice: it tells versions apart, and needs nothing of a runtime.
function hashOf(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fingerprint(text, seed).toString(36)).join('')
}

function fingerprint(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
