import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { connect, next } from "./SocketClient.ts"
import { binary, newPeerId, sharedVideo, trackerNode } from "./TrackerNode.ts"

describe("A node that stops", () => {
  it.live(
    "says good-bye to web sockets and does not wait for them",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const context = yield* Layer.buildWithScope(trackerNode(), scope)
        yield* Effect.gen(function* () {
          const { web } = yield* sharedVideo()
          const client = yield* connect()
          client.send({ action: "announce", info_hash: binary(web), peer_id: binary(newPeerId()) })
          yield* next(client, (message) => "interval" in message)
          yield* Scope.close(scope, Exit.void)
          assert.strictEqual(yield* Effect.promise(() => client.closed), 1001)
        }).pipe(Effect.provide(context))
      }),
    60_000
  )
})
