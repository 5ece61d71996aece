import { isSame } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import { broken, expectStatus, Unfit } from '../expect.ts'
import type { Rule } from '../rule.ts'
import type { Exchange } from '../sent.ts'
import type { Subject } from '../subject.ts'
import { absentIn, targetsOf } from './methods.ts'

/** The rule that is broken by a request that must change nothing, and does. */
export const safeMethods = 'safe-methods'

/** The rules about methods that change nothing. */
export const safeRules: readonly Rule[] = [
  {
    id: 'head',
    words: 'HEAD has the status and headers of GET, and no body.',
    needs: ['items'],
    async run(subject) {
      // An absent item comes first, then one item: a server that takes HEAD for DELETE reaches no more.
      await tryHead(subject, absentIn(subject))
      await tryOwn(subject)
      for (const [, path] of targetsOf(subject)) await tryHead(subject, path)
      await tryHead(subject, `${subject.path}?limit=1`)
    },
  },
  {
    id: safeMethods,
    words: 'GET, HEAD, OPTIONS and unknown methods change nothing.',
    needs: ['items', 'some'],
    // The watch looks after every request, and stops the check where something has changed.
    run: () => undefined,
  },
]

async function tryHead({ ask }: Subject, path: string): Promise<void> {
  const get = await ask('GET', path)
  const head = await ask('HEAD', path)
  expectStatus(head, get.answer.status)
  for (const name of ['content-type', 'content-length', 'link', 'etag']) {
    const [own, expected] = [head.answer.headers[name], get.answer.headers[name]]
    // A length may be left out, where the body is sent in pieces too, and a problem may name the method.
    const isLeftOut =
      name === 'content-length' &&
      (own === undefined || expected === undefined || get.answer.status >= 400)
    if (own !== expected && !isLeftOut)
      broken(head, `"${name}" is ${own ?? 'missing'}, and ${expected ?? 'missing'} after GET.`)
  }
}

// With --write the check tries an item of its own before those of others. The watch may look at another collection.
async function tryOwn({ ask, workshop }: Subject): Promise<void> {
  const item = await workshop?.make().catch((error) => {
    if (!(error instanceof Unfit)) throw error
  })
  if (!workshop || !item) return
  const path = itemPath(workshop.path, item.id)
  const before = await ask('GET', path)
  const head = await ask('HEAD', path)
  const after = await ask('GET', path)
  if (!isSameAnswer(before, after)) broken(head, 'After HEAD the item is not as it was.')
}

function isSameAnswer({ answer: one }: Exchange, { answer: other }: Exchange): boolean {
  return one.status === other.status && isSame(one.json, other.json)
}
