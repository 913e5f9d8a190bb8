import { LaggingReads } from "@kinora/storage/platform/database/replica/LaggingReads"
import { Cause, Clock, Context, Effect, type Fiber, Option, References } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { IncomingMessage, ServerResponse } from "node:http"
import { BadRequest, PayloadTooLarge, RateLimited, UnsupportedContentType } from "@kinora/domain/errors/RequestErrors"
import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { makeAnswerHeaders, preflightHeaders } from "./AnswerHeaders.ts"
import { makeClientAddress } from "./ClientAddress.ts"
import { finishBody } from "./FinishBody.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import type { HttpOptions } from "./HttpOptions.ts"
import { failureResponse, problemResponse } from "./Problem.ts"
import { isExempt } from "./ExemptRequests.ts"
import { makeRateLimiter, rateHeaders, type RateVerdict } from "./RateLimiter.ts"
import { RateLimitStore } from "./RateLimitStore.ts"
import { isOfVisitor, makeReadsAtOnce } from "./ReadsAtOnce.ts"
import { requestIdOf } from "./RequestId.ts"
import { canonicalPath, classify, type PathClass, redactUrl } from "./RequestPath.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What is known of a request when its answer leaves. */
interface Passage {
  readonly request: HttpServerRequest
  readonly source: IncomingMessage
  readonly path: PathClass
  readonly address: string
  readonly startedAt: number
  readonly verdict: RateVerdict | undefined
}

/** The adapter's side of a request: on an upgrade the response is made when it is first asked for. */
interface AdapterRequest {
  readonly response: ServerResponse | (() => ServerResponse)
  /** What is reported once the connection is no longer HTTP. */
  readonly upgradedResponse: Response | undefined
}

const nodeResponse = (request: HttpServerRequest): ServerResponse => {
  const { response } = request as unknown as AdapterRequest
  return typeof response === "function" ? response() : response
}

const isUpgraded = (request: HttpServerRequest): boolean =>
  (request as unknown as AdapterRequest).upgradedResponse !== undefined

/** Two Host headers mean two things to two readers, such as a proxy and us (RFC 9112, 3.2); node:http takes the first. */
const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts > 1
}

/** Headers that every answer has, and that some have with a value of their own. */
const setByAnswers = ["x-frame-options", "referrer-policy", "access-control-expose-headers"]

const busy = new ServiceUnavailable({
  reason: "Too many requests at once. Try again in a moment",
  retryAfterSeconds: 1
})

/** HttpApi refuses a media type in words of its own. */
const unread = (source: IncomingMessage, response: Response, fiber: Fiber.Fiber<unknown, unknown>): Response =>
  response.headers["content-type"] === "text/plain"
    ? problemResponse(new UnsupportedContentType({ contentType: source.headers["content-type"] ?? "" }), fiber.context)
    : response

/**
 * Everything that concerns every request, in one middleware: who asks, limits, preflights, failures as problem
 * documents, headers, conditional and compressed answers, metrics and the access log. `isClosing` says that the server
 * goes down, so that connections are not kept.
 */
