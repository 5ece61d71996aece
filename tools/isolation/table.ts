/** A use of the scope that is taken away. */
interface Mutant {
  /** Below src/. */
  readonly file: string
  /** A text that the file has once. */
  readonly from: string
  /** The text without the scope. */
  readonly to: string
  /** The tests that must fail. Default: `proof`. */
  readonly test?: 'proof' | 'sqlite' | 'table' | 'conformance'
  /** The reason that no response can differ: the tests must pass. */
  readonly equivalent?: string
}

/** Each use of the scope in src/. */
export const mutants: readonly Mutant[] = [
  {
    file: 'server/steps/authorize.ts',
    from: "complete(operation, 'scope', bothOf(operation.scope, callerScope))",
    to: "complete(operation, 'scope', operation.scope)",
  },
  {
    file: 'server/steps/authorize.ts',
    from: 'const fault = faultOfCursor(cursor, operation.query, { target, caller })',
    to: 'const fault = undefined as ReturnType<typeof faultOfCursor>',
  },
  {
    file: 'server/operations.ts',
    from: 'return bothOf(pathScope, scopeOfCaller(caller, collection.resource))',
    to: 'return pathScope',
  },
  {
    file: 'server/operations.ts',
    from: 'return pathScope === noScope ? callerScope : meet(pathScope, callerScope)',
    to: 'return pathScope === noScope ? callerScope : pathScope',
    test: 'table',
  },
  {
    file: 'server/operations.ts',
    from: 'const { scope, parents, query, isDeprecated, signal } = operation',
    to: 'const { parents, query, isDeprecated, signal } = operation\n  const scope = noScope',
  },
  {
    file: 'server/operations.ts',
    from: 'const scope = scopeOf(collection, { parents, caller })',
    to: 'const scope = scopeOfPath(collection, parents === undefined || caller ? parents : [])',
  },
  {
    file: 'server/operations.ts',
    from: 'const { scope, parents, isDeprecated, signal } = operation',
    to: 'const { parents, isDeprecated, signal } = operation\n  const scope = noScope',
  },
  {
    file: 'contract/values/caller.ts',
    from: 'if (fields.length === 0 || caller === everything) return noScope',
    to: 'if (fields.length >= 0 || caller === everything) return noScope',
  },
  {
    file: 'server/operations.ts',
    from: 'const scope = scopeOfCaller(caller, collection.resource)',
    to: 'const scope = scopeOfCaller(caller, { ...collection.resource, ownedBy: [] })',
  },
  {
    file: 'server/read-referenced.ts',
    from: "const read = operationAcross(target, { kind: 'read'",
    to: `const resource = { ...target.resource, ownedBy: [] }
  const read = operationAcross({ ...target, resource }, { kind: 'read'`,
    test: 'table',
  },
  {
    file: 'server/read-referenced.ts',
    from: 'isInScope(item, scopeOf(target, { parents, caller }))',
    to: '(isInScope(item, scopeOf(target, { parents, caller })) || true)',
    equivalent: 'the parent is found by this very field, and each ancestor in its own scope',
  },
  {
    file: 'server/read-referenced.ts',
    from: 'const parents = parentsById.get(parentIdOf(item))',
    to: 'const parents = parentsById.get(parentIdOf(item)) ?? noParents',
    test: 'table',
  },
  {
    file: 'server/steps/find-parents.ts',
    from: 'isConfined && isForeign(operation.scope, target)',
    to: 'isConfined && from < 0',
    test: 'table',
  },
  {
    file: 'server/steps/create.ts',
    from: "return caller === everything ? '*' : JSON.stringify(caller)",
    to: "return caller === everything ? '*' : ''",
    equivalent: 'the owner fields are part of the id as well',
  },
  {
    file: 'server/steps/create.ts',
    from: 'const owners = { ...scope, ...pickFields(draft.item, ownerFieldsOf(resource)) }',
    to: 'const owners = {} as typeof scope & ReturnType<typeof pickFields> & typeof ownerFieldsOf',
    equivalent: 'the caller is part of the id as well',
  },
  {
    file: 'server/steps/create.ts',
    from: 'JSON.stringify([version, formatPath(target), owners, caller, key])',
    to: 'JSON.stringify([version, formatPath(target), key])',
  },
  {
    file: 'server/checks/body.ts',
    from: 'fieldOf(body, field) !== scope[field],',
    to: 'fieldOf(body, field) !== scope[field] && field === undefined,',
    equivalent: 'the scope is written over the body: the item stays with its caller',
  },
  {
    file: 'server/checks/outcome.ts',
    from: 'operation.scope === noScope || isInScope(item, operation.scope) ? item : undefined',
    to: 'item ? item : undefined',
    equivalent: 'the adapters find nothing outside of the scope',
  },
  {
    file: 'server/checks/outcome.ts',
    from: 'if (operation.scope === noScope || isInScope(item, operation.scope)) return item',
    to: 'if (operation.scope === noScope || item) return item',
    equivalent: 'the adapters give nothing outside of the scope',
  },
  {
    file: 'wire/page.ts',
    from: `return scope === noScope ? text : \`\${text}#\${formatScope(scope)}\``,
    to: 'return scope === noScope ? text : text || formatScope(scope)',
  },
  {
    file: 'memory/read.ts',
    from: 'return scope === noScope || isInScope(item ?? absent, scope) ? item : undefined',
    to: 'return scope === noScope || isInScope(item ?? absent, scope) || true ? item : undefined',
    test: 'conformance',
  },
  {
    file: 'memory/write.ts',
    from: `  const { resource, scope, signal } = operation
  const { revision } = resource`,
    to: `  const { resource, signal } = operation
  const scope = noScope
  const { revision } = resource`,
    test: 'conformance',
  },
  {
    file: 'memory/write.ts',
    from: `  const { scope, signal } = operation
  const mine = idsIn(storage.store, ids, scope)
  return inQueue<readonly S['item'][]>`,
    to: `  const { signal } = operation
  const scope = noScope
  const mine = idsIn(storage.store, ids, scope)
  return inQueue<readonly S['item'][]>`,
    test: 'conformance',
  },
  {
    file: 'memory/store.ts',
    from: 'if (fields.length === 0) return store',
    to: 'if (fields.length >= 0) return store',
  },
  {
    file: 'memory/store.ts',
    from: '.filter((item) => isInScope(item, scope))',
    to: '',
    test: 'table',
    equivalent: 'no scope of these tests has the id and another field',
  },
  {
    file: 'memory/delete.ts',
    from: 'whenReady(groupIn(table.store, scope), ({ items }) =>',
    to: 'whenReady(groupIn(table.store, scope && {}), ({ items }) =>',
  },
  {
    file: 'memory/read.ts',
    from: 'readPage(store, { resource, scope, query: { ...query, limit: 1 } })',
    to: 'readPage(store, { resource, scope: scope && {}, query: { ...query, limit: 1 } })',
  },
  {
    file: 'memory/read.ts',
    from: `whenReady(groupIn(store, selection.scope), ({ items }) => {
    const { words, where, related }`,
    to: `whenReady(groupIn(store, {}), ({ items }) => {
    const { words, where, related }`,
  },
  {
    file: 'memory/read.ts',
    from: `whenReady(groupIn(store, selection.scope), ({ items }) => {
    const tally = new Tally(`,
    to: `whenReady(groupIn(store, {}), ({ items }) => {
    const tally = new Tally(`,
  },
  {
    file: 'memory/read.ts',
    from: 'whenReady(groupIn(store, selection.scope), (group) => pageOf(group, store, selection))',
    to: 'whenReady(groupIn(store, {}), (group) => pageOf(group, store, selection))',
  },
  {
    file: 'memory/read.ts',
    from: 'return whenReady(groupIn(store, scope), (group) => {',
    to: 'return whenReady(groupIn(store, scope && {}), (group) => {',
  },
  {
    file: 'kysely/sql/where.ts',
    from: 'return [...inScope(table, scope), ...hasSomeId(table), ...notDeleted(table), ...others]',
    to: 'return [...inScope(table, scope && {}), ...hasSomeId(table), ...others]',
    test: 'sqlite',
  },
  {
    file: 'kysely/sql/select.ts',
    from: '      ...exists(task, scope),',
    to: '      ...exists(task, scope && {}),',
    test: 'sqlite',
  },
  {
    file: 'kysely/sql/select.ts',
    from: 'const indexed = [\n    ...exists(task, scope),',
    to: 'const indexed = [\n    ...exists(task, scope && {}),',
    test: 'sqlite',
  },
  {
    file: 'kysely/delete.ts',
    from: 'if (table.base === undefined) return exists(task, scope)',
    to: 'if (table.base === undefined) return exists(task, scope && {})',
    test: 'sqlite',
  },
  {
    file: 'kysely/sql/write.ts',
    from: 'const existing = table.base === undefined ? exists(task, scope) :',
    to: 'const existing = table.base === undefined ? exists(task, {}) :',
    test: 'sqlite',
    equivalent: 'the core holds what it reads against the scope before it writes',
  },
  {
    file: 'kysely/sql/lock.ts',
    from: 'const isSought = where([hasId(table), ...exists(task, scope)])',
    to: 'const isSought = where([hasId(table), ...exists(task, scope && {})])',
    test: 'sqlite',
    equivalent: 'the core holds what it reads against the scope before it writes',
  },
  {
    file: 'kysely/sql/lock.ts',
    from: 'const all = where([isListed, ...exists(task, scope)])',
    to: 'const all = where([isListed, ...exists(task, scope && {})])',
    test: 'sqlite',
    equivalent: 'the core holds what it reads against the scope before it writes',
  },
]
