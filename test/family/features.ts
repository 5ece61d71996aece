import { coverPairs, type Exclusion, type Features, type Row, randomOf } from './pairs.ts'

/** The features of a contract, with their values. */
export const features = {
  nesting: ['top', 'parent', 'two parents', 'chain', 'both'],
  owner: ['none', 'field', 'parent', 'everybody', 'several', 'everything', 'itself'],
  restricted: ['none', 'unseen', 'seen', 'reference'],
  reference: ['none', 'self', 'required', 'nullable', 'alias'],
  target: ['same', 'view', 'absent'],
  versions: ['one', 'same', 'view', 'chain', 'hidden'],
  text: ['same', 'rename', 'join', 'part', 'function', 'constant', 'computed'],
  form: ['same', 'values', 'absent', 'member', 'read', 'always', 'hidden'],
  options: ['inherited', 'explicit'],
  parents: ['same', 'view'],
  lifecycle: ['none', 'version', 'path', 'draft'],
  defaultVersion: ['first', 'last', 'none'],
  idempotent: ['no', 'yes'],
  bounded: ['no', 'yes'],
  rules: ['none', 'create', 'change', 'delete', 'all'],
  putCreates: ['no', 'yes'],
  folded: ['no', 'yes'],
  // biome-ignore format: one list
  without: [
    'none', 'list', 'create', 'read', 'update', 'patch', 'updateMany', 'patchMany', 'delete',
    'deleteAll', 'deleteMany', 'first', 'last', 'count',
  ],
  limits: ['none', 'max', 'default', 'both'],
  total: ['asked', 'always', 'never'],
  revision: ['none', 'number', 'text'],
  server: ['none', 'readOnly', 'touched', 'keep', 'filled', 'writeOnly'],
  bodies: ['strict', 'open', 'two'],
  filtered: ['text', 'nullable', 'integer', 'number', 'boolean', 'enum', 'date', 'moment', 'uuid'],
  operators: ['none', 'equal', 'order', 'search', 'typed'],
  ids: ['text', 'uuid', 'integer', 'counted', 'client'],
  unique: ['no', 'yes'],
  counted: ['no', 'yes'],
  nested: ['no', 'yes'],
  deletion: ['hard', 'soft'],
  columns: ['same', 'snake', 'named'],
  middleware: ['none', 'passing', 'waiting', 'refusing'],
  validator: ['zod', 'arktype', 'valibot', 'told', 'plain'],
} as const satisfies Features

/** A contract as a value of each feature. */
export type ContractRow = Row<typeof features>

const owned = ['field', 'parent', 'several', 'everything', 'itself']
const alone = ['one', 'same']

/** The pairs that no contract can have, or that would have no meaning. */
export const exclusions: readonly Exclusion[] = [
  // An owner 'parent' needs a parent, and one that owns itself has no items beside it.
  ['owner', ['parent', 'itself'], 'nesting', ['top', 'both']],
  ['owner', ['itself'], 'nesting', ['two parents', 'chain']],
  ['parents', ['view'], 'nesting', ['top']],
  // Without a JSON Schema each parameter of a path is a field.
  ['nesting', ['chain'], 'validator', ['valibot', 'plain']],
  // Nor is a write-only field known in memory.
  ['server', ['writeOnly'], 'validator', ['valibot', 'plain']],
  // Numbers count up for all owners.
  ['owner', owned, 'ids', ['integer']],
  ['idempotent', ['yes'], 'ids', ['integer', 'counted']],
  // Where a client chooses an id, the counter of a database may reach it.
  ['putCreates', ['yes'], 'ids', ['integer', 'counted']],
  // Views and versions.
  ['versions', alone, 'text', features.text.slice(1)],
  ['versions', alone, 'form', features.form.slice(1)],
  ['versions', alone, 'options', ['explicit']],
  ['versions', ['one'], 'parents', ['view']],
  ['versions', ['one'], 'target', ['view', 'absent']],
  // A view is of a schema that tells its fields.
  ['versions', ['view', 'chain', 'hidden'], 'validator', ['valibot', 'plain']],
  ['parents', ['view'], 'validator', ['valibot', 'plain']],
  ['target', ['view'], 'validator', ['valibot', 'plain']],
  // A restricted reference is optional.
  ['restricted', ['reference'], 'reference', ['none', 'self', 'required']],
  // An option without its operation is refused.
  ['bounded', ['yes'], 'without', ['deleteAll']],
  ['idempotent', ['yes'], 'without', ['create']],
  ['putCreates', ['yes'], 'without', ['create', 'update']],
  ['counted', ['yes'], 'without', ['count']],
  ['total', ['always', 'never'], 'without', ['list']],
  ['limits', ['max', 'default', 'both'], 'without', ['list']],
  // Only texts can be searched, and a boolean has no order.
  [
    'operators',
    ['search'],
    'filtered',
    ['integer', 'number', 'boolean', 'enum', 'date', 'moment', 'uuid'],
  ],
  ['operators', ['order'], 'filtered', ['boolean']],
  // Without a JSON Schema no field is known to be of one value, nor to be a list.
  ['counted', ['yes'], 'validator', ['valibot', 'plain']],
  ['nested', ['yes'], 'validator', ['valibot', 'plain']],
  // Without a JSON Schema the type of a filter is declared.
  ['validator', ['valibot', 'plain'], 'operators', ['equal', 'order', 'search']],
]

/** Returns contracts that have all pairs of values. */
export function contractRows(seed: number) {
  return coverPairs(features, exclusions, randomOf(seed))
}

/** Writes a contract as rows, without the features whose value is the first. */
export function formatRow(row: ContractRow): string {
  return Object.entries(row)
    .filter(([name, value]) => features[name as keyof typeof features][0] !== value)
    .map(([name, value]) => `  ${name.padEnd(15)} ${value}`)
    .join('\n')
}
