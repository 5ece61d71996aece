import type { Snapshot, SnapshotLifecycle } from '../../src/diff/snapshot.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { base, changed, objectWith, withNotes, withView } from './contracts.ts'

/** A rule, and two contracts: the change from one to the other is of this rule. */
export type RulePair = readonly [rule: string, old: Snapshot, after: Snapshot]

function ending(lifecycle: SnapshotLifecycle | null): Snapshot {
  return changed(({ versions }) => {
    Object.assign(versions.v1 ?? {}, { lifecycle })
  })
}

const deprecated = { deprecated: '2026-11-01' }

function staged(stage: 'released' | 'draft' | 'retired'): Snapshot {
  return changed(({ versions }) => {
    Object.assign(versions.v1 ?? {}, { stage, ...(stage === 'retired' && { paths: {} }) })
  })
}

const withoutV1 = changed(({ versions }) => {
  delete versions.v1
})

const otherDraft = changed(({ resources }) => {
  Object.assign(resources.notes_v1 ?? {}, { maxLimit: 5 })
}, staged('draft'))

const deprecatedPath = changed(({ versions }) => {
  Object.assign(versions.v2?.paths['/notes'] ?? {}, { lifecycle: deprecated })
})

const versions: readonly RulePair[] = [
  ['version-removed', base, withoutV1],
  ['version-retired', base, staged('retired')],
  ['version-deprecated', base, ending(deprecated)],
  ['path-deprecated', base, deprecatedPath],
  ['sunset-set', ending(deprecated), ending({ ...deprecated, sunset: '2028-01-01' })],
  [
    'sunset-moved-earlier',
    ending({ ...deprecated, sunset: '2028-01-01' }),
    ending({ ...deprecated, sunset: '2027-11-01' }),
  ],
  ['successor-removed', ending({ ...deprecated, successor: 'v2' }), ending(deprecated)],
  ['deprecation-link-removed', ending({ ...deprecated, docs: '/a' }), ending(deprecated)],
  ['released-to-draft', base, staged('draft')],
  ['deprecation-moved', ending(deprecated), ending({ deprecated: '2026-12-01' })],
  [
    'successor-changed',
    ending({ ...deprecated, successor: 'v2' }),
    ending({ ...deprecated, successor: 'v3' }),
  ],
  [
    'deprecation-link-changed',
    ending({ ...deprecated, docs: '/a' }),
    ending({ ...deprecated, docs: '/b' }),
  ],
  ['draft-changed', staged('draft'), otherDraft],
  ['sunset-missing', base, ending(deprecated)],
  ['sunset-too-soon', ending(deprecated), ending({ ...deprecated, sunset: '2027-01-01' })],
  ['sunset-before-deprecation', base, ending({ ...deprecated, sunset: '2026-10-01' })],
  [
    'default-version-changed',
    base,
    changed((draft) => Object.assign(draft, { defaultVersion: 'v2' })),
  ],
  [
    'default-version-off',
    base,
    changed((draft) => Object.assign(draft, { defaultVersion: false })),
  ],
]

function limited(name: string, limit: number): Snapshot {
  return changed((draft) => {
    draft.limits[name] = limit
  })
}

const service: readonly RulePair[] = [
  ['limit-lowered', base, limited('body', 10)],
  ['time-lowered', base, limited('time', 10)],
  ['arrival-lowered', base, limited('arrival', 10)],
  ['error-limit-changed', base, limited('issues', 10)],
  ['guard-added', base, changed((draft) => Object.assign(draft, { guarded: true }))],
  ['problem-code-added', base, changed((draft) => Object.assign(draft.problems, { odd: 400 }))],
  [
    'problem-status-changed',
    base,
    changed((draft) => Object.assign(draft.problems, { conflict: 422 })),
  ],
  [
    'problem-type-base-changed',
    base,
    changed((draft) => Object.assign(draft, { problemTypes: '/' })),
  ],
  ['convention-changed', base, changed((draft) => Object.assign(draft, { nounful: '2.0.0' }))],
  ['source-changed', base, changed((draft) => Object.assign(draft, { guarded: null, limits: {} }))],
]

function withPath(options: object): Snapshot {
  return changed(({ versions }) => {
    Object.assign(versions.v2?.paths['/kinds/:kind/notes'] ?? {}, options)
  })
}

