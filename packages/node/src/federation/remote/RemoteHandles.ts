import { NodeInfo } from "@kinora/federation/discovery/NodeInfo"
import { WebFinger } from "@kinora/federation/discovery/WebFinger"
import { FetchError, isTransient } from "@kinora/federation/fetch/FetchError"
import { Context, Effect, Layer } from "effect"
import { type RemoteActor, RemoteActors } from "./RemoteActors.ts"
import { ObjectRefused, ObjectUnavailable, type RemoteFailure } from "./RemoteErrors.ts"

/** Milliseconds after which a host that did not answer is asked again. */
const retryAfterMillis = 60_000

/** Actors of other instances by what people call them. Those that are found are kept. */
export class RemoteHandles extends Context.Service<
  RemoteHandles,
  {
    /** The account or channel of a handle. */
    readonly byHandle: (name: string, host: string) => Effect.Effect<RemoteActor, RemoteFailure>
    /** The actor of an instance as a whole. */
    readonly ofHost: (host: string) => Effect.Effect<RemoteActor, RemoteFailure>
  }
>()("@kinora/node/follows/RemoteHandles") {
  static readonly layer = Layer.effect(
    RemoteHandles,
    Effect.gen(function* () {
      const actors = yield* RemoteActors
      const nodeInfo = yield* NodeInfo
      const webFinger = yield* WebFinger

      const unreached = (url: string, error: FetchError) =>
        isTransient(error)
          ? new ObjectUnavailable({
              url,
              detail: error.reason._tag,
              retryAfterMillis,
              asked: error.reason._tag !== "Busy"
            })
          : new ObjectRefused({ url, why: "address", detail: error.reason._tag })

      const byHandle = Effect.fn("RemoteHandles.byHandle")(function* (name: string, host: string) {
        const handle = `${name}@${host}`
        const url = yield* webFinger
          .lookup({ name, host })
          .pipe(
            Effect.mapError((error) =>
              error._tag === "WebFingerUnavailable"
                ? unreached(handle, new FetchError({ url: handle, reason: error.reason }))
                : new ObjectRefused({ url: handle, why: "authority", detail: error.what })
            )
          )
        return yield* actors.byUrl(url)
      })

      const ofHost = Effect.fn("RemoteHandles.ofHost")(function* (host: string) {
        const url = yield* nodeInfo
          .application(host)
          .pipe(
            Effect.mapError((error) =>
              error._tag === "NoHost"
                ? new ObjectRefused({ url: host, why: "address", detail: "no host" })
                : unreached(host, error)
            )
          )
        return yield* actors.byUrl(url)
      })

      return RemoteHandles.of({ byHandle, ofHost })
    })
  ).pipe(Layer.provide(Layer.merge(NodeInfo.layerNoDeps, WebFinger.layerNoDeps)))
}
