import type { Service } from './source.ts'

/**
 * Returns the facts about one version of a service. No collection of another version has
 * operations, and a path that names no version counts only if the version is the default.
 */
export function serviceAlone(service: Service, version: string): Service {
  const { api, kindsOf, defaultVersion } = service
  const collections = api.collections.filter((collection) => collection.version === version)
  const isDefault = defaultVersion === undefined || defaultVersion === version
  return {
    ...service,
    api: {
      ...api,
      collections,
      versions: new Map([...api.versions].filter(([name]) => name === version)),
      resources: new Map(collections.map(({ resource }) => [resource.name, resource])),
    },
    kindsOf: (collection) => (collection.version === version ? kindsOf(collection) : []),
    defaultVersion: isDefault ? defaultVersion : false,
  }
}
