/** The parts of a path around its version: `/api` + `v1` + `/employees`. */
export interface Place {
  readonly prefix: string
  readonly version: string | undefined
  readonly rest: string
}

/** Takes a path apart at its version. */
export function placeOf(path: string): Place {
  const [, prefix = '', version, rest = path] = /^(.*?)\/(v[1-9]\d*)(\/.*)$/.exec(path) ?? []
  return version === undefined ? { prefix: '', version, rest: path } : { prefix, version, rest }
}

/** The path of an item. */
export function itemPath(path: string, id: string | number): string {
  return `${path}/${encodeURIComponent(String(id).toWellFormed())}`
}

/** A path without its query and trailing slashes. */
export function barePath(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/+$/, '')
}
