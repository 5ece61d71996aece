import { afterAll, beforeAll } from 'vitest'

// What a library sees when another has let somebody write to `Object.prototype`. Names that are none of ours: an `id` or a `body`
// there is one in every object that a test writes, and in those of Node and of the schema libraries too.
const names = ['polluted', 'isAdmin', 'role', 'constructorName']

// Around the tests, not the loading of them: what loads modules is not under test.
beforeAll(() => {
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, {
      value: 'polluted',
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
})

afterAll(() => {
  for (const name of names) Reflect.deleteProperty(Object.prototype, name)
})
