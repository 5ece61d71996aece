export type { Layer } from './contract/resource/http.ts'
export { type CompressOptions, compress } from './layers/compress.ts'
export { type CorsOptions, cors } from './layers/cors.ts'
export { type HealthOptions, health } from './layers/health.ts'