/** Returns a snapshot whose paths sort by these related items; `undefined` for no related ones. */
function joining(joined: readonly string[] | undefined, from: Snapshot): Snapshot {
  return changed(({ versions }) => {
    for (const path of Object.values(versions.v2?.paths ?? {}))
      if (joined !== undefined) Object.assign(path, { joined })
      else for (const member of ['related', 'joined']) Reflect.deleteProperty(path, member)
  }, from)
}

const renamedOwner = changed(({ versions }) => {
  const paths = versions.v2?.paths ?? {}
  const nested = paths['/kinds/:kind/notes']
  delete paths['/kinds/:kind/notes']
  Object.assign(paths, { '/kinds/:kind_id/notes': { ...nested, owners: ['kind_id'] } })
})

const renamedResource = changed(({ versions, resources }) => {
  Object.assign(resources, { kinds_2: resources.kinds })
  Object.assign(versions.v2?.paths['/kinds'] ?? {}, { resource: 'kinds_2' })
})

const unshown = changed(({ versions }) => {
  delete versions.v2?.paths['/kinds']
  delete versions.v2?.paths['/kinds/:kind/notes']
})

const states = (moves: Readonly<Record<string, readonly string[]>> = {}) => ({
  field: 'kind',
  initial: 'a',
  moves: { a: ['b'], b: [], ...moves },
})

// Notes reference kinds.
const withTitles = changed(({ resources }) => {
  Object.assign(resources.kinds ?? {}, { filterable: { title: { type: 'text', values: null } } })
})
const withTitlesButNone = changed(({ versions }) => {
  for (const path of Object.values(versions.v2?.paths ?? {}))
    Reflect.deleteProperty(path, 'related')
}, withTitles)

const withOrders = changed(({ resources }) => {
  Object.assign(resources.kinds ?? {}, { sortable: ['id', 'title'] })
})

const paths: readonly RulePair[] = [
  ['path-removed', base, unshown],
  ['operation-removed', base, withPath({ operations: ['list', 'read'] })],
  [
    'operation-removed',
    withPath({ operations: ['list', 'read', 'deleteAll', 'deleteMany'] }),
    withPath({ operations: ['list', 'read', 'deleteAll'] }),
  ],
  ['include-removed', base, withPath({ includes: [] })],
  ['related-filter-removed', withTitles, base],
  ['related-filter-removed', withTitles, withTitlesButNone],
  ['related-order-removed', withOrders, base],
  ['related-order-removed', withOrders, joining([], withOrders)],
  ['related-order-removed', withOrders, joining(undefined, withOrders)],
  ['item-rule-added', base, withPath({ rules: ['change'] })],
  ['owner-renamed', base, renamedOwner],
  ['owners-changed', base, withPath({ owners: [] })],
  ['resource-renamed', base, renamedResource],
  ['stored-removed', unshown, changed(({ resources }) => delete resources.kinds, unshown)],
  [
    'unseen-changed',
    unshown,
    changed(({ resources }) => Object.assign(resources.kinds ?? {}, { maxLimit: 5 }), unshown),
  ],
]

