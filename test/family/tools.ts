import { sql } from 'kysely'
import { createClient } from 'nounful/client'
import { isolationOf } from 'nounful/conformance'
import { toFetchHandler } from 'nounful/fetch'
import { examineStorage } from '../../src/cli/doctor.ts'
import { compareSnapshots } from '../../src/diff/compare/snapshots.ts'
import { compareDocuments } from '../../src/diff/openapi/document-changes.ts'
import { formatSnapshot, parseSnapshot } from '../../src/diff/snapshot-text.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { openConnection } from '../../src/trial/check/connection.ts'
import { findCollections } from '../../src/trial/check/find.ts'
import { runRules } from '../../src/trial/check/run.ts'
import { transportOf } from '../support/check-transport.ts'
import { type Contract, contractOf } from './contract.ts'
import type { ContractRow } from './features.ts'
import { sampleOf } from './fields.ts'
import { offers } from './hold.ts'
import type { Item } from './levels.ts'
import { newBody, type Scene } from './script.ts'
import { memoryService, sqliteService } from './service.ts'
import type { Trial } from './trial.ts'

/** Holds that a contract does not differ from itself, declared again or read from a file. */
export function compareWithItself({ contract, document, note }: Trial): void {
  const snapshot = snapshotOf(contract.api, { nounful: '1.0.0' })
  const again = snapshotOf(contractOf(contract.row).api, { nounful: '1.0.0' })
  const text = formatSnapshot(snapshot)
  if (formatSnapshot(again) !== text) note('a snapshot is stable', text)
  if (formatSnapshot(parseSnapshot(text)) !== text) note('a snapshot reads back', text)
  const options = { on: '2026-11-25', grace: 180 }
  const changes = compareSnapshots(parseSnapshot(text), again, options)
  if (changes.length > 0) note('a contract does not differ from itself', JSON.stringify(changes))
  const plain = JSON.parse(JSON.stringify(document))
  const declared = compareDocuments(plain, structuredClone(plain), options)
  if (declared.length > 0) note('a document does not differ from itself', JSON.stringify(declared))
}

/** Holds that the tables fit, and that each statement of `doctor` runs. */
export async function examineTables({ contract, note }: Trial): Promise<void> {
  // Its statements change the tables.
  const { registry, db, end } = await sqliteService(contract)
  for (const { resource, state, mismatches, advice } of await examineStorage(registry)) {
    if (state !== 'fits') note('the tables fit', `${resource}: ${JSON.stringify(mismatches)}`)
    for (const { message, fix } of advice) {
      if (fix === undefined || db === undefined) continue
      await sql
        .raw(fix)
        .execute(db)
        .catch((error: unknown) => {
          note('a statement of doctor runs', `${message}\n      ${fix}\n      ${error}`)
        })
    }
  }
  const again = await examineStorage(registry)
  const open = again.flatMap(({ advice }) => advice).filter(({ fix }) => fix !== undefined)
  if (open.length > 0) note('a statement of doctor helps', JSON.stringify(open))
  await end()
}

/** Calls every operation of the typed client, and holds that it returns what HTTP gives. */
export async function callClient(scene: Scene): Promise<void> {
  const { trial, me, version, base, counter } = scene
  const [memory] = trial.services
  const client = createClient<never>({
    baseUrl: 'http://family.example',
    fetch: toFetchHandler(memory.registry),
    headers: { authorization: me },
  })
  const things = collectionOf(client, base)
  const call = async (
    kind: string,
    name: string,
    ...args: readonly unknown[]
  ): Promise<unknown> => {
    try {
      const value = await things[name]?.(...args)
      if (!offers(scene, kind)) trial.note('the client is refused', `${version} ${name}`)
      return value
    } catch (error) {
      const isRefused = !offers(scene, kind) || isForbidden(scene, kind)
      if (!isRefused) trial.note('the client calls each operation', `${base} ${name}: ${error}`)
      return undefined
    }
  }
  const created = await call('create', 'create', newBody(scene, counter.next++))
  await call('create', 'createMany', [newBody(scene, counter.next++)])
  const all = await call('list', 'list', { limit: 3 })
  const items: readonly Item[] = Array.isArray(all) ? all : []
  await call('list', 'page', { limit: 2 })
  const ids = items.map(({ id }) => id)
  const many = ids.length === 0 ? items : await call('list', 'readMany', ids)
  if (offers(scene, 'list') && JSON.stringify(many) !== JSON.stringify(items))
    trial.note('readMany gives the items of a list', `${JSON.stringify(many)}`)
  const ends = offers(scene, 'create') ? ['first', 'last', 'count'] : ['count']
  for (const kind of ends) await call(kind, kind)
  await call('updateMany', 'updateMany', items)
  await call(
    'patchMany',
    'patchMany',
    ids.map((id) => ({ id })),
  )
  const [item = Object(created)] = items
  if (item.id !== undefined)
    await callItem(scene, Reflect.apply(things as never, undefined, [item.id]))
  await call('deleteMany', 'deleteMany', { where: { id: 'nobody' }, maxAffected: 1 })
  await call('deleteAll', 'deleteAll', { maxAffected: 1000 })
}

