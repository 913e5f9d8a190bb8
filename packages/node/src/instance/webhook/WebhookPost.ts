import type { FetchError, Refused } from "@kinora/federation/fetch/FetchError"
import { endpointOf, FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import type { FetchOptionsInput } from "@kinora/federation/fetch/FetchOptions"
import { GuardedPost, type Posted, type PostRequest } from "@kinora/federation/fetch/GuardedPost"
import { version } from "@kinora/domain/Version"
import { Context, Effect, Layer } from "effect"
import { isIP } from "node:net"
import { KinoraConfig } from "../../platform/config/Config.ts"

/**
 * The way to receivers of webhooks, by the rules of guarded fetches, with a guard of its own: an operator may allow receivers
 * within private networks (`webhooks.allow_private_addresses`) without allowing other instances to name such addresses.
 */
export class WebhookPost extends Context.Service<
  WebhookPost,
  {
    readonly post: (url: string, request: PostRequest) => Effect.Effect<Posted, FetchError>
    /** Holds an address against the rules as far as that needs no network. */
    readonly check: (url: string) => Effect.Effect<void, Refused>
  }
>()("@kinora/node/instance/webhook/WebhookPost") {
  /** `tests` overrides options of the guard. */
  static readonly layerWith = (tests: Partial<FetchOptionsInput> = {}): Layer.Layer<WebhookPost, never, KinoraConfig> =>
    Layer.unwrap(
      Effect.map(KinoraConfig, ({ derived, federation, webhooks }) => {
        const guard = FetchGuard.layer({
          userAgent: `Kinora/${version} (+${derived.origin})`,
          addresses: federation.only_loopback
            ? "loopback"
            : webhooks.allow_private_addresses
              ? "public-and-private"
              : "public",
          ...tests
        })
        // Fresh: a layer is built once in a program, and deliveries to other instances have one with their own guard.
        return make.pipe(Layer.provide(Layer.fresh(GuardedPost.layerNoDeps)), Layer.provide(guard))
      })
    )

  static readonly layer = WebhookPost.layerWith()
}

const make = Layer.effect(
  WebhookPost,
  Effect.gen(function* () {
    const guard = yield* FetchGuard
    const posts = yield* GuardedPost
    return WebhookPost.of({
      post: posts.post,
      check: Effect.fnUntraced(function* (text) {
        const url = yield* guard.url(text)
        const { hostname } = endpointOf(url)
        // An address resolves to itself; names are looked up when something is sent.
        if (isIP(hostname) !== 0) {
          yield* guard
            .addresses(hostname, guard.isUnusual(url))
            .pipe(Effect.catchTag(["Unreachable", "TimedOut"], () => Effect.void))
        }
      })
    })
  })
)
