import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** The most files of src/ and calls of their functions in a warm request. Numbers only fall. */
const bounds = {
  read: { files: 12, calls: 25 },
  list: { files: 24, calls: 91 },
  create: { files: 25, calls: 93 },
  patch: { files: 28, calls: 127 },
  'nested update': { files: 29, calls: 140 },
}

// In a process of its own: vitest rewrites the modules that it loads.
const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']
const script = fileURLToPath(new URL('way-counts.ts', import.meta.url))
const counts = JSON.parse(execFileSync(process.execPath, [...flags, script], { encoding: 'utf8' }))

describe('the way of a request', () => {
  test.each(Object.entries(bounds))('of %s is as short as %j', (name, bound) => {
    expect(counts[name]).toEqual(bound)
  })
})
