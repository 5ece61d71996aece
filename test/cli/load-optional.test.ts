import { describe, expect, test } from 'vitest'
import { importOptional, installOf, type LoadFailure, withoutJiti } from '../../src/cli/load.ts'

describe('an optional package', () => {
  test('that is installed is imported', async () => {
    const imported = await importOptional(() => import('node:path'))
    expect(imported?.sep).toBeDefined()
  })

  test('that is missing is undefined', async () => {
    const name = 'there-is-no-such-package'
    expect(await importOptional(() => import(/* @vite-ignore */ name))).toBeUndefined()
  })

  test('that throws is an error', async () => {
    await expect(importOptional(() => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    )
  })

  test('has a command that installs it', () => {
    expect(installOf('yaml')).toBe('npm install --save-dev yaml')
  })
})

function failureOf(code: string, message: string): LoadFailure {
  return { error: Object.assign(new TypeError(message), { code, stack: '' }), loader: 'node' }
}

const jiti = 'npm install --save-dev jiti'

describe('without jiti', () => {
  test.each([
    ['ERR_UNKNOWN_FILE_EXTENSION', 'Unknown file extension ".ts" for /a/registry.ts'],
    ['ERR_UNKNOWN_FILE_EXTENSION', 'Unknown file extension ".mts" for /a/registry.mts'],
    ['ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX', 'TypeScript enum is not supported in strip-only mode'],
    ['ERR_UNSUPPORTED_DIR_IMPORT', "Directory import '/a' is not supported"],
    ['ERR_MODULE_NOT_FOUND', "Cannot find module '/a/notes' imported from /a/registry.ts"],
  ])('%s names the command that installs it: %s', (code, message) => {
    const error = withoutJiti('registry.ts', failureOf(code, message))
    expect(error.message.endsWith(jiti)).toBe(true)
  })

  test.each([
    ['ERR_UNKNOWN_FILE_EXTENSION', 'Unknown file extension ".vue" for /a/registry.vue'],
    ['ERR_MODULE_NOT_FOUND', "Cannot find package 'zood' imported from /a/registry.ts"],
  ])('%s does not, where jiti fails as well: %s', (code, message) => {
    const error = withoutJiti('registry.ts', failureOf(code, message))
    expect(error.message).toMatch(/^registry\.ts cannot be loaded: /)
    expect(error.message).not.toContain('jiti')
  })

  test('a syntax error does not', () => {
    const error = withoutJiti('a.ts', {
      error: new SyntaxError('Unexpected token'),
      loader: 'node',
    })
    expect(error.message).not.toContain('jiti')
  })
})