const resources: readonly RulePair[] = [
  ['sortable-removed', base, withNotes({ sortable: [] })],
  [
    'folded-removed',
    withNotes({ folded: ['kind'], sortable: ['kind'] }),
    withNotes({ sortable: ['kind'] }),
  ],
  ['search-off', base, withNotes({ searchable: [] })],
  ['searchable-removed', withNotes({ searchable: ['kind', 'text'] }), base],
  ['filterable-removed', base, withNotes({ filterable: {} })],
  ['countable-removed', withNotes({ countable: ['kind'] }), base],
  ['filter-removed', base, withNotes({ searchable: ['kind'] })],
  [
    'filter-values-narrowed',
    base,
    withNotes({ filterable: { text: { type: 'text', values: ['a', 'b'] } } }),
  ],
  ['max-limit-lowered', base, withNotes({ maxLimit: 10 })],
  ['bounded-set', base, withNotes({ bounded: true })],
  ['idempotent-dropped', withNotes({ idempotent: true }), base],
  ['put-creates-dropped', withNotes({ putCreates: true }), base],
  ['client-id-refused', withNotes({ takesId: true }), base],
  ['reference-set', withNotes({ references: {} }), base],
  ['ownership-set', base, withNotes({ ownedBy: ['kind'] })],
  ['states-set', base, withNotes({ states: states() })],
  [
    'state-move-removed',
    withNotes({ states: states({ b: ['a'] }) }),
    withNotes({ states: states() }),
  ],
  [
    'initial-state-changed',
    withNotes({ states: states() }),
    withNotes({ states: { ...states(), initial: 'b' } }),
  ],
  ['keep-removed', withNotes({ keep: ['kind'] }), base],
  ['request-read-only-set', base, withNotes({ readOnly: ['kind'] })],
  ['default-limit-set', base, withNotes({ defaultLimit: 10 })],
  ['default-limit-lowered', withNotes({ defaultLimit: 20 }), withNotes({ defaultLimit: 10 })],
  ['total-dropped', base, withNotes({ total: false })],
  ['restricted-added', base, withNotes({ restricted: ['kind'] })],
  ['id-type-changed', base, withNotes({ id: { type: 'integer' } })],
  ['id-narrowed', base, withNotes({ id: { type: 'string', maxLength: 5 } })],
  ['revision-field-changed', withNotes({ revision: 'rank' }), withNotes({ revision: 'kind' })],
  ['revision-field-dropped', withNotes({ revision: 'rank' }), base],
]

// By the source and by the view.
function withCounts(source: string[], view: string[]): Snapshot {
  return changed(({ resources }) => {
    Object.assign(resources.notes ?? {}, { countable: source })
    Object.assign(resources.notes_v1 ?? {}, { countable: view })
  })
}

const views: readonly RulePair[] = [
  ['view-narrows', base, withNotes({ create: shortText(), update: shortText() })],
  ['view-widens', base, withView({ item: shortWords() })],
  ['view-order-lost', base, withNotes({ sortable: [] })],
  ['view-search-lost', base, withNotes({ searchable: [] })],
  ['view-count-lost', withCounts(['kind'], ['kind']), withCounts([], ['kind'])],
  ['view-untold', base, withView({ fields: { words: { of: 'text', read: { function: true } } } })],
  ['view-link-changed', base, withView({ fields: { words: 'kind' } })],
  ['view-of-changed', base, withView({ of: 'kinds', fields: { words: 'title' } })],
  ['view-initial-changed', base, withView({ hidden: { rank: 1 } })],
  ['view-hides-more', base, withView({ hidden: { rank: 0, kind: 'a' } })],
  ['view-reopens', base, withView({ offers: ['deleteAll'] })],
  ['view-unmade', base, withView({ of: null, fields: {}, hidden: {} })],
]

function shortText(): JsonObject {
  const properties = { text: { type: 'string', maxLength: 5 }, rank: { type: 'integer' } }
  return { type: 'object', properties, required: ['rank', 'text'], additionalProperties: false }
}

function shortWords(): JsonObject {
  const properties = { id: { type: 'string' }, words: { type: 'string', maxLength: 5 } }
  return { type: 'object', properties, required: ['id', 'words'], additionalProperties: false }
}

/** Pairs of contracts for the rules, but those of bodies and items. */
export const rulePairs: readonly RulePair[] = [
  ...versions,
  ...service,
  ...paths,
  ...resources,
  ...views,
]

type SchemaPairRow = readonly [rule: string, old: JsonObject, after: JsonObject]

const text = { type: 'string' }

