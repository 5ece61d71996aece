import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
} from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { observe, type Telemetry, traced } from '../../examples/telemetry/telemetry.ts'
import { until } from '../support/streams.ts'

const Company = z.object({ id: z.string(), name: z.string() })
const Employee = Company.extend({ company_id: z.string() })
const api = defineApi({
  v1: {
    '/companies': defineResource('companies', { schema: Company }),
    '/companies/:company_id/employees': defineResource('employees', {
      schema: Employee,
      create: Employee.omit({ id: true, company_id: true }),
    }),
    '/tapes': defineResource('tapes', { schema: Company }),
  },
})
const { createMany: _, ...employees }: AdapterFor<typeof api, 'employees'> = memoryAdapter({
  items: [{ id: 'e1', name: 'Ada', company_id: 'c1' }],
})
const registry = defineRegistry(api)
  .onError(() => undefined)
  .adapters({
    companies: memoryAdapter({ items: [{ id: 'c1', name: 'Acme' }] }),
    employees: {
      ...employees,
      create: () => {
        throw new Error('the disk is on fire')
      },
    },
    // Breaks off when a megabyte has been sent.
    tapes: {
      async *list() {
        for (let number = 0; number < 1000; number++) {
          yield { id: `${number}`, name: 'x'.repeat(1000) }
        }
        throw new Error('the tape is torn')
      },
    },
  })

const spans = new InMemorySpanExporter()
const tracer = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
}).getTracer('test')
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: measured })],
})
const meter = meters.getMeter('test')
let stop: (() => void) | undefined

function listen(telemetry: Telemetry): void {
  stop = observe(telemetry)
}

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
afterEach(async () => {
  stop?.()
  spans.reset()
  await meters.forceFlush()
  measured.reset()
})
afterAll(() => {
  context.disable()
  propagation.disable()
  return meters.shutdown()
})

const ask = toFetchHandler(registry)
async function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  return ask(new Request(`http://any.example${path}`, { method, ...init }))
}

async function measurements() {
  await meters.forceFlush()
  return measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
}

interface Row {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly name: string
  /** Attributes of span and measurement. */
  readonly attributes: object
  /** Attributes of the span only. */
  readonly more?: object
  readonly isError?: boolean
}

const item = '/v1/companies/:id'
const nested = '/v1/companies/:company_id/employees'
const rows: readonly Row[] = [
  {
    method: 'GET',
    path: '/v1/companies/c1',
    name: `GET ${item}`,
    attributes: {
      'http.request.method': 'GET',
      'http.route': item,
      'http.response.status_code': 200,
    },
    more: { 'nounful.operation': 'read', 'nounful.version': 'v1' },
  },
  {
    method: 'GET',
    path: '/companies/c1/employees',
    name: `GET ${nested}`,
    attributes: {
      'http.request.method': 'GET',
      'http.route': nested,
      'http.response.status_code': 200,
    },
    more: { 'nounful.operation': 'list', 'nounful.version': 'v1' },
  },
  {
    method: 'HEAD',
    path: '/v1/companies/count',
    name: 'HEAD /v1/companies/count',
    attributes: {
      'http.request.method': 'HEAD',
      'http.route': '/v1/companies/count',
      'http.response.status_code': 200,
    },
    more: { 'nounful.operation': 'count', 'nounful.version': 'v1' },
  },
  {
    method: 'GET',
    path: '/v1/companies/c2',
    name: `GET ${item}`,
    attributes: {
      'http.request.method': 'GET',
      'http.route': item,
      'http.response.status_code': 404,
    },
    more: {
      'nounful.operation': 'read',
      'nounful.version': 'v1',
      'nounful.code': 'not_found',
    },
  },
  {
    method: 'GET',
    path: '/v1/nowhere/c2',
    name: 'GET',
    attributes: { 'http.request.method': 'GET', 'http.response.status_code': 404 },
    more: { 'nounful.code': 'unknown_resource' },
  },
  {
    method: 'PATCH',
    path: '/v1/companies/c1',
    body: { name: 'Acme Ltd' },
    name: `PATCH ${item}`,
    attributes: {
      'http.request.method': 'PATCH',
      'http.route': item,
      'http.response.status_code': 200,
    },
    more: { 'nounful.operation': 'patch', 'nounful.version': 'v1' },
  },
  {
    method: 'PATCH',
    path: '/v1/companies/first',
    name: 'PATCH',
    attributes: { 'http.request.method': 'PATCH', 'http.response.status_code': 405 },
    more: { 'nounful.code': 'method_not_allowed' },
  },
  {
    method: 'BREW',
    path: '/v1/companies/c1',
    name: 'HTTP',
    attributes: { 'http.request.method': '_OTHER', 'http.response.status_code': 405 },
    more: { 'nounful.code': 'method_not_allowed' },
  },
  {
    method: 'POST',
    path: '/v1/companies/c1/employees',
    body: { name: 'Ben' },
    name: `POST ${nested}`,
    attributes: {
      'http.request.method': 'POST',
      'http.route': nested,
      'http.response.status_code': 500,
      'error.type': '500',
    },
    more: {
      'nounful.operation': 'create',
      'nounful.version': 'v1',
      'nounful.code': 'internal_error',
    },
    isError: true,
  },
]

