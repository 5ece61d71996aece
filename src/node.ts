export { type NextFunction, type NodeListener, toNodeListener } from './node/listener.ts'
export { type RunningServer, type ServeOptions, serve } from './node/serve.ts'