const makeEdge = Effect.fnUntraced(function* (options: HttpOptions, isClosing: () => boolean) {
  const metrics = yield* HttpMetrics
  const limiter = makeRateLimiter(options, yield* RateLimitStore)
  const clientAddress = makeClientAddress(options.trustProxy)
  const answerHeaders = makeAnswerHeaders(options)
  const reads = makeReadsAtOnce(options.maxReadsAtOnce)

  const record = (passage: Passage, status: number, bytes: number): void => {
    const { address, path, request, source, startedAt } = passage
    const millis = performance.now() - startedAt
    metrics.inFlight.count--
    metrics.record(path.family, request.method, status, millis, bytes)
    options.accessLog?.({
      requestId: requestIdOf(source),
      method: request.method,
      url: redactUrl(source.url ?? ""),
      status,
      millis: Math.round(millis * 100) / 100,
      bytes,
      ip: address,
      userAgent: source.headers["user-agent"]
    })
  }

  const finish = (passage: Passage, response: Response): Effect.Effect<Response> => {
    if (isUpgraded(passage.request)) {
      record(passage, 101, 0)
      return Effect.succeed(response)
    }
    const headers = { ...response.headers, ...answerHeaders(passage.path) }
    for (const name of setByAnswers) {
      const value = response.headers[name]
      if (value !== undefined) headers[name] = value
    }
    headers["x-request-id"] = requestIdOf(passage.source)
    if (passage.verdict !== undefined) rateHeaders(headers, passage.verdict)
    if (isClosing()) headers["connection"] = "close"
    return finishBody(
      { source: passage.source, response: nodeResponse(passage.request), compressFrom: options.compressFrom },
      response,
      headers,
      (status, bytes) => record(passage, status, bytes)
    )
  }

  /** What the answer says about whether the request counts. */
  const settle = ({ path, source, verdict }: Passage, status: number) => {
    if (verdict === undefined) return undefined
    if (path.skipFailed && status >= 400) return (now: number) => limiter.refund(verdict, now)
    return path.skipExempt && !isExempt(source) ? (now: number) => limiter.count(verdict, now) : undefined
  }

  const conclude = (passage: Passage, response: Response): Effect.Effect<Response> => {
    const settled = settle(passage, response.status)
    return settled === undefined
      ? finish(passage, response)
      : Effect.andThen(Effect.flatMap(Clock.currentTimeMillis, settled), finish(passage, response))
  }

  const fail = (passage: Passage, cause: Cause.Cause<unknown>): Effect.Effect<Response> => {
    if (Cause.hasInterruptsOnly(cause)) {
      record(passage, 499, 0)
      const left = Effect.failCause(cause as Cause.Cause<never>)
      // Who leaves before the answer has asked all the same.
      const settled = passage.path.skipExempt ? settle(passage, 499) : undefined
      return settled === undefined ? left : Effect.andThen(Effect.flatMap(Clock.currentTimeMillis, settled), left)
    }
    return Effect.flatMap(failureResponse(cause), (response) => conclude(passage, response))
  }

  const tooLarge = (source: IncomingMessage): boolean => {
    const length = source.headers["content-length"]
    return (
      length !== undefined &&
      Number(length) > options.maxBodyBytes &&
      !(source.headers["content-type"]?.startsWith("multipart/") ?? false)
    )
  }

  const serve = <E, R>(
    app: Effect.Effect<Response, E, R>,
    fiber: Fiber.Fiber<unknown, unknown>,
    passage: Passage
  ): Effect.Effect<Response, never, R> => {
    const { path, request, source, verdict } = passage
    if (verdict !== undefined && !verdict.allowed) {
      return finish(passage, problemResponse(new RateLimited({ retryAfterSeconds: verdict.retryAfter }), fiber.context))
    }
    if (hasTwoHosts(source)) {
      const problem = problemResponse(new BadRequest({ reason: "The request names two hosts" }), fiber.context)
      return finish(passage, HttpServerResponse.setHeader(problem, "connection", "close"))
    }
    if ((source.headers["transfer-encoding"] ?? "chunked").toLowerCase() !== "chunked") {
      const problem = problemResponse(
        new BadRequest({ reason: "This transfer encoding is not supported" }),
        fiber.context
      )
      return finish(passage, HttpServerResponse.setHeader(problem, "connection", "close"))
    }
    if (tooLarge(source) && !options.isUpload(request.method, canonicalPath(request.url))) {
      const problem = problemResponse(new PayloadTooLarge({ maxBytes: options.maxBodyBytes }), fiber.context)
      return finish(passage, HttpServerResponse.setHeader(problem, "connection", "close"))
    }
    if (path.cors && request.method === "OPTIONS" && source.headers["access-control-request-method"] !== undefined) {
      const asked = source.headers["access-control-request-headers"]
      return finish(passage, HttpServerResponse.empty({ status: 204, headers: preflightHeaders(asked) }))
    }
    const isCounted = reads.counts(source, path.family)
    if (isCounted && !reads.hasRoom(source)) return finish(passage, problemResponse(busy, fiber.context))
    return Effect.matchCauseEffect(isCounted ? reads.working(app) : app, {
      onSuccess: (response) => conclude(passage, response.status === 415 ? unread(source, response, fiber) : response),
      onFailure: (cause) => fail(passage, cause)
    })
  }

  return <E, R>(app: Effect.Effect<Response, E, R>): Effect.Effect<Response, E, R> =>
    Effect.withFiber((fiber) => {
      const direct = Context.getUnsafe(fiber.context as Context.Context<HttpServerRequest>, HttpServerRequest)
      const source = direct.source as unknown as IncomingMessage
      metrics.inFlight.count++
      const path = classify(direct.method, canonicalPath(direct.url), source.headers.accept, options.isActivityPub)
      const forwarded = source.headers["x-forwarded-for"]
      const address = clientAddress(
        source.socket.remoteAddress,
        typeof forwarded === "string" ? forwarded : forwarded?.join(",")
      )
      const request = forwarded === undefined ? direct : direct.modify({ remoteAddress: Option.some(address) })
      // Restored when the request ends, as what routing sets is.
      if (request !== direct) fiber.setContext(Context.add(fiber.context, HttpServerRequest, request))
      if (options.tagRequests) {
        const others = Context.get(fiber.context, References.CurrentLogAnnotations)
        const annotations = { ...others, requestId: requestIdOf(source) }
        fiber.setContext(Context.add(fiber.context, References.CurrentLogAnnotations, annotations))
      }
      if (options.laggingReads && isOfVisitor(source)) {
        fiber.setContext(Context.add(fiber.context, LaggingReads, { primary: false }))
      }
      const now = Context.get(fiber.context, Clock.Clock).currentTimeMillisUnsafe()
      const startedAt = performance.now()
      const checked = request.method === "OPTIONS" ? undefined : limiter.check(path, address, request, now)
      if (checked === undefined || !Effect.isEffect(checked)) {
        return serve(app, fiber, { request, source, path, address, startedAt, verdict: checked })
      }
      return Effect.flatMap(checked, (verdict) =>
        serve(app, fiber, { request, source, path, address, startedAt, verdict })
      )
    })
})

/** Adds the middleware to the router that all routes share. */
export const addEdge = Effect.fnUntraced(function* (options: HttpOptions, isClosing: () => boolean) {
  const router = yield* HttpRouter.HttpRouter
  const edge = yield* makeEdge(options, isClosing)
  yield* router.addGlobalMiddleware(edge)
})
