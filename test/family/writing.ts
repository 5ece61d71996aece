import { amountOf } from './fields.ts'
import {
  askerOf,
  at,
  hold,
  holdEqual,
  holdStatus,
  movingIn,
  offers,
  type Part,
  without,
} from './hold.ts'
import type { Item } from './levels.ts'
import { newBody, replacingBody, type Scene, sendNew } from './script.ts'
import { type Answer, itemsOf } from './trial.ts'

/** Creates things; the dry run predicts them. */
export async function createThings(scene: Scene): Promise<void> {
  const ask = askerOf(scene)
  const { counter } = scene
  if (!offers(scene, 'create')) {
    const refused = await ask({ method: 'POST', body: newBody(scene, counter.next) })
    holdStatus(scene, 'an operation that is left out is 405', refused, 405)
    for (let count = 0; count < 3; count++) await sendNew(scene)
    return
  }
  const body = newBody(scene, counter.next)
  const dry = await ask({ method: 'POST', at: '?dry_run=true', body })
  holdStatus(scene, 'a dry run of POST is 200', dry, 200)
  const created = await sendNew(scene)
  holdStatus(scene, 'POST is 201', created, 201)
  const expected = Object(created.body)
  for (const [name, value] of Object.entries(Object(dry.body)))
    holdEqual(scene, 'the dry run of POST predicts', { [name]: value }, { [name]: expected[name] })
  if (created.status === 201) await holdLocation(scene, created)
  const many = [counter.next++, counter.next++].map((n) => newBody(scene, n))
  const array = await ask({ method: 'POST', body: many })
  holdStatus(scene, 'POST of an array is 201', array, 201)
  holdEqual(
    scene,
    'POST of an array gives its items',
    itemsOf(array).length,
    array.status === 201 ? 2 : 0,
  )
}

async function holdLocation(scene: Scene, created: Answer): Promise<void> {
  const { trial, me } = scene
  const { location = '', etag } = created.headers
  if (!offers(scene, 'read')) return
  const read = await trial.ask({ as: me, method: 'GET', url: location })
  holdStatus(scene, 'the Location is there', read, 200)
  holdEqual(scene, 'the Location gives what POST gave', read.body, created.body)
  holdEqual(scene, 'the Location has the ETag of POST', read.headers.etag, etag)
}

/** Repeats a POST with a key. */
export async function repeatCreate(scene: Scene): Promise<void> {
  const ask = askerOf(scene)
  const { idempotent } = scene.trial.contract.row
  if (!offers(scene, 'create')) return
  const { id: _, ...body } = newBody(scene, scene.counter.next++)
  const request = {
    method: 'POST',
    body,
    headers: { 'idempotency-key': `key-${scene.counter.next}` },
  }
  const first = await ask(request)
  if (idempotent === 'no')
    return holdStatus(scene, 'a key needs an idempotent resource', first, 400)
  holdStatus(scene, 'POST with a key is 201', first, 201)
  const second = await ask(request)
  holdEqual(
    scene,
    'a repeated POST gives the same item',
    [second.status, second.body],
    [201, first.body],
  )
  holdEqual(scene, 'a repeated POST says so', second.headers['idempotency-replayed'], 'true')
}

/** Writes each thing in every way, so that it stays as it was or changes in one field. */
export async function changeThings(scene: Scene, all: readonly Item[]): Promise<void> {
  if (!offers(scene, 'read')) {
    const [item] = all
    if (item === undefined) return
    const answer = await askerOf(scene)({ method: 'GET', at: at(item) })
    return holdStatus(scene, 'an operation that is left out is 405', answer, 405)
  }
  for (const item of all.slice(0, 3)) await changeThing(scene, item)
  await changeMany(scene, all.slice(0, 3))
}

async function changeThing(scene: Scene, item: Item): Promise<void> {
  const ask = askerOf(scene)
  const moving = movingIn(scene)
  const before = await ask({ method: 'GET', at: at(item) })
  holdEqual(scene, 'an item is as in the list', before.body, item)
  const head = await ask({ method: 'HEAD', at: at(item) })
  holdEqual(
    scene,
    'HEAD is GET',
    [head.status, head.headers, head.body],
    [200, before.headers, undefined],
  )
  if (offers(scene, 'update')) {
    const put = await ask({ method: 'PUT', at: at(item), body: before.body })
    holdStatus(scene, 'PUT of what GET gave is 200', put, 200)
    if (put.status === 200)
      holdEqual(
        scene,
        'PUT of what GET gave changes nothing',
        without(put.body, moving),
        without(item, moving),
      )
  }
  const now = await ask({ method: 'GET', at: at(item) })
  if (offers(scene, 'patch')) {
    const patch = await ask({ method: 'PATCH', at: at(item), body: {} })
    holdStatus(scene, 'PATCH of nothing is 200', patch, 200)
    holdEqual(scene, 'PATCH of nothing changes nothing', patch.body, now.body)
    holdEqual(scene, 'PATCH of nothing keeps the ETag', patch.headers.etag, now.headers.etag)
    await patchThing(scene, now)
  }
  if (offers(scene, 'update')) await replaceThing(scene, item)
  await holdConditions(scene, item)
}

