export { type HardenedServer, type HardenOptions, harden } from './node/harden.ts'
export {
  type NextFunction,
  type NodeListener,
  type NodeOptions,
  toNodeListener,
} from './node/listener.ts'
export { type RunningServer, type ServeOptions, serve } from './node/serve.ts'
