export {
  type CollectionQueries,
  type InfiniteQueryOptions,
  type MutationOptions,
  type QueryOptions,
  queriesOf,
} from './client/queries.ts'
