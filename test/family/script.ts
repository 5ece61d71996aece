import { pathsOf } from './contract.ts'
import { type Field, namesOwner, restrictedFieldOf, sampleOf } from './fields.ts'
import type { Item, Level } from './levels.ts'
import type { Caller } from './service.ts'
import { type Answer, marker, type Trial, textOf } from './trial.ts'

/** The things of one version at one path, with everything beside them. */
export interface Scene {
  readonly trial: Trial
  readonly version: string
  readonly level: Level
  /** `/v1/lists/lists-1/things` */
  readonly base: string
  /** The caller who asks. */
  readonly me: Caller
  /** The things of another caller. */
  readonly foreign: readonly Item[]
  readonly ids: Beside
  /** The next number of a thing. */
  readonly counter: { next: number }
}

/** The ids of the items beside the things. */
interface Beside {
  readonly group: string
  readonly list: string
  readonly peers: readonly [string, string]
}

const words: Readonly<Record<Caller, string>> = { alice: 'ada', bob: marker, operator: 'ada' }

/** Creates the items beside the things, and things of another caller. Returns all scenes. */
export async function scenesOf(trial: Trial): Promise<readonly Scene[]> {
  const { contract } = trial
  const me = contract.row.owner === 'everything' ? 'operator' : 'alice'
  const mine = await createBeside(trial, me)
  const other = await createBeside(trial, 'bob')
  const counter = { next: 1 }
  const [version, level] = contract.levels.shown.at(-1) as readonly [string, Level]
  const [path = ''] = pathsOf(contract.row).slice(-1)
  const bobs: Scene = {
    ...{ trial, version, level, me: 'bob', foreign: [], ids: other, counter },
    base: filled(version, path, other),
  }
  const foreign: Item[] = []
  for (let count = 0; count < 2; count++) {
    const { body, status } = await sendNew(bobs)
    if (status === 201) foreign.push(Object(body))
  }
  return contract.levels.shown.flatMap(([version, level]) =>
    pathsOf(contract.row).map((path) => ({
      ...{ trial, version, level, me, foreign, ids: mine, counter },
      base: filled(version, path, mine),
    })),
  )
}

function filled(version: string, path: string, { group, list }: Beside): string {
  return `/${version}${path.replace(':group_id', group).replace(':list_id', list)}`
}

async function createBeside(trial: Trial, as: Caller): Promise<Beside> {
  const { contract } = trial
  const version = contract.levels.shown.at(-1)?.[0]
  const tenant = namesOwner(contract.row) ? { tenant_id: tenantOf(as) } : {}
  const nouns = contract.stored.map(({ noun }) => noun)
  const create = async (path: string, body: Item): Promise<string> => {
    const answer = await trial.ask({ as, method: 'POST', url: `/${version}${path}`, body })
    if (answer.status !== 201) trial.note('items beside are created', textOf(answer))
    return String(Object(answer.body).id)
  }
  const name = `${words[as]} beside`
  const group = nouns.includes('groups') ? await create('/groups', { ...tenant, name }) : ''
  const lists = group === '' ? '/lists' : `/groups/${group}/lists`
  const list = nouns.includes('lists') ? await create(lists, { ...tenant, name }) : ''
  const peers = [
    await create('/peers', { ...tenant, name }),
    await create('/peers', { ...tenant, name: `${words[as]} above` }),
  ] as const
  if (nouns.includes('badges')) await create('/badges', { name })
  return { group, list, peers }
}

// An order that ignores case is not that of code points. A leak shows the marker as it is.
function capital(word: string): string {
  return word === marker ? word : word.toUpperCase()
}

function tenantOf(as: Caller): string {
  return as === 'operator' ? 'alice' : as
}

/** Returns the stored body of the n-th thing of a caller. */
function storedBody({ trial, me, ids }: Scene, n: number): Item {
  const { row, levels } = trial.contract
  const word = words[me]
  const special: Readonly<Record<string, unknown>> = {
    id: row.ids === 'client' && n % 2 === 0 ? `own-${n}` : undefined,
    title: row.folded === 'yes' && n % 2 === 0 ? `${capital(word)} ${n}` : `${word} ${n}`,
    first: word,
    last: `king${n}`,
    note: n % 2 === 0 ? `${word} note` : undefined,
    code: n % 3 === 0 ? undefined : `${word}-${n}`,
    list_id: ids.list,
    tenant_id: tenantOf(me),
    color: n % 2 === 0 ? `${word} color` : null,
    rank: 3,
    peer_id: n % 3 === 1 && row.reference !== 'required' ? null : ids.peers[n % 2],
    origin_id: null,
  }
  const fields = levels.stored.fields.map((field) => [field.name, value(field)] as const)
  function value(field: Field): unknown {
    if (Object.hasOwn(special, field.name)) return special[field.name]
    if (field.name === 'mark' && field.isNullable && n % 4 < 2) return null
    return sampleOf(field, n)
  }
  const pin = row.server === 'writeOnly' ? { pin: `${n}` } : {}
  // Without a JSON Schema, no store of a database knows a null from a missing value.
  const isPlain = row.validator === 'plain' || row.validator === 'valibot'
  const isSent = (one: unknown): boolean => one !== undefined && !(isPlain && one === null)
  return Object.fromEntries([...fields, ...Object.entries(pin)].filter(([, one]) => isSent(one)))
}

/** Returns the body that creates the n-th thing. */
export function newBody(scene: Scene, n: number): Item {
  return bodyFor(scene, n, 'inCreate')
}

/** Returns the body that replaces a thing by the n-th. */
export function replacingBody(scene: Scene, n: number): Item {
  const hasTwo = scene.trial.contract.row.bodies === 'two'
  const { id: _, ...body } = bodyFor(scene, n, hasTwo ? 'inUpdate' : 'inCreate')
  return body
}

function bodyFor(scene: Scene, n: number, body: 'inCreate' | 'inUpdate'): Item {
  const { level, trial } = scene
  const unseen = unseenIn(scene)
  const isStored = level === trial.contract.levels.stored
  const never = level.fields
    .filter((field) => field[body] === 'never' || unseen.includes(field.name))
    .map(({ name }) => name)
  const shown = level.bodyOf(storedBody(scene, n))
  const isHere = (name: string): boolean =>
    level.fields.some((field) => field.name === name) || (name === 'pin' && isStored)
  return Object.fromEntries(
    Object.entries(shown).filter(([name]) => isHere(name) && !never.includes(name)),
  )
}

/** The fields here that this caller does not see. */
export function unseenIn({ trial, level }: Scene): readonly string[] {
  const { row } = trial.contract
  const field = restrictedFieldOf(row)
  return field === undefined || row.restricted === 'seen' ? [] : level.namesOf(field)
}

/** Creates the next thing. */
export async function sendNew(scene: Scene): Promise<Answer> {
  const { trial, me, base, counter } = scene
  const isFull = trial.contract.row.without === 'create'
  const body = newBody(scene, counter.next++)
  return trial.ask({ as: me, method: 'POST', url: base, body, isFull })
}
