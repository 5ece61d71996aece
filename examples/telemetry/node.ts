import process from 'node:process'
import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { ConsoleSpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { ATTR_URL_SCHEME } from '@opentelemetry/semantic-conventions'
import { serve } from 'nounful/node'
import { registry } from '../companies/registry.ts'
import { observe, traced } from './telemetry.ts'

// To the console, so that it can be seen; a service sends them to a collector.
const tracers = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })],
})
const reader = new PeriodicExportingMetricReader({
  exporter: new ConsoleMetricExporter(),
  exportIntervalMillis: 10_000,
})
const meters = new MeterProvider({ readers: [reader] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())

observe({
  tracer: tracers.getTracer('nounful'),
  meter: meters.getMeter('nounful'),
  attributes: { [ATTR_URL_SCHEME]: 'http' },
})

const { HOST = '127.0.0.1' } = process.env
const port = Number(process.env.PORT ?? 3000)
const server = await serve(registry, { port, host: HOST, layers: [traced] })
console.log(`Listening on ${server.url}. Try: curl ${server.url}/v1/companies/001/employees`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.close()
    await Promise.all([tracers.shutdown(), meters.shutdown()])
  })
}