function isForbidden({ trial }: Scene, kind: string): boolean {
  return trial.contract.row.middleware === 'refusing' && /^delete/.test(kind)
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

async function callItem(scene: Scene, methods: Methods): Promise<void> {
  const { trial, base } = scene
  let item: unknown
  const calls = [
    ['read', []],
    ['update', () => [item]],
    ['patch', [{}]],
    ['delete', []],
  ] as const
  for (const [kind, args] of calls) {
    if (kind === 'update' && item === undefined) continue
    try {
      const value = await methods[kind]?.(...(typeof args === 'function' ? args() : args))
      if (kind === 'read') item = value
    } catch (error) {
      const isRefused = !offers(scene, kind) || isForbidden(scene, kind)
      if (!isRefused) trial.note('the client calls each operation', `${base} ${kind}: ${error}`)
    }
  }
}

// `/v1/lists/7/things` → `client.v1.lists('7').things`
function collectionOf(client: object, base: string): Methods {
  const [, version = '', ...segments] = base.split('/')
  let at: unknown = Reflect.get(client, version)
  segments.forEach((segment, index) => {
    at =
      index % 2 === 0
        ? Reflect.get(Object(at), segment)
        : Reflect.apply(at as never, undefined, [segment])
  })
  return at as Methods
}

/** Holds that `check --write` finds no broken rule. */
export async function checkService({ contract, note }: Trial): Promise<number> {
  const { row } = contract
  const { registry } = memoryService(contract)
  const headers = { authorization: row.owner === 'everything' ? 'operator' : 'alice' }
  const options = { origin: 'http://127.0.0.1', headers, timeout: 20_000, requests: 100_000 }
  const connection = openConnection(options, transportOf(registry, headers))
  const names = await findCollections(connection.send, '/', [])
  const writing = { samples: {}, isEmptied: false }
  const { verdicts, stopped, left } = await runRules(connection, names, writing)
  for (const { id, faults } of verdicts)
    for (const { collection, message, curl } of faults)
      note(`check keeps ${id}`, `${collection}: ${message}\n      ${curl}`)
  if (stopped !== undefined) note('check ends', stopped)
  const isDeletable = row.middleware !== 'refusing' && row.without !== 'delete'
  if (isDeletable && left.length > 0) note('check leaves nothing', left.join(', '))
  return connection.log.length
}

function nameIn(resource: string, { parents, target }: ContractRow): Item {
  const isView =
    (resource === 'lists' && parents === 'view') || (resource === 'peers' && target === 'view')
  return isView ? { label: 'a {n}' } : { name: 'a {n}' }
}

// Only these validators tell the forms of all fields.
function samplesOf({ row, levels, api }: Contract): Readonly<Record<string, Item>> {
  if (row.validator === 'zod' || row.validator === 'told') return {}
  const named = [...api.resources.keys()].map((name) => [name, { ...nameIn(name, row) }])
  const stored = levels.stored.fields
    .filter(({ name }) => !/^(?:id|tenant_id|peer_id|origin_id)$/.test(name))
    .map((field) => [field.name, field.type === 'text' ? 'a {n}' : sampleOf(field, 3)])
  const things = levels.shown.map(([, level]) => {
    const body = level.bodyOf({ ...Object.fromEntries(stored), first: 'a', last: '{n}' })
    const sent = level.fields.filter(({ inCreate }) => inCreate !== 'never').map(({ name }) => name)
    return [
      level.name,
      Object.fromEntries(Object.entries(body).filter(([name]) => sent.includes(name))),
    ]
  })
  return Object.fromEntries([...named, ...things])
}

/** Holds that the proof of isolation finds nothing. */
export async function proveOwners({ contract, note }: Trial): Promise<void> {
  const { owner, ids, unique } = contract.row
  if (owner === 'none') return
  const isTaken = ids === 'client' || unique === 'yes'
  const gaps = isTaken
    ? { 'conflicts tell of no taken value': 'a value is unique among all owners' }
    : {}
  const { registry } = memoryService(contract)
  const callers = { as: ['authorization: alice', 'authorization: bob'] } as const
  const checks = isolationOf(registry, {
    ...callers,
    everything: 'authorization: operator',
    gaps,
    samples: samplesOf(contract),
  })
  for (const { name, run } of checks)
    await run().catch((error: Error) => note(`isolation: ${name}`, error.message.slice(0, 3000)))
}
