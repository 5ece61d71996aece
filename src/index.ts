export type { Adapter, AdapterFor, AdaptersOf } from './model/adapter.ts'
export type { Answered, AnswerListener } from './model/answered.ts'
export { type Api, type Collection, defineApi, type Versions } from './model/api.ts'
export type { Awaitable } from './model/awaitable.ts'
export type { Binding, Methods, UncheckedAdapter } from './model/binding.ts'
export {
  type Limits,
  type OperationKind,
  operations,
  type ProblemCode,
  problems,
  type ReservedWord,
  type Status,
  type TargetKind,
} from './model/convention.ts'
export type { HostRequest, HttpBody, HttpHeaders, HttpRequest, HttpResponse } from './model/http.ts'
export type { Addressed, Answer, Layer } from './model/layer.ts'
export type {
  AdapterShape,
  CountOperation,
  CreateOperation,
  DeleteAllOperation,
  DeleteOperation,
  FirstOperation,
  LastOperation,
  ListOperation,
  Operation,
  Outcome,
  Position,
  Query,
  ReadOperation,
  Scalar,
  Scope,
  SortField,
  UpdateManyOperation,
  UpdateOperation,
} from './model/operation.ts'
export {
  type Issue,
  isProblem,
  type ProblemError,
  type ProblemMembers,
  problem,
} from './model/problem.ts'
export {
  type AnyRegistry,
  defineRegistry,
  type ErrorListener,
  type Middleware,
  type Registry,
  type RegistryBuilder,
  type RegistryOptions,
} from './model/registry.ts'
export {
  defineResource,
  type FieldOf,
  type Item,
  type Resource,
  type ResourceDeclaration,
  type Shape,
} from './model/resource.ts'
export type { Json, StandardSchema } from './model/schema.ts'
export type { Target } from './model/target.ts'
export { handle } from './server/handle.ts'
export type { Conditions } from './wire/conditions.ts'
export type { ETags } from './wire/etag.ts'
export type { Parameters } from './wire/parameters.ts'
export { type ProblemOptions, toResponse } from './wire/problem.ts'
export {
  type Call,
  formatRequest,
  type ParsedCall,
  parseRequest,
} from './wire/request.ts'
export { formatResponse, parseResponse } from './wire/response.ts'