describe('an answer', () => {
  for (const { method, path, body, name, attributes, more, isError = false } of rows) {
    test(`${method} ${path} is a span and a measurement`, async () => {
      const known = { 'url.scheme': 'https', 'server.address': 'api.example', 'server.port': 443 }
      listen({ tracer, meter, attributes: known })
      const begun = Date.now()
      await (await send(method, path, body)).text()
      const [span, ...others] = spans.getFinishedSpans()
      expect(others).toEqual([])
      expect(span).toMatchObject({ name, kind: SpanKind.SERVER, parentSpanContext: undefined })
      expect(span?.attributes).toEqual({ ...known, ...attributes, ...more })
      expect(span?.status.code).toBe(isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET)
      expect(millisecondsOf(span?.startTime)).toBeGreaterThan(begun - 10)
      expect(millisecondsOf(span?.duration)).toBeLessThan(Date.now() - begun + 10)
      const [metric, ...rest] = await measurements()
      expect(rest).toEqual([])
      expect(metric?.descriptor).toMatchObject({
        name: 'http.server.request.duration',
        unit: 's',
        type: 'HISTOGRAM',
      })
      expect(metric?.dataPoints).toHaveLength(1)
      const { attributes: dimensions, value } = Object(metric?.dataPoints[0])
      expect(dimensions).toEqual({ ...known, ...attributes })
      const { count, sum = 0, buckets } = value as Histogram
      expect(count).toBe(1)
      expect(sum * 1000).toBeCloseTo(millisecondsOf(span?.duration), 0)
      expect(buckets.boundaries).toEqual([
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
      ])
    })
  }

  test('that breaks off is an error', async () => {
    listen({ tracer })
    await expect(send('GET', '/v1/tapes').then((response) => response.text())).rejects.toThrow()
    expect(spans.getFinishedSpans()).toHaveLength(1)
    expect(spans.getFinishedSpans()[0]).toMatchObject({
      attributes: {
        'http.response.status_code': 200,
        'error.type': 'internal_error',
        'nounful.code': 'internal_error',
      },
      status: { code: SpanStatusCode.ERROR },
    })
  })

  test('whose client leaves is an error of its own', async () => {
    listen({ tracer })
    const { body } = await send('GET', '/v1/tapes')
    const reader = body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(spans.getFinishedSpans()).toHaveLength(1)
    expect(spans.getFinishedSpans()[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/tapes',
      'http.response.status_code': 200,
      'error.type': 'client_left',
      'nounful.operation': 'list',
      'nounful.version': 'v1',
    })
  })

  test('is no more told of once nobody listens', async () => {
    listen({ tracer, meter })
    stop?.()
    await send('GET', '/v1/companies')
    expect(spans.getFinishedSpans()).toEqual([])
    expect(await measurements()).toEqual([])
  })
})

