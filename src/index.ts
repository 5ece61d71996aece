// Contract: resources, and where they live.
export type { Api, Collection } from './model/api.ts'
export { defineApi } from './model/define-api.ts'
export type { FieldOf, Item, Resource, Shape } from './model/resource.ts'
export type { ResourceDeclaration } from './model/resource-declaration.ts'
export { defineResource } from './model/define-resource.ts'
export { defineView } from './server/view/define-view.ts'
export type { Json, StandardSchema } from './model/schema.ts'

// Storage: one adapter for each resource.
export { narrow } from './model/narrow.ts'
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

// Owners: whose items a caller reaches.
export { type CallerScope, everything } from './model/caller.ts'

// Registry: a contract with its adapters, and the code around every operation.
export type {
  Answered,
  HostRequest,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  Layer,
} from './model/http.ts'
export { defineRegistry, type RegistryBuilder } from './model/define-registry.ts'
export type { AnyRegistry, Middleware, Registry, RegistryOptions } from './model/registry.ts'

// Requests and responses: plain values in, plain values out.
export { handle } from './server/handle.ts'

// Problems: every error that a client sees.
export {
  type Issue,
  isProblem,
  type ProblemError,
  type ProblemMembers,
  problem,
} from './model/problem.ts'
export type { StoredValueError } from './model/stored-value.ts'
export { type ProblemOptions, toResponse } from './wire/problem.ts'

// Convention: its tables, and calls as HTTP and back, for tools.
export {
  type OperationKind,
  operations,
  type ProblemCode,
  type Status,
} from './model/convention.ts'
export { problems } from './model/problems.ts'
export type { Limits } from './model/limits.ts'
export { type Call, formatRequest, type ParsedCall, parseRequest } from './wire/request.ts'
export { formatResponse, parseResponse } from './wire/response.ts'
