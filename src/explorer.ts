export { type ExplorerOptions, explorer } from './explorer/layer.ts'
