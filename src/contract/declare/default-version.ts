import { newerThan } from '../../convention/version.ts'
import type { Api } from '../resource/api.ts'

/**
 * Returns the version of paths that name none; `false` for none. An api that has, or once had,
 * several versions needs the option, so that no client comes to another version unasked (C2.2).
 *
 * @throws {TypeError} For an unknown or retired version, and a deprecated one without a successor.
 */
export function defaultVersionOf(api: Api, option: string | false | undefined): string | false {
  const versions = [...api.versions.keys()]
  const isOnly = versions.length === 1 && api.retired.size === 0
  const chosen = option ?? (isOnly ? versions[0] : undefined)
  if (chosen === undefined) throw new TypeError(faultOfNone(api))
  const fault = chosen === false ? undefined : faultOf(chosen, api)
  if (fault !== undefined) throw new TypeError(fault)
  return chosen
}

function faultOfNone({ versions, retired }: Api): string {
  const [first] = versions.keys()
  const has = retired.size === 0 ? 'has several versions' : 'has a retired version'
  return `The api ${has}: write "defaultVersion: '${first}'", or false for none.`
}

function faultOf(version: string, api: Api): string | undefined {
  const versions = [...api.versions.keys()]
  if (api.retired.has(version)) {
    const other = versions[0]
    return `"defaultVersion" names "${version}", which is retired: write "${other}", or false.`
  }
  if (!api.versions.has(version)) {
    const has = versions.join(', ')
    return `"defaultVersion" names the unknown version "${version}". The api has ${has}.`
  }
  const row = api.lifecycle.get(version)
  const [newer] = newerThan(version, versions)
  if (row === undefined || row.successor !== undefined || newer === undefined) return undefined
  return (
    `"defaultVersion" names "${version}", which is deprecated and has no successor: write ` +
    `"successor: '${newer}'" in "lifecycle", or another default version.`
  )
}
