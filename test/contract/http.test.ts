import { describe, expect, test } from 'vitest'
import {
  headerOf,
  servedPageOf,
  withOwnMembers,
  withServedPage,
} from '../../src/contract/resource/http.ts'

const rows = [
  [{ prefer: 'wait=1' }, 'wait=1'],
  [{ prefer: ['wait=1', 'max-affected=2'] }, 'wait=1, max-affected=2'],
  [{ prefer: [] }, ''],
  [{ prefer: undefined }, undefined],
  [{}, undefined],
  [undefined, undefined],
] as const

for (const [headers, value] of rows) {
  test(`the header of ${JSON.stringify(headers)} is ${value}`, () => {
    expect(headerOf({ headers }, 'prefer')).toBe(value)
  })
}

test('a field is asked for by itself where a request can', () => {
  const request = {
    get headers(): never {
      throw new Error('All of them were asked for.')
    },
    field: (name: string) => (name === 'prefer' ? 'wait=1' : undefined),
  }
  expect(headerOf(request, 'prefer')).toBe('wait=1')
  expect(headerOf(request, 'accept')).toBeUndefined()
})

describe('a request that computes its members', () => {
  class Computed {
    readonly method = 'GET'
    reads = 0

    get url(): string {
      this.reads++
      return '/v1/notes'
    }

    get secret(): string {
      return 'not of a request'
    }
  }

  test('has them when it is copied', () => {
    const request = new Computed()
    expect({ ...request }).not.toHaveProperty('url')
    expect(withOwnMembers(request)).toBe(request)
    expect(request.reads).toBe(0)
    expect({ ...request }).toEqual({ method: 'GET', reads: 0, url: '/v1/notes' })
    expect(Object.keys(withOwnMembers(new Computed()))).toEqual(['method', 'reads', 'url'])
  })

  test('keeps a member that it has by itself', () => {
    const request = Object.defineProperty(new Computed(), 'url', { value: '/v1/own' })
    expect(withOwnMembers(request).url).toBe('/v1/own')
  })

  test('stays as it is where it is frozen', () => {
    const request = Object.freeze(new Computed())
    expect(Object.keys(withOwnMembers(request))).toEqual(['method', 'reads'])
  })
})

test('a request without computed members stays as it is', () => {
  const literal = Object.freeze({ method: 'GET' })
  const bare = Object.freeze(Object.assign(Object.create(null), literal))
  for (const request of [literal, bare]) {
    expect(withOwnMembers(request)).toBe(request)
    expect({ ...request }).toEqual({ method: 'GET' })
  }
})

test('a layer tells the page that it serves', () => {
  const page = { title: 'OpenAPI', path: '/openapi.json' }
  const layer = () => ({ status: 200, headers: {}, body: {} }) as never
  expect(servedPageOf(layer)).toBeUndefined()
  expect(servedPageOf(withServedPage(layer, page))).toBe(page)
})
