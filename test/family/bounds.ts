import { askerOf, at, holdEqual, holdStatus, offers } from './hold.ts'
import type { Item } from './levels.ts'
import { replacingBody, type Scene } from './script.ts'
import type { Answer } from './trial.ts'

/** Holds that items of another caller are as those that never were. */
export async function seekForeign(scene: Scene): Promise<void> {
  const { row } = scene.trial.contract
  const [item] = scene.foreign
  if (item === undefined || ['none', 'everybody', 'everything'].includes(row.owner)) return
  const ask = askerOf(scene)
  const isNumber = typeof item.id === 'number'
  const absent = isNumber
    ? 999_999
    : row.ids === 'uuid'
      ? '00000000-0000-7000-8000-999999999999'
      : 'nobody'
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const body = method === 'PUT' ? replacingBody(scene, 1) : method === 'PATCH' ? {} : undefined
    const request = { method, ...(body && { body }) }
    const theirs = await ask({ ...request, at: at(item) })
    // It would be created, so that only a conflict keeps the id of another.
    if (method === 'PUT' && row.putCreates === 'yes') {
      holdStatus(scene, 'the id of another is taken', theirs, 409)
      continue
    }
    const none = await ask({ ...request, at: at({ id: absent }) })
    const plain = ({ status, body }: Answer) =>
      JSON.stringify([status, body]).replaceAll(String(absent), String(item.id))
    holdEqual(scene, 'an item of another is as none', plain(theirs), plain(none))
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Holds that `Allow` names exactly the methods that are not 405. */
export async function holdAllow(scene: Scene, all: readonly Item[]): Promise<void> {
  const ask = askerOf(scene)
  const [item = { id: 'nobody' }] = all
  for (const target of ['', at(item), '/first', '/last', '/count']) {
    const options = await ask({ method: 'OPTIONS', at: target })
    holdStatus(scene, 'OPTIONS is 200', options, 200)
    const allow = (options.headers.allow ?? '').split(', ')
    for (const method of methods) {
      const isBody = ['POST', 'PUT', 'PATCH'].includes(method)
      // Without deleteAll, a DELETE of the collection needs a filter.
      const isFiltered = method === 'DELETE' && target === '' && !offers(scene, 'deleteAll')
      // Each would be refused for another reason.
      const answer = await ask({
        method,
        at: isFiltered ? '?id=nobody' : target,
        ...(isBody && { body: [{ id: [] }] }),
        headers: { 'if-match': '"none"', prefer: 'max-affected=0' },
      })
      holdEqual(scene, 'Allow tells the truth', answer.status !== 405, allow.includes(method))
      if (answer.status === 405)
        holdEqual(scene, '405 has the same Allow', answer.headers.allow, options.headers.allow)
    }
  }
}
