import { askerOf, at, holdEqual, holdStatus, offers } from './hold.ts'
import { replacingBody, type Scene } from './script.ts'

/** Holds that a PUT of an absent item creates it, where the contract says so. */
export async function putAbsent(scene: Scene): Promise<void> {
  const ask = askerOf(scene)
  const { row } = scene.trial.contract
  if (!offers(scene, 'update')) return
  const id = absentId(scene)
  const target = at({ id })
  const put = (headers: Readonly<Record<string, string>> = {}, query = '') =>
    ask({ method: 'PUT', at: target + query, body: replacingBody(scene, n), headers })
  const n = scene.counter.next++
  if (row.putCreates === 'no')
    return holdStatus(scene, 'a PUT of an absent item is 404', await put(), 404)
  const dry = await put({}, '?dry_run=true')
  holdStatus(scene, 'a dry run of a PUT that creates is 200', dry, 200)
  holdStatus(scene, 'an absent item has no ETag', await put({ 'if-match': '*' }), 409)
  const isRuled = row.rules === 'create' || row.rules === 'all'
  const refused = await put({ 'x-refused': 'create' }, isRuled ? '' : '?dry_run=true')
  holdStatus(scene, 'the rule of creation judges a PUT', refused, isRuled ? 403 : 200)
  if (offers(scene, 'read'))
    holdStatus(scene, 'nothing is created', await ask({ method: 'GET', at: target }), 404)
  // The rule of changes has nothing to judge.
  const created = await put({ 'x-refused': 'change', 'if-none-match': '*' })
  holdStatus(scene, 'a PUT creates', created, 201)
  for (const [name, value] of Object.entries(Object(dry.body)))
    holdEqual(
      scene,
      'the dry run of a PUT that creates predicts',
      { [name]: value },
      { [name]: Object(created.body)[name] },
    )
  holdEqual(scene, 'an item that a PUT creates has the id', Object(created.body).id, id)
  const { location } = created.headers
  holdEqual(scene, 'a PUT that creates gives the Location', location, scene.base + target)
  if (offers(scene, 'read')) {
    const read = await ask({ method: 'GET', at: target })
    holdEqual(scene, 'GET gives what PUT created', read.body, created.body)
    holdEqual(scene, 'GET has the ETag of the PUT', read.headers.etag, created.headers.etag)
  }
  holdStatus(scene, 'If-None-Match keeps an item', await put({ 'if-none-match': '*' }), 409)
  holdStatus(scene, 'a second PUT replaces', await put(), 200)
}

function absentId({ trial, counter }: Scene): string | number {
  const { ids } = trial.contract.row
  const n = counter.next++
  if (ids === 'integer' || ids === 'counted') return 900_000 + n
  return ids === 'uuid' ? `00000000-0000-7000-9000-${String(n).padStart(12, '0')}` : `put-${n}`
}
