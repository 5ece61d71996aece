import { describe, expect, test } from 'vitest'
import { isItemOf } from '../../../src/explorer/browser/item.ts'

const list = '/api/v1/notes'

describe('a location is linked where it is that of an item', () => {
  for (const id of ['7', 'a%2Fb', '%20', '...', "!'()*", '%F0%9F%98%80']) {
    test(id, () => expect(isItemOf(list, `${list}/${id}`)).toBe(true))
  }

  const others = [
    '', '/', '7', list, `${list}/`, `${list}/.`, `${list}/..`, `${list}/%2e%2e`, `${list}/%2E`,
    `${list}/first`, `${list}/count`, `${list}/7/`, `${list}/7/parts`, `${list}/../7`,
    `${list}/7?q=a`, `${list}/7#a`, `${list}/a\n`, `${list}/%0A`, `${list}/%00`, `${list}/%`,
    `${list}/%ff`, `${list}/\ud800`, `${list}\\7`, `${list}/\\..`, `${list}/${'a'.repeat(256)}`,
    '/api/v1/others/7', '/api/v1/notes7', `//evil.example${list}/7`,
    `https://evil.example${list}/7`, 'javascript:alert(1)', '//evil.example/7', '/\\evil.example/7',
  ] // biome-ignore format: words
  for (const location of others) {
    test(`not ${JSON.stringify(location.slice(0, 60))}`, () => {
      expect(isItemOf(list, location)).toBe(false)
    })
  }
})
