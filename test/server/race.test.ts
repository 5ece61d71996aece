import { handle, type Operation, problem } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { notesWith, requestOf, verdictOf } from '../support/registry.ts'

const Note = z.object({ id: z.string(), text: z.string(), approved: z.boolean(), rev: z.number() })
const declared = {
  schema: Note,
  create: z.strictObject({ text: z.string(), rev: z.number().optional() }),
  revision: 'rev',
  readOnly: ['approved'],
  sortable: [],
} as const

/** Notes that are written whole; `meanwhile` happens between a read and the write that follows. */
function racing(meanwhile: (note: z.infer<typeof Note>, turn: number) => z.infer<typeof Note>) {
  const state = { note: { id: 'a', text: 'old', approved: false, rev: 1 }, turn: 0, told: 0 }
  const read = async () => {
    const { note } = state
    state.turn++
    state.note = meanwhile(note, state.turn)
    return note
  }
  const update = async ({ item, ifRevision }: Operation) => {
    if (ifRevision !== undefined && ifRevision !== state.note.rev)
      throw problem('precondition_failed')
    state.note = Note.parse({ ...item, rev: state.note.rev + 1 })
    return state.note
  }
  const updateMany = async (operation: Operation) => {
    const [item] = operation.items ?? []
    return [await update({ ...operation, item, ifRevision: Note.parse(item).rev })]
  }
  const { registry } = notesWith({ read, update, updateMany }, { declaration: declared })
  return { state, registry }
}

const approvedOnce = (note: z.infer<typeof Note>, turn: number) =>
  turn === 1 ? { ...note, approved: true, rev: note.rev + 1 } : note
const changedAlways = (note: z.infer<typeof Note>) => ({ ...note, rev: note.rev + 1 })
const body = { text: 'new' }

// The same write alone, and as an array.
const forms = [
  ['an item', (sent: object) => ['/notes/a', sent] as const],
  ['an array', (sent: object) => ['/notes', [{ ...sent, id: 'a' }]] as const],
] as const

describe.each(forms)('a write of %s', (_, lineOf) => {
  test('undoes no change of a read-only field meanwhile', async () => {
    const { registry, state } = racing(approvedOnce)
    const { status, body: answered } = await handle(requestOf(['PUT', ...lineOf(body)]), registry)
    const item = { id: 'a', text: 'new', approved: true, rev: 3 }
    expect([status, [answered].flat()]).toEqual([200, [item]])
    expect(state.turn).toBe(2)
  })

  const rows = [
    ['whose revision is no longer stored', { ...body, rev: 1 }, approvedOnce, '409'],
    ['that is late every time', body, changedAlways, '503'],
  ] as const
  test.each(rows)('%s writes nothing', async (_, sent, meanwhile, status) => {
    const { registry, state } = racing(meanwhile)
    const response = await handle(requestOf(['PUT', ...lineOf(sent)]), registry)
    expect(verdictOf(response)).toBe(
      status === '503' ? '503 unavailable' : '409 precondition_failed',
    )
    expect(state.note.text).toBe('old')
    expect(state.turn).toBeLessThanOrEqual(8)
    if (response.status === 503) expect(response.headers['retry-after']).toBe('1')
  })

  test('is refused once where the adapter has a reason of its own', async () => {
    let asked = 0
    const update = () => {
      asked++
      throw problem('precondition_failed')
    }
    const note = { id: 'a', text: 'old', approved: false, rev: 1 }
    const adapter = { read: () => note, update, updateMany: update }
    const { registry } = notesWith(adapter, { declaration: declared })
    const response = await handle(requestOf(['PUT', ...lineOf(body)]), registry)
    expect([verdictOf(response), asked]).toEqual(['409 precondition_failed', 2])
  })
})

describe('a write whose ETag', () => {
  const rows = [
    ['changed meanwhile', '"1"', approvedOnce, 2],
    ['was another one', '"7"', (note: z.infer<typeof Note>) => note, 1],
  ] as const
  test.each(rows)('%s is refused', async (_, tag, meanwhile, turns) => {
    const { registry, state } = racing(meanwhile)
    const line = ['PUT', '/notes/a', body, { 'if-match': tag }] as const
    const response = await handle(requestOf([...line]), registry)
    expect([verdictOf(response), state.turn]).toEqual(['409 precondition_failed', turns])
  })
})
