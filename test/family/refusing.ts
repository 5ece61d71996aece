import { askerOf, at, holdEqual, holdStatus, isForbidden, offers, type Part } from './hold.ts'
import type { Item } from './levels.ts'
import { newBody, replacingBody, type Scene } from './script.ts'
import { itemsOf } from './trial.ts'

type Rule = 'create' | 'change' | 'delete'

/** A request that a rule judges, and what it is without one. */
interface Judged extends Part {
  readonly kind: string
  readonly rule: Rule
  /** The entries of the body that the problem names. */
  readonly pointers?: readonly string[]
}

/** Holds that a rule refuses exactly the requests it is about, and that they change nothing. */
export async function refuseByRules(scene: Scene, all: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const [item] = all
  if (item === undefined) return
  const before = await ask({ method: 'GET', at: at(item) })
  // Other laws have changed them.
  const now = itemsOf(await ask({ method: 'GET', at: '?limit=2' }))
  for (const judged of judgedOf(scene, now)) await holdJudged(scene, judged)
  const after = await ask({ method: 'GET', at: at(item) })
  holdEqual(scene, 'a refused request changes nothing', after, before)
}

function judgedOf(scene: Scene, some: readonly Item[]): readonly Judged[] {
  const { counter } = scene
  const [item] = some
  const { length } = some
  const pointers = some.map((_, index) => `/${index}`)
  const replaced = replacingBody(scene, counter.next++)
  const patches = some.map(({ id }) => ({ id }))
  const ids = some.map(({ id }) => `id=${encodeURIComponent(String(id))}`).join('&')
  const news = [counter.next++, counter.next++].map((n) => newBody(scene, n))
  const target = at(Object(item))
  const bound = { prefer: `max-affected=${length}` }
  const wide = { prefer: 'max-affected=1000' }
  // biome-ignore format: a row stays a line
  return [
    { kind: 'create',     rule: 'create', method: 'POST',   body: news[0] },
    { kind: 'create',     rule: 'create', method: 'POST',   body: news, pointers: ['/0', '/1'] },
    { kind: 'update',     rule: 'change', method: 'PUT',    at: target, body: replaced },
    { kind: 'patch',      rule: 'change', method: 'PATCH',  at: target, body: {} },
    { kind: 'updateMany', rule: 'change', method: 'PUT',    body: some, pointers },
    { kind: 'patchMany',  rule: 'change', method: 'PATCH',  body: patches, pointers },
    { kind: 'delete',     rule: 'delete', method: 'DELETE', at: target },
    { kind: 'deleteMany', rule: 'delete', method: 'DELETE', at: `?${ids}`, headers: bound },
    { kind: 'deleteAll',  rule: 'delete', method: 'DELETE', headers: wide },
  ]
}

// A dry run asks the rule too. Without such a rule, only a dry run leaves the items as they are.
async function holdJudged(scene: Scene, judged: Judged): Promise<void> {
  const { kind, rule, pointers, ...part } = judged
  const ask = askerOf(scene)
  const { rules } = scene.trial.contract.row
  if (!offers(scene, kind)) return
  const headers = { ...part.headers, 'x-refused': rule }
  const isRuled = rules === rule || rules === 'all'
  const isDeletion = rule === 'delete'
  const isRefused = isRuled || (isDeletion && isForbidden(scene))
  const takesDryRun = kind !== 'delete' && kind !== 'deleteAll'
  const tries = [
    ...(takesDryRun ? [`${part.at ?? ''}${part.at?.includes('?') ? '&' : '?'}dry_run=true`] : []),
    ...(isRefused ? [part.at ?? ''] : []),
  ]
  for (const target of tries) {
    const answer = await ask({ ...part, at: target, headers })
    holdStatus(scene, `a rule judges ${kind}`, answer, isRefused ? 403 : 200)
    if (!isRefused || pointers === undefined) continue
    const { issues = [] } = Object(answer.body)
    const named = issues.map(({ pointer }: Item) => pointer)
    holdEqual(scene, 'a refused bulk names its items', named, pointers)
  }
}
