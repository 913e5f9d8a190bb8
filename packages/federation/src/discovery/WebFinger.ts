import { Context, Effect, Layer, Result, Schema } from "effect"
import { FetchReason } from "../fetch/FetchError.ts"
import { FetchGuard } from "../fetch/FetchGuard.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { askHost } from "./Host.ts"
import { type Handle, type Jrd, readJrd, sameHandle } from "./Jrd.ts"

/** The host gave no descriptor that could be read. */
export class WebFingerUnavailable extends Schema.TaggedError<WebFingerUnavailable>()("WebFingerUnavailable", {
  reason: FetchReason
}) {}

/** Descriptors came, but name no actor, or do not agree on whose it is. */
export class WebFingerDisagrees extends Schema.TaggedError<WebFingerDisagrees>()("WebFingerDisagrees", {
  what: Schema.Literals(["host", "document", "subject", "links", "direction"])
}) {}

export type WebFingerRefused = WebFingerUnavailable | WebFingerDisagrees

/**
 * Finds the actor behind a handle (RFC 7033). What a host says of its own handles and its own actors is believed; where the
 * actor lives elsewhere, or is called by another name, those who are named must say the same (FEP-fe34; see
 * docs/decisions/webfinger.md).
 */
export class WebFinger extends Context.Service<
  WebFinger,
  {
    /** The address of the actor. Three requests at most. */
    readonly lookup: (handle: Handle) => Effect.Effect<string, WebFingerRefused>
  }
>()("@kinora/federation/discovery/WebFinger") {
  static readonly layerNoDeps: Layer.Layer<WebFinger, never, FetchGuard | GuardedFetch> = Layer.effect(
    WebFinger,
    Effect.gen(function* () {
      const guard = yield* FetchGuard
      const fetch = yield* GuardedFetch

      const ask = Effect.fnUntraced(function* (handle: Handle): Effect.fn.Return<Jrd, WebFingerRefused> {
        const resource = encodeURIComponent(`acct:${handle.name}@${handle.host}`)
        const { value } = yield* askHost(guard, fetch, handle.host, `/.well-known/webfinger?resource=${resource}`, [
          "application/jrd+json",
          "application/json"
        ]).pipe(
          Effect.mapError((error) =>
            error._tag === "NoHost"
              ? new WebFingerDisagrees({ what: "host" })
              : new WebFingerUnavailable({ reason: error.reason })
          )
        )
        const read = readJrd(value)
        return Result.isSuccess(read) ? read.success : yield* new WebFingerDisagrees({ what: read.failure })
      })

      /** Somebody else must give the same actor. */
      const confirm = Effect.fnUntraced(function* (handle: Handle, actor: URL) {
        const said = yield* ask(handle)
        if (said.actor.href !== actor.href) return yield* new WebFingerDisagrees({ what: "direction" })
        return said
      })

      const lookup = Effect.fn("WebFinger.lookup")(function* (asked: Handle) {
        const handle = { name: asked.name.toLowerCase(), host: asked.host.toLowerCase() }
        const { actor, subject = handle } = yield* ask(handle)
        if (!sameHandle(subject, handle)) {
          const own = yield* confirm(subject, actor)
          if (own.subject !== undefined && !sameHandle(own.subject, subject)) {
            return yield* new WebFingerDisagrees({ what: "subject" })
          }
        }
        // Whoever the actor lives with was asked already where it is the host of either handle.
        if (actor.host !== handle.host && actor.host !== subject.host) {
          const home = yield* confirm({ name: subject.name, host: actor.host }, actor)
          if (home.subject !== undefined && home.subject.host !== actor.host && !sameHandle(home.subject, subject)) {
            return yield* new WebFingerDisagrees({ what: "direction" })
          }
        }
        return actor.href
      })

      return WebFinger.of({ lookup })
    })
  )
}
