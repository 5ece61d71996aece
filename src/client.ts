export { createClient } from './client/create.ts'
export type { DeprecationListener, DeprecationNotice } from './client/deprecation.ts'
export type {
  CallItWithAnIdFirst,
  Client,
  CollectionClient,
  DeleteOutcome,
  ItemClient,
  ItemOf,
  MergePatch,
  Mounted,
  VersionClient,
} from './client/fluent.ts'
export type {
  CallOptions,
  ClientOptions,
  DeleteAllOptions,
  DryRunOptions,
  Fetch,
  HeaderFields,
  WriteOptions,
} from './client/options.ts'
export type {
  CountByQuery,
  CountedPage,
  CountQuery,
  Counts,
  DeleteManyQuery,
  FirstQuery,
  ListQuery,
  Page,
  ReadManyOptions,
  ReadQuery,
} from './client/query.ts'
export { type RetryOptions, retrying } from './client/retry.ts'
export type { Where } from './client/where.ts'
export type { ProblemCode, Status } from './convention/operations.ts'
export {
  type Issue,
  isProblem,
  type ProblemError,
  type ProblemMembers,
} from './convention/problem.ts'
export { isUnexpected, type UnexpectedResponse } from './wire/response.ts'
