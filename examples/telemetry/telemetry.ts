import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type Attributes,
  context,
  type Meter,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  HTTP_REQUEST_METHOD_VALUE_OTHER,
  METRIC_HTTP_SERVER_REQUEST_DURATION,
} from '@opentelemetry/semantic-conventions'
import type { Answered, Layer } from 'nounful'

/** Options of {@link observe}. It makes nothing for an option that you leave out. */
export interface Telemetry {
  /** Makes a span of every answer. */
  readonly tracer?: Tracer
  /** Measures every response. Leave it out beside `@opentelemetry/instrumentation-http`. */
  readonly meter?: Meter
  /**
   * Attributes of spans and measurements that an event lacks: `url.scheme`, `server.address`,
   * `server.port`.
   */
  readonly attributes?: Attributes
}

// The ones that the conventions recommend, in seconds.
const explicitBucketBoundaries = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/**
 * Reports every response to OpenTelemetry, by its conventions for HTTP servers. Call the returned
 * function to stop.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/
 */
export function observe({ tracer, meter, attributes: known = {} }: Telemetry): () => void {
  const histogram = meter?.createHistogram(METRIC_HTTP_SERVER_REQUEST_DURATION, {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries },
  })
  const listen = (message: unknown): void => {
    const answered = message as Answered
    const attributes = { ...known, ...attributesOf(answered) }
    histogram?.record(answered.duration / 1000, attributes)
    if (tracer) addSpan(tracer, answered, attributes)
  }
  subscribe('nounful:answer', listen)
  return () => void unsubscribe('nounful:answer', listen)
}

/**
 * Takes the trace of a request's headers. Use it only where no other code does, such as
 * `@opentelemetry/instrumentation-http`, and where you trust the clients or a proxy.
 */
export const traced: Layer = (request, answer) =>
  context.with(propagation.extract(context.active(), request.headers ?? {}), () => answer(request))

// Each has few values: no attribute of a metric may have many.
function attributesOf({ method, template, status, code, isWhole }: Answered): Attributes {
  const attributes: Attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: method ?? HTTP_REQUEST_METHOD_VALUE_OTHER,
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
  }
  if (template !== undefined) attributes[ATTR_HTTP_ROUTE] = template
  // A client's mistake is no error of the server's.
  if (status >= 500) attributes[ATTR_ERROR_TYPE] = `${status}`
  else if (!isWhole) attributes[ATTR_ERROR_TYPE] = code ?? 'client_left'
  return attributes
}

// The event comes after the response, so the span is made afterwards, below the active one.
function addSpan(tracer: Tracer, answered: Answered, attributes: Attributes): void {
  const { kind, method, template, version, code, duration } = answered
  const parent = trace.getSpanContext(context.active())
  const end = Date.now()
  const span = tracer.startSpan([method ?? 'HTTP', template].filter(Boolean).join(' '), {
    // An active local span is the server's span already.
    kind: parent && parent.isRemote !== true ? SpanKind.INTERNAL : SpanKind.SERVER,
    startTime: end - duration,
    attributes,
  })
  if (kind !== undefined) span.setAttribute('nounful.operation', kind)
  if (version !== undefined) span.setAttribute('nounful.version', version)
  if (code !== undefined) span.setAttribute('nounful.code', code)
  if (ATTR_ERROR_TYPE in attributes) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(end)
}
