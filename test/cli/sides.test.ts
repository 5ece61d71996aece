import { describe, expect, test } from 'vitest'
import { parseGitSide } from '../../src/cli/gate/git.ts'
import { compareOptionsOf } from '../../src/cli/gate/options.ts'

describe('a file of a commit', () => {
  test.each([
    ['git:origin/main:contract.json', { ref: 'origin/main', path: 'contract.json' }],
    ['git:HEAD~2:a/b.json', { ref: 'HEAD~2', path: 'a/b.json' }],
    ['git:v1.0.0:../c.json', { ref: 'v1.0.0', path: '../c.json' }],
    ['git:@{u}:c:d.json', { ref: '@{u}', path: 'c:d.json' }],
    ['contract.json', undefined],
  ])('is read from %s', (side, expected) => {
    expect(parseGitSide(side)).toEqual(expected)
  })

  test.each([
    'git:',
    'git:main',
    'git:main:',
    'git::a.json',
    'git:--upload-pack=x:a.json',
    'git:-o:a.json',
    'git:a b:a.json',
    'git:a;b:a.json',
    'git:$(a):a.json',
    'git:a..b:a.json',
    'git:main:/a.json',
    'git:main:a\nb.json',
    'git:main:a\u0000.json',
  ])('is not %j', (side) => {
    expect(() => parseGitSide(side)).toThrow(/write git:origin\/main:contract\.json/)
  })
})

describe('the options of a comparison', () => {
  test('are today and a number of days by default', () => {
    const { on, grace } = compareOptionsOf({ grace: '180' })
    expect(on).toBe(new Date().toISOString().slice(0, 10))
    expect(grace).toBe(180)
  })

  test.each(['2026-11-01', '2026-11-01T10:00:00Z'])('take %s', (on) => {
    expect(compareOptionsOf({ on, grace: '0' })).toEqual({ on, grace: 0 })
  })

  test.each([
    { on: '1 May', grace: '1' },
    { on: '2026-13-01', grace: '1' },
    { on: '2026-02-31', grace: '1' },
    { grace: '1.5' },
    { grace: '' },
    { grace: '40000' },
  ])('refuse %j', (flags) => {
    expect(() => compareOptionsOf(flags)).toThrow(/cannot be/)
  })
})
