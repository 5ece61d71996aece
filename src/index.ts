// Contract: resources, and where they live.
export type { Api, Collection } from './contract/resource/api.ts'
export { defineApi } from './contract/declare/define-api.ts'
export type { FieldOf, Item, Resource, Shape } from './contract/resource/resource.ts'
export type { ResourceDeclaration } from './contract/declare/resource-declaration.ts'
export { defineResource } from './contract/declare/define-resource.ts'
export { defineView } from './views/define-view.ts'
export type { Json, StandardSchema } from './contract/schema/schema.ts'

// Storage: one adapter for each resource.
export { narrow } from './contract/declare/narrow.ts'
export type {
  Adapter,
  AdapterFor,
  AdaptersOf,
  UncheckedAdapter,
} from './contract/resource/adapter.ts'
export type {
  AdapterShape,
  Operation,
  Outcome,
  Query,
  Scope,
  SortField,
} from './contract/resource/operation.ts'

// Owners: whose items a caller reaches.
export { type CallerScope, everything } from './contract/values/caller.ts'

// Registry: a contract with its adapters, and the code around every operation.
export type {
  Answered,
  HostRequest,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  Layer,
} from './contract/resource/http.ts'
export { defineRegistry, type RegistryBuilder } from './contract/declare/define-registry.ts'
export type {
  AnyRegistry,
  Middleware,
  Registry,
  RegistryOptions,
} from './contract/resource/registry.ts'

// Requests and responses: plain values in, plain values out.
export { handle } from './server/handle.ts'

// Problems: every error that a client sees.
export {
  type Issue,
  isProblem,
  type ProblemError,
  type ProblemMembers,
  problem,
} from './convention/problem.ts'
export type { StoredValueError } from './convention/stored-value.ts'
export { type ProblemOptions, toResponse } from './wire/problem.ts'

// Convention: its tables, and calls as HTTP and back, for tools.
export {
  type OperationKind,
  operations,
  type ProblemCode,
  type Status,
} from './convention/operations.ts'
export { problems } from './convention/problems.ts'
export type { Limits } from './convention/limits.ts'
export { type Call, formatRequest, type ParsedCall, parseRequest } from './wire/request.ts'
export { formatResponse, parseResponse } from './wire/response.ts'
