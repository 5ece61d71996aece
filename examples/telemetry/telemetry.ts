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

/** What {@link observe} takes; what is left out is not made. */
export interface Telemetry {
  /** Makes a span of every answer. */
  readonly tracer?: Tracer
  /** Measures every answer. Leave it out where `@opentelemetry/instrumentation-http` does so already. */
  readonly meter?: Meter
  /** What an event does not know, but you do: `url.scheme`, `server.address`, `server.port`. Added to spans and measurements. */
  readonly attributes?: Attributes
}

// The ones that the conventions recommend, in seconds.
const explicitBucketBoundaries = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/**
 * Tells OpenTelemetry of every answer, by its conventions for HTTP servers, until what it gives is called.
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
 * Takes the trace that a request says it is part of. Only for where nothing else does, as `@opentelemetry/instrumentation-http` would,
 * and only where clients, or a proxy between, may be believed.
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
  // What a client does wrong is no error of the server's.
  if (status >= 500) attributes[ATTR_ERROR_TYPE] = `${status}`
  else if (!isWhole) attributes[ATTR_ERROR_TYPE] = code ?? 'client_left'
  return attributes
}

// An answer is told of when it is there, so its span is made afterwards; what is active is its parent.
function addSpan(tracer: Tracer, answered: Answered, attributes: Attributes): void {
  const { kind, method, template, version, code, duration } = answered
  const parent = trace.getSpanContext(context.active())
  const end = Date.now()
  const span = tracer.startSpan([method ?? 'HTTP', template].filter(Boolean).join(' '), {
    // Who has made a span of the request already has made the server's.
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
