import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Effect, Layer } from "effect"
import { RpcClientProtocol } from "effect/cluster/Runners"
import * as RpcClient from "effect/rpc/RpcClient"
import { RpcSerialization } from "effect/rpc/RpcSerialization"
import { Socket } from "effect/socket/Socket"
import type { ClusterKey } from "./ClusterKeys.ts"
import { clientTls, handshakeMillis, protocols } from "./ClusterTls.ts"

/** Connections to other nodes, opened when there is something to send. */
export const clusterClient = (
  keys: ReadonlyArray<ClusterKey>
): Layer.Layer<RpcClientProtocol, never, RpcSerialization> =>
  Layer.effect(
    RpcClientProtocol,
    Effect.gen(function* () {
      const serialization = yield* RpcSerialization
      return {
        codecFor: serialization.codecFor,
        make: Effect.fnUntraced(function* ({ host, port }) {
          const socket = yield* NodeSocket.makeTls({
            ...clientTls(keys, protocols.rpc),
            host,
            port,
            openTimeout: handshakeMillis
          })
          return yield* RpcClient.makeProtocolSocket().pipe(
            Effect.provideService(Socket, socket),
            Effect.provideService(RpcSerialization, serialization)
          )
        }, Effect.orDie)
      }
    })
  )
