import { defineResource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkRevision, revisionAfter } from '../../src/model/revision.ts'
import { codeOf } from './thrown.ts'

const Item = z.object({ id: z.string(), revision: z.union([z.number(), z.string()]) })
const create = z.object({})
const versioned = defineResource('items', { schema: Item, create, revision: 'revision' })
const plain = defineResource('items', { schema: Item, create })

describe('versionAfter', () => {
  const one = { id: 'a', revision: 1 }
  test('counts numbers up', () => {
    expect(revisionAfter(undefined, versioned)).toEqual({ revision: 1 })
    expect(revisionAfter(one, versioned)).toEqual({ revision: 2 })
  })

  test('leaves other versions to whoever makes them', () => {
    expect(revisionAfter({ ...one, revision: 'x' } as { id: string }, versioned)).toEqual({})
    expect(revisionAfter(one, plain)).toEqual({})
    expect(revisionAfter(undefined, plain)).toEqual({})
  })
})

describe('checkVersion', () => {
  const stored = { id: 'a', revision: 'x' }
  test('lets a version pass that is still stored, or none', () => {
    expect(() => checkRevision(stored, 'x', versioned)).not.toThrow()
    expect(() => checkRevision(stored, undefined, versioned)).not.toThrow()
    expect(() => checkRevision(stored, 'y', plain)).not.toThrow()
  })

  test('refuses another', () => {
    expect(codeOf(() => checkRevision(stored, 'y', versioned))).toBe('precondition_failed')
  })
})
