import { defineResource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkVersion, versionAfter } from '../../src/model/version.ts'
import { codeOf } from './thrown.ts'

const Item = z.object({ id: z.string(), revision: z.union([z.number(), z.string()]) })
const create = z.object({})
const versioned = defineResource('items', { schema: Item, create, version: 'revision' })
const plain = defineResource('items', { schema: Item, create })

describe('versionAfter', () => {
  const one = { id: 'a', revision: 1 }
  test('counts numbers up', () => {
    expect(versionAfter(undefined, versioned)).toEqual({ revision: 1 })
    expect(versionAfter(one, versioned)).toEqual({ revision: 2 })
  })

  test('leaves other versions to whoever makes them', () => {
    expect(versionAfter({ ...one, revision: 'x' } as { id: string }, versioned)).toEqual({})
    expect(versionAfter(one, plain)).toEqual({})
    expect(versionAfter(undefined, plain)).toEqual({})
  })
})

describe('checkVersion', () => {
  const stored = { id: 'a', revision: 'x' }
  test('lets a version pass that is still stored, or none', () => {
    expect(() => checkVersion(stored, 'x', versioned)).not.toThrow()
    expect(() => checkVersion(stored, undefined, versioned)).not.toThrow()
    expect(() => checkVersion(stored, 'y', plain)).not.toThrow()
  })

  test('refuses another', () => {
    expect(codeOf(() => checkVersion(stored, 'y', versioned))).toBe('precondition_failed')
  })
})