/** Changes one field by PATCH; the dry run predicts it. */
async function patchThing(scene: Scene, now: Answer): Promise<void> {
  const ask = askerOf(scene)
  const item: Item = Object(now.body)
  const name = scene.level.fields.find(
    (field) => field.name === amountOf(scene.trial.contract.row),
  )?.name
  const body =
    name === undefined ? { first: 'ada', last: 'other' } : { [name]: Number(item[name]) + 100 }
  const known = Object.fromEntries(
    Object.entries(body).filter(([field]) => scene.level.fields.some((one) => one.name === field)),
  )
  await holdDryRun(scene, { method: 'PATCH', at: at(item), body: known })
  const after = await ask({ method: 'GET', at: at(item) })
  const names = [...Object.keys(known), ...movingIn(scene)]
  holdEqual(
    scene,
    'PATCH changes the named fields',
    without(after.body, names),
    without(item, names),
  )
  const { etag } = after.headers
  if (scene.trial.contract.row.revision !== 'none')
    hold(
      scene,
      'a change makes another ETag',
      etag !== now.headers.etag || Object.keys(known).length === 0,
      () => `${etag}`,
    )
}

async function replaceThing(scene: Scene, item: Item): Promise<void> {
  const body = replacingBody(scene, scene.counter.next++)
  await holdDryRun(scene, { method: 'PUT', at: at(item), body })
}

// Sends a request as a dry run, then for good.
async function holdDryRun(scene: Scene, request: Part): Promise<void> {
  const ask = askerOf(scene)
  const item = await ask({ method: 'GET', at: request.at ?? '' })
  const dry = await ask({ ...request, at: `${request.at}?dry_run=true` })
  const same = await ask({ method: 'GET', at: request.at ?? '' })
  holdEqual(scene, 'a dry run stores nothing', same, item)
  const real = await ask(request)
  holdStatus(scene, `${request.method} is 200`, real, 200)
  holdEqual(scene, 'a dry run has the same status', dry.status, real.status)
  if (real.status !== 200 || dry.status !== 200) return
  const moving = movingIn(scene)
  holdEqual(scene, 'a dry run predicts', without(dry.body, moving), without(real.body, moving))
  const after = await ask({ method: 'GET', at: request.at ?? '' })
  holdEqual(scene, 'GET gives what was written', after.body, real.body)
  holdEqual(scene, 'GET has the ETag of the write', after.headers.etag, real.headers.etag)
}

async function holdConditions(scene: Scene, item: Item): Promise<void> {
  const ask = askerOf(scene)
  const { etag } = (await ask({ method: 'GET', at: at(item) })).headers
  const { revision } = scene.trial.contract.row
  hold(
    scene,
    'an item has an ETag by its revision',
    (etag !== undefined) === (revision !== 'none'),
    () => `${etag}`,
  )
  if (!offers(scene, 'patch')) return
  const patch = (tag: string) =>
    ask({ method: 'PATCH', at: at(item), body: {}, headers: { 'if-match': tag } })
  holdStatus(scene, 'a stale ETag is refused', await patch('"stale"'), 409)
  holdStatus(scene, 'any ETag matches an item', await patch('*'), 200)
  if (etag !== undefined) holdStatus(scene, 'the ETag of an item matches', await patch(etag), 200)
}

async function changeMany(scene: Scene, items: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const moving = movingIn(scene)
  if (!offers(scene, 'list') || items.length === 0) return
  const ids = items.map(({ id }) => `id=${encodeURIComponent(String(id))}`).join('&')
  const list = async () => itemsOf(await ask({ method: 'GET', at: `?${ids}&limit=5` }))
  const now = await list()
  const plain = (all: readonly Item[]) => all.map((item) => without(item, moving))
  const put = await ask({ method: 'PUT', body: now })
  if (!offers(scene, 'updateMany'))
    holdStatus(scene, 'an operation that is left out is 405', put, 405)
  else {
    holdStatus(scene, 'PUT of a list is 200', put, 200)
    holdEqual(scene, 'PUT of a list changes nothing', plain(await list()), plain(now))
  }
  const patches = now.map(({ id }) => ({ id }))
  const patch = await ask({ method: 'PATCH', body: patches })
  if (!offers(scene, 'patchMany'))
    holdStatus(scene, 'an operation that is left out is 405', patch, 405)
  else {
    holdStatus(scene, 'PATCH of a list is 200', patch, 200)
    holdEqual(scene, 'PATCH of a list changes nothing', plain(await list()), plain(now))
  }
}
