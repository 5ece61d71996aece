import { expect, test, vi } from 'vitest'
import { zlibOfRuntime } from '../../src/convention/zlib.ts'

for (const process of [undefined, {}, { getBuiltinModule: 'zlib' }]) {
  test(`a runtime with ${JSON.stringify(process)} as process has no zlib`, () => {
    vi.stubGlobal('process', process)
    const zlib = zlibOfRuntime()
    vi.unstubAllGlobals()
    expect(zlib).toBeUndefined()
  })
}
