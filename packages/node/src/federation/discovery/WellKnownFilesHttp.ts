import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { ServedBucket } from "../../video/file/ServedBucket.ts"
import { answer } from "../../platform/http/Answer.ts"
import { cachePolicies } from "../../platform/http/ByteServing.ts"

/** `/.well-known/{file}`: files the operator puts into `storage.well_known`. The routes with names of their own win. */
export const WellKnownFileRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const bucket = yield* ServedBucket
    yield* router.add("GET", "/.well-known/:file", (request) =>
      answer(
        Effect.gen(function* () {
          const { file = "" } = yield* HttpRouter.params
          return yield* bucket.serve(request, { bucket: "well_known", name: file }, cachePolicies.revalidate)
        })
      )
    )
  })
)