/** The schemas of a field of a body, where the change is of a rule. */
const fields: readonly SchemaPairRow[] = [
  ['became-not-nullable', { type: ['string', 'null'] }, text],
  ['type-narrowed', { type: 'number' }, { type: 'integer' }],
  ['type-changed', text, { type: 'boolean' }],
  ['enum-removed', { enum: ['a', 'b'] }, { enum: ['a'] }],
  ['became-enum', text, { type: 'string', enum: ['a', 'b'] }],
  ['const-changed', { const: 'a' }, { const: 'b' }],
  ['const-set', text, { type: 'string', const: 'a' }],
  ['min-length-raised', text, { type: 'string', minLength: 5 }],
  ['max-length-lowered', { type: 'string', maxLength: 80 }, { type: 'string', maxLength: 60 }],
  ['minimum-raised', { type: 'number', minimum: 0 }, { type: 'number', minimum: 1 }],
  ['maximum-lowered', { type: 'number' }, { type: 'number', maximum: 9 }],
  ['multiple-of-changed', { type: 'number', multipleOf: 2 }, { type: 'number', multipleOf: 3 }],
  ['min-items-raised', { type: 'array' }, { type: 'array', minItems: 2 }],
  ['max-items-lowered', { type: 'array' }, { type: 'array', maxItems: 2 }],
  ['unique-items-set', { type: 'array' }, { type: 'array', uniqueItems: true }],
  ['min-properties-raised', { type: 'object' }, { type: 'object', minProperties: 1 }],
  ['max-properties-lowered', { type: 'object' }, { type: 'object', maxProperties: 1 }],
  [
    'property-names-set',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: text, propertyNames: { maxLength: 2 } },
  ],
  ['format-set', text, { type: 'string', format: 'date' }],
  ['format-changed', { type: 'string', format: 'date' }, { type: 'string', format: 'uuid' }],
  ['pattern-set', text, { type: 'string', pattern: '^a' }],
  ['pattern-changed', { type: 'string', pattern: '^a' }, { type: 'string', pattern: '^b' }],
  [
    'alternative-removed',
    { anyOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, { type: 'array' }] },
    { anyOf: [{ type: 'array' }] },
  ],
  [
    'unknown-fields-refused',
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: false },
  ],
  ['default-removed', { type: 'string', default: 'a' }, text],
  ['default-changed', { type: 'string', default: 'a' }, { type: 'string', default: 'b' }],
]

function creating(schema: JsonObject): Snapshot {
  return withNotes({ create: schema })
}

function giving(schema: JsonObject): Snapshot {
  return withNotes({ item: schema })
}

/** Pairs of contracts for the rules of bodies. */
export const requestPairs: readonly RulePair[] = [
  ...fields.map(
    ([rule, old, after]): RulePair => [
      `request-${rule}`,
      creating(objectWith(old)),
      creating(objectWith(after)),
    ],
  ),
  ['request-field-removed', creating(objectWith(text)), creating(objectWith(undefined))],
  ['request-field-became-required', creating(objectWith(text)), creating(objectWith(text, ['x']))],
  [
    'request-field-required-added',
    creating(objectWith(undefined)),
    creating(objectWith(text, ['x'])),
  ],
  [
    'request-field-default-added',
    creating(objectWith(undefined)),
    creating(objectWith({ type: 'string', default: 'a' })),
  ],
  ['request-field-renamed', creating(objectWith(text)), creating(renamed())],
  [
    'update-field-added',
    withNotes({ update: objectWith(undefined) }),
    withNotes({ update: objectWith(text) }),
  ],
]

function renamed(): JsonObject {
  const properties = { id: { type: 'string' }, y: text }
  return { type: 'object', properties, required: ['id'], additionalProperties: false }
}

const bound = ['max-length-lowered', 'item-bound-tightened'] as const

/** Pairs of contracts for the rules of items. */
export const itemPairs: readonly RulePair[] = [
  ...fields
    .filter(([rule]) => !/(?:length|imum|items|properties|multiple|names)/.test(rule))
    .map(
      ([rule, old, after]): RulePair => [
        `item-${rule === 'unknown-fields-refused' ? 'unknown-fields-removed' : rule}`,
        giving(objectWith(old)),
        giving(objectWith(after)),
      ],
    ),
  ...fields
    .filter(([rule]) => rule === bound[0])
    .map(
      ([, old, after]): RulePair => [bound[1], giving(objectWith(old)), giving(objectWith(after))],
    ),
  ['item-field-removed', giving(objectWith(text, ['x'])), giving(objectWith(undefined))],
  ['item-field-became-optional', giving(objectWith(text, ['x'])), giving(objectWith(text))],
  ['item-field-renamed', giving(objectWith(text)), giving(renamed())],
  [
    'field-deprecated',
    giving(objectWith(text)),
    giving(objectWith({ type: 'string', deprecated: true })),
  ],
  [
    'field-deprecated-removed',
    giving(objectWith({ type: 'string', deprecated: true }, ['x'])),
    giving(objectWith(undefined)),
  ],
  ['schema-untold', base, withNotes({ item: null })],
  [
    'schema-rewritten',
    giving(objectWith(text)),
    giving(objectWith({ type: 'string', title: 'A title' })),
  ],
]
