import { Effect, Layer, Schema } from "effect"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema
} from "effect/http-api"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { answer } from "../../../src/platform/http/Answer.ts"
import { layerApi } from "../../../src/platform/http/ApiRoutes.ts"

const IntFromText = Schema.FiniteFromString.check(Schema.isInt())
const Count = IntFromText.check(
  Schema.isBetween({ minimum: 0, maximum: 100 }, { message: "Should have a number count (max: 100)" })
)
const Start = IntFromText.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 }, { message: "Invalid value" }))
const Anything = Schema.Unknown

/** Lets in whoever sends any authorization, and tells nobody else what is wrong with the request. */
export class Guarded extends HttpApiMiddleware.Service<Guarded>()("@kinora/node/test/http/Guarded") {
  static readonly layer = Layer.succeed(Guarded, (httpEffect) =>
    Effect.flatMap(HttpServerRequest, (request) =>
      request.headers["authorization"] === undefined ? answer(Effect.fail(new UnauthorizedRequest())) : httpEffect
    )
  )
}

const Thing = Schema.Struct({
  name: Schema.String.check(Schema.isMinLength(2)),
  tags: Schema.optionalKey(Anything)
})

class Things extends HttpApiGroup.make("things")
  .add(HttpApiEndpoint.get("getConfig", "/config", { success: Schema.Struct({ ok: Schema.Boolean }) }))
  .add(HttpApiEndpoint.get("getBig", "/big", { success: Schema.Unknown }))
  .add(
    HttpApiEndpoint.get("listThings", "/things", {
      query: {
        start: Schema.optionalKey(Start),
        count: Schema.optionalKey(Count),
        tags: Schema.optionalKey(Anything)
      },
      success: Schema.Unknown
    })
  )
  .add(HttpApiEndpoint.get("getThing", "/things/:id", { params: { id: IntFromText }, success: Schema.Unknown }))
  .add(
    HttpApiEndpoint.put("putThing", "/things/:id", {
      params: { id: IntFromText },
      query: { count: Schema.optionalKey(Count) },
      payload: Thing,
      success: Schema.Unknown
    })
  )
  .add(
    HttpApiEndpoint.post("guardThing", "/guarded/:id", {
      params: { id: IntFromText },
      payload: Thing,
      success: HttpApiSchema.NoContent
    }).middleware(Guarded)
  )
  .add(HttpApiEndpoint.get("fail", "/fail/:how", { params: { how: Schema.String }, success: Schema.Unknown }))
  .add(HttpApiEndpoint.get("whoAmI", "/whoami", { success: Schema.Unknown }))
  .add(HttpApiEndpoint.get("wait", "/wait/:millis", { params: { millis: IntFromText }, success: Schema.Unknown }))
  .add(HttpApiEndpoint.post("getOAuthToken", "/users/token", { payload: Schema.Struct({}), success: Schema.Unknown }))
  .add(
    HttpApiEndpoint.post("register", "/users/register", {
      payload: Schema.Struct({ username: Schema.String }),
      success: Schema.Unknown
    })
  )
  .prefix("/api/v1") {}

export class TestApi extends HttpApi.make("test").add(Things) {}

export const bigAnswer = { data: Array.from({ length: 200 }, (_, id) => ({ id, name: `thing ${id}` })) }

const fail = (how: string) =>
  Effect.gen(function* () {
    if (how === "missing") return yield* new VideoNotFound()
    if (how === "database") return yield* new DatabaseUnavailable({ retryAfterSeconds: 5 })
    if (how === "defect") return yield* Effect.die(new Error("secret internals"))
    if (how === "throw") throw new TypeError("secret internals")
    return { how }
  })

/** Requests to `/wait` that have arrived since the file began. */
export let requestsThatWaited = 0

const ThingsHandlers = HttpApiBuilder.group(TestApi, "things", (handlers) =>
  handlers.handleAll({
    getConfig: () => answer(Effect.succeed({ ok: true })),
    getBig: () => answer(Effect.succeed(bigAnswer)),
    listThings: ({ query }) => answer(Effect.succeed({ query })),
    getThing: ({ params }) => answer(Effect.succeed({ id: params.id })),
    putThing: ({ params, payload }) => answer(Effect.succeed({ id: params.id, payload })),
    guardThing: () => answer(Effect.void),
    fail: ({ params }) => answer(fail(params.how)),
    whoAmI: ({ request }) => answer(Effect.succeed({ address: request.remoteAddress })),
    wait: ({ params }) =>
      answer(
        Effect.andThen(
          Effect.sync(() => void (requestsThatWaited += 1)),
          Effect.as(Effect.sleep(params.millis), { waited: params.millis })
        )
      ),
    getOAuthToken: () => answer(Effect.succeed({})),
    register: ({ payload }) =>
      answer(payload.username === "taken" ? Effect.fail(new VideoNotFound()) : Effect.succeed({}))
  })
).pipe(Layer.provide(Guarded.layer))

/** Pages have a route for every path, as the real program has. */
const pages = HttpRouter.use((router) =>
  Effect.all([
    router.add("GET", "/*", HttpServerResponse.text("<h1>page</h1>", { contentType: "text/html; charset=utf-8" })),
    router.add("GET", "/broken", Effect.die(new Error("secret internals")))
  ])
)

export const testRoutes = Layer.mergeAll(layerApi(TestApi).pipe(Layer.provide(ThingsHandlers)), pages)
