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
  const { registry } = notesWith({ read, update }, { declaration: declared })
  return { state, registry }
}

const approvedOnce = (note: z.infer<typeof Note>, turn: number) =>
  turn === 1 ? { ...note, approved: true, rev: note.rev + 1 } : note
const changedAlways = (note: z.infer<typeof Note>) => ({ ...note, rev: note.rev + 1 })
const body = { text: 'new' }

describe('a write of a whole item', () => {
  test('undoes no change of a read-only field meanwhile', async () => {
    const { registry, state } = racing(approvedOnce)
    const { status, body: answered } = await handle(requestOf(['PUT', '/notes/a', body]), registry)
    expect([status, answered]).toEqual([200, { id: 'a', text: 'new', approved: true, rev: 3 }])
    expect(state.turn).toBe(2)
  })

  // biome-ignore format: a row stays a line
  const rows = [
    ['whose condition held no more', { ...body, rev: 1 }, undefined,             approvedOnce,  '409 precondition_failed'],
    ['whose ETag held no more',      body,                { 'if-match': '"1"' }, approvedOnce,  '409 precondition_failed'],
    ['that is late every time',      body,                undefined,             changedAlways, '503 unavailable'],
  ] as const
  for (const [name, sent, headers, meanwhile, verdict] of rows) {
    test(`${name} is ${verdict}`, async () => {
      const { registry, state } = racing(meanwhile)
      const response = await handle(requestOf(['PUT', '/notes/a', sent, headers]), registry)
      expect(verdictOf(response)).toBe(verdict)
      expect(state.note.text).toBe('old')
      expect(state.turn).toBeLessThanOrEqual(8)
      if (response.status === 503) expect(response.headers['retry-after']).toBe('1')
    })
  }

  test('reads once where a condition of the client does not hold', async () => {
    const { registry, state } = racing((note) => note)
    const line = ['PUT', '/notes/a', body, { 'if-match': '"7"' }] as const
    const response = await handle(requestOf([...line]), registry)
    expect([verdictOf(response), state.turn]).toEqual(['409 precondition_failed', 1])
  })

  test('is refused once where the adapter has a reason of its own', async () => {
    let asked = 0
    const update = () => {
      asked++
      throw problem('precondition_failed')
    }
    const note = { id: 'a', text: 'old', approved: false, rev: 1 }
    const { registry } = notesWith({ read: () => note, update }, { declaration: declared })
    const response = await handle(requestOf(['PUT', '/notes/a', body]), registry)
    expect([verdictOf(response), asked]).toEqual(['409 precondition_failed', 2])
  })
})
