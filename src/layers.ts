export { type CorsOptions, cors } from './layers/cors.ts'
export { type HealthOptions, health } from './layers/health.ts'
export type { Layer } from './model/http.ts'
