import { memberNameOf } from '../../src/contract/declare/field-tables.ts'
import type { FilledProject } from '../../src/project/from-file.ts'
import type { ProjectResource } from '../../src/project/model.ts'

type Fields = Readonly<Record<string, unknown>>

function itemsOf({ items }: FilledProject, noun: string): readonly Fields[] {
  return (items.get(noun) ?? []).map((item) => ({ ...item }))
}

/** Lists the paths of a project to read: each parameter with each value of the file. */
export function readsOf(project: FilledProject): readonly string[] {
  const { resources, mounts } = project.model
  const tops = resources.flatMap((resource) => readsAt(`/${resource.noun}`, resource, project))
  const nested = mounts
    .filter(({ path }) => path.includes(':'))
    .flatMap(({ path, noun }) => {
      const parent = path.split('/')[1] ?? ''
      const ids = [...itemsOf(project, parent).map(({ id }) => id), 'nope']
      const paths = ids.map((id) => path.replace(/:\w+/g, encodeURIComponent(String(id))))
      const item = itemsOf(project, noun)[0]?.id
      return paths.flatMap((each) => [each, `${each}?sort=-id&limit=1`, `${each}/${item}`])
    })
  return ['/', '/v1', '/v2', '/nothing', ...tops, ...nested]
}

function readsAt(base: string, resource: ProjectResource, project: FilledProject): string[] {
  const items = itemsOf(project, resource.noun)
  const members = resource.references.map(({ field, as = memberNameOf(field) }) => as)
  const queries = ['', '?limit=1', '?limit=1&offset=1', '?q=a', '?q=STRASSE', '?limit=x', '?x=1']
  const targets = ['/', '/count', '/first', '/last', '/count?q=a', '/nope', '/0', '/01', '/%20']
  const byField = resource.fields.flatMap(({ name }) => {
    const field = encodeURIComponent(name)
    const values = items.flatMap((item) => (Object.hasOwn(item, name) ? [item[name]] : []))
    const conditions = values.flatMap((value) => {
      const text = encodeURIComponent(String(value))
      const pairs = ['', ':ne', ':gte', ':lt', ':contains'].map((word) => `${field}${word}=${text}`)
      return [...pairs.map((pair) => `?${pair}`), `/count?${field}=${text}`]
    })
    const orders = [`?sort=${field}`, `?sort=-${field}&limit=1`, `/last?sort=${field}`]
    return [...orders, `?${field}:null=true`, `?fields=${field}`, ...conditions]
  })
  const nested = items.flatMap((item) => Object.entries(item).flatMap(nestedQueries))
  const ofItems = items.flatMap(({ id }) => [
    `/${encodeURIComponent(String(id))}`,
    ...members.map((member) => `/${encodeURIComponent(String(id))}?include=${member}`),
  ])
  const included = members.map((member) => `?include=${member}&sort=-id`)
  return [...queries, ...targets, ...byField, ...nested, ...ofItems, ...included].map(
    (end) => base + end,
  )
}

function nestedQueries([field, value]: readonly [string, unknown]): string[] {
  if (Array.isArray(value))
    return value.map((element) => `?${field}:has=${encodeURIComponent(String(element))}`)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const [path, text] = [`${field}.${name}`, encodeURIComponent(String(member))]
    const words = ['', ':ne', ':gte', ':contains'].map((word) => `?${path}${word}=${text}`)
    return [...words, `?${path}:null=true`, `/count?${path}:null=false`]
  })
}

/** A request line with the item of its body. */
export type Write = readonly [line: string, item?: unknown]

/** Lists writes, in an order in which each collection ends empty. */
export function writesOf(project: FilledProject): readonly Write[] {
  const { resources, mounts } = project.model
  const changes = resources.flatMap((resource) => changesOf(resource, project))
  const nested = mounts
    .filter(({ path }) => path.includes(':'))
    .flatMap(({ path, noun }): Write[] => {
      const parent = itemsOf(project, path.split('/')[1] ?? '')[0]?.id
      const { id, ...draft } = itemsOf(project, noun)[0] ?? {}
      return [[`POST ${path.replace(/:\w+/g, encodeURIComponent(String(parent)))}`, draft]]
    })
  const deletions = resources.flatMap(({ noun }): Write[] => {
    const [first] = itemsOf(project, noun)
    return [[`DELETE /${noun}/${first?.id}`], [`DELETE /${noun}/nope`], [`GET /${noun}`]]
  })
  const clearings = [...resources].reverse().map(({ noun }): Write => [`DELETE /${noun}`])
  return [...changes, ...nested, ...deletions, ...clearings]
}

function changesOf(resource: ProjectResource, project: FilledProject): readonly Write[] {
  const base = `/${resource.noun}`
  const items = itemsOf(project, resource.noun)
  const ofItems = items.flatMap((item): Write[] => {
    const { id, ...draft } = item
    const path = `${base}/${encodeURIComponent(String(id))}`
    const patches = Object.entries(draft).map(([name, value]): Write => {
      const changed = typeof value === 'number' ? value + 1 : typeof value === 'boolean' && !value
      return [`PATCH ${path}`, { [name]: typeof value === 'string' ? `${value}x` : changed }]
    })
    const lost = resource.references.map(({ field }): Write => {
      const value = typeof draft[field] === 'number' ? 4711 : 'lost'
      return [`POST ${base}`, { ...draft, [field]: value }]
    })
    const newId = typeof id === 'number' ? id + 100 : `${id}z`
    return [
      ...[[`PUT ${path}`, item] as const, [`PUT ${path}`, draft] as const, ...patches],
      ...[[`GET ${path}`] as const, [`POST ${base}`, draft] as const, ...lost],
      ...[[`POST ${base}`, item] as const, [`POST ${base}`, { ...item, id: newId }] as const],
    ]
  })
  const drafts = items.map(({ id, ...draft }) => draft)
  return [...ofItems, [`POST ${base}`, drafts], [`PUT ${base}`, items], [`GET ${base}?sort=-id`]]
}