describe('what is left out', () => {
  test('of tracer and meter is not made', async () => {
    listen({ meter })
    await send('GET', '/v1/companies')
    expect(spans.getFinishedSpans()).toEqual([])
    expect(await measurements()).toHaveLength(1)
    stop?.()
    listen({ tracer })
    await send('GET', '/v1/companies')
    expect(spans.getFinishedSpans()).toHaveLength(1)
  })
})

describe('a trace', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const spanId = 'b7ad6b7169203331'
  const headers = { traceparent: `00-${traceId}-${spanId}-01` }
  const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext

  test('goes on below the span that is active', async () => {
    listen({ tracer })
    await tracer.startActiveSpan('the request', async (span) => {
      await send('GET', '/v1/companies/c1/employees')
      span.end()
    })
    const [ours, theirs] = spans.getFinishedSpans()
    expect(ours?.kind).toBe(SpanKind.INTERNAL)
    expect(parentOf(ours)?.spanId).toBe(theirs?.spanContext().spanId)
  })

  for (const path of ['/v1/companies/c1', '/v1/companies/c1/employees', '/v1/nowhere']) {
    test(`${path} is of, comes in a header`, async () => {
      listen({ tracer })
      const server = await serve(registry, { port: 0, layers: [traced] })
      await (await fetch(server.url + path, { headers })).text()
      await server.close()
      const [span] = spans.getFinishedSpans()
      expect(span?.kind).toBe(SpanKind.SERVER)
      expect(parentOf(span)).toMatchObject({ traceId, spanId, isRemote: true })
    })
  }

  test('that is none is not taken', async () => {
    listen({ tracer })
    const answered = toFetchHandler(registry, { layers: [traced] })
    for (const traceparent of ['', 'x', `00-${'0'.repeat(32)}-${spanId}-01`]) {
      await answered(new Request('http://x/v1/companies', { headers: { traceparent } }))
    }
    expect(spans.getFinishedSpans().map(parentOf)).toEqual([undefined, undefined, undefined])
  })

  test('is active while the adapter works', async () => {
    const seen: unknown[] = []
    const look = (request: HttpRequest) => {
      seen.push(trace.getSpanContext(context.active())?.traceId)
      return { request }
    }
    const looking = defineRegistry(api)
      .context(look)
      .adapters({ companies: memoryAdapter(), employees: memoryAdapter(), tapes: memoryAdapter() })
    const answered = toFetchHandler(looking, { layers: [traced] })
    await answered(new Request('http://x/v1/companies', { headers }))
    expect(seen).toEqual([traceId])
  })
})

test('the service runs, and shows what it tells', async () => {
  const path = fileURLToPath(new URL('../../examples/telemetry/node.ts', import.meta.url))
  const flags = ['--conditions=nounful:source', '--disable-warning=ExperimentalWarning']
  const service = spawn(process.execPath, [...flags, path], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
  })
  let shown = ''
  let complaints = ''
  service.stdout.on('data', (chunk) => {
    shown += chunk
  })
  service.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const ended = once(service, 'exit')
  await until(() => shown.includes('curl http'))
  const url = /curl (\S+)/.exec(shown)?.[1] ?? ''
  expect((await fetch(url)).status).toBe(200)
  service.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(shown).toContain("name: 'GET /v1/companies/:company_id/employees'")
  expect(shown).toContain("name: 'http.server.request.duration'")
  expect(complaints).toBe('')
}, 20_000)

function millisecondsOf([seconds, nanoseconds]: readonly [number, number] = [0, 0]): number {
  return seconds * 1000 + nanoseconds / 1e6
}
