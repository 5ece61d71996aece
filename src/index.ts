// Contract: resources, and where they live.
export { type Api, type Collection, defineApi } from './model/api.ts'
export {
  defineResource,
  type FieldOf,
  type Item,
  type Resource,
  type ResourceDeclaration,
  type Shape,
} from './model/resource.ts'
export type { Json, StandardSchema } from './model/schema.ts'

// Storage: one adapter for each resource.
export type { Adapter, AdapterFor, AdaptersOf } from './model/adapter.ts'
export type { UncheckedAdapter } from './model/binding.ts'
export type {
  AdapterShape,
  Operation,
  Outcome,
  Query,
  Scope,
  SortField,
} from './model/operation.ts'

// Registry: a contract with its adapters, and the code around every operation.
export type { Answered } from './model/answered.ts'
export {
  type AnyRegistry,
  defineRegistry,
  type Middleware,
  type Registry,
  type RegistryBuilder,
  type RegistryOptions,
} from './model/registry.ts'

// Requests and responses: plain values in, plain values out.
export type { HostRequest, HttpHeaders, HttpRequest, HttpResponse } from './model/http.ts'
export type { Layer } from './model/layer.ts'
export { handle } from './server/handle.ts'

// Problems: every error that a client sees.
export {
  type Issue,
  isProblem,
  type ProblemError,
  type ProblemMembers,
  problem,
} from './model/problem.ts'
export { type ProblemOptions, toResponse } from './wire/problem.ts'

// Convention: its tables, and calls as HTTP and back, for tools.
export {
  type Limits,
  type OperationKind,
  operations,
  type ProblemCode,
  problems,
  type Status,
} from './model/convention.ts'
export { type Call, formatRequest, type ParsedCall, parseRequest } from './wire/request.ts'
export { formatResponse, parseResponse } from './wire/response.ts'
