export { type MemoryOptions, memoryAdapter } from './memory/adapter.ts'
export { type Selection, select } from './memory/select.ts'
export { isInScope } from './model/operation.ts'
