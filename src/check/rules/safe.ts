import { isSame } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import type { CheckedCollection } from '../collection.ts'
import { expectStatus, fail, NotApplicable } from '../expect.ts'
import { defineRules } from '../rule.ts'
import { absentItemPath, targetsOf } from './methods.ts'

/** The id of the rule that a safe request breaks when it changes data. */
export const safeMethods = 'safe-methods'

/** Rules about methods that change nothing. */
export const safeRules = defineRules(['items'], {
  head: {
    text: 'HEAD has the status and headers of GET, and no body.',
    async run(collection) {
      // An absent item, then one item: a server that takes HEAD for DELETE deletes no more.
      await checkHead(collection, absentItemPath(collection))
      await checkHeadOnOwnItem(collection)
      for (const [, path] of targetsOf(collection)) await checkHead(collection, path)
      await checkHead(collection, `${collection.path}?limit=1`)
    },
  },
  [safeMethods]: {
    text: 'GET, HEAD, OPTIONS and unknown methods change nothing.',
    needs: ['some'],
    // The monitor compares after every request, and stops the check after a change.
    run: () => undefined,
  },
})

async function checkHead({ send }: CheckedCollection, path: string): Promise<void> {
  const get = await send('GET', path)
  const head = await send('HEAD', path)
  expectStatus(head, get.status)
  for (const name of ['content-type', 'content-length', 'link', 'etag']) {
    const [own, expected] = [head.headers[name], get.headers[name]]
    // A server may omit a length, also when it streams the body. A problem may name the method.
    const isOptional =
      name === 'content-length' &&
      (own === undefined || expected === undefined || get.status >= 400)
    if (own !== expected && !isOptional)
      fail(head, `"${name}" is ${own ?? 'missing'}, and ${expected ?? 'missing'} after GET.`)
  }
}

// With --write the check tries its own item first. The monitor may observe another collection.
async function checkHeadOnOwnItem({ send, writable }: CheckedCollection): Promise<void> {
  const item = await writable?.create().catch((error) => {
    if (!(error instanceof NotApplicable)) throw error
  })
  if (!writable || !item) return
  const path = itemPath(writable.path, item.id)
  const before = await send('GET', path)
  const head = await send('HEAD', path)
  const after = await send('GET', path)
  if (before.status !== after.status || !isSame(before.json, after.json))
    fail(head, 'After HEAD the item is not as it was.')
}
