import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { toNodeListener } from 'nounful/node'
import { expect, test } from 'vitest'
import { mapOf, notesWith } from '../support/registry.ts'

// What that saves is told by the bench.
test('listeners keep one tick of Node’s, however many there are', async () => {
  const hooks = process.getBuiltinModule('node:async_hooks')
  const original = hooks.executionAsyncResource
  const given: WeakRef<object>[] = []
  hooks.executionAsyncResource = () => {
    const resource = original()
    given.push(new WeakRef(resource))
    return resource
  }
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const { registry } = notesWith(mapOf())
  for (let turn = 0; turn < 3; turn++) {
    toNodeListener(registry)
    await pause(5)
    collect()
  }
  hooks.executionAsyncResource = original
  expect(given).toHaveLength(1)
  expect(given[0]?.deref()).toHaveProperty('callback')
})
