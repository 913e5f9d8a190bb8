import { ClusterNodeReads } from "@kinora/storage/platform/cluster/ClusterNodeReads"
import { sqlRunners } from "@kinora/storage/platform/cluster/SqlRunners"
import { version } from "@kinora/domain/Version"
import { Context, Duration, Effect, Exit, Layer, Option, PubSub, Scope, Stream } from "effect"
import {
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  RunnerServer,
  RunnerStorage,
  Sharding,
  ShardingConfig
} from "effect/cluster"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import { SocketServer } from "effect/socket/SocketServer"
import { KinoraConfig } from "../config/Config.ts"
import { withLeanContext } from "../context/LeanContext.ts"
import { nodeName } from "../jobs/NodeName.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { clusterClient } from "./ClusterClient.ts"
import { greetOthers } from "./ClusterGreeting.ts"
import { clusterKeys } from "./ClusterKeys.ts"
import { clusterPort } from "./ClusterPort.ts"
import { ClusterNode } from "./ClusterNode.ts"
import { clusterTimes } from "./ClusterTimes.ts"
import { makePeers } from "./MakePeers.ts"
import { Peers } from "./Peers.ts"
import { Placement } from "./Placement.ts"
import { placed } from "./Placed.ts"

/** Bytes of one message between nodes: wakes are small. */
const largestMessage = 256 * 1024

/** A shard has little to do with another: few are enough to spread the hosts, and many would only be more rows. */
const shards = 64

/**
 * Places actors and singletons among several nodes: runners and shards are rows of the database, messages go over the
 * cluster's port. What is due is in tables, so no message is stored (docs/decisions/cluster.md).
 */
export const SeveralNodes = Layer.effectContext(
  Effect.gen(function* () {
    const { cluster } = yield* KinoraConfig
    const supervisor = yield* Supervisor
    const keys = yield* Effect.orDie(clusterKeys)
    const name = yield* nodeName
    const roles = new Set(cluster.roles)
    const scope = yield* Scope.make()
    const leave = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => leave)
    // Others take over what runs here as soon as this node begins to stop, not when it has answered its last request.
    yield* supervisor.beforeStop(leave)

    const port = yield* clusterPort({ ...cluster.listen, keys }).pipe(Scope.provide(scope))
    const address = RunnerAddress.make(
      cluster.address.hostname ?? cluster.listen.hostname,
      cluster.address.port ?? cluster.listen.port
    )
    const own = `${address.host}:${address.port}`
    const nodes = yield* ClusterNodeReads
    yield* greetOthers(nodes, own, keys)
    const peers = yield* makePeers({ nodes, port, keys, address: own }).pipe(Scope.provide(scope))
    const gains = yield* PubSub.sliding<void>(1)
    const storage = yield* sqlRunners({
      name,
      roles: [...roles],
      version,
      expiration: clusterTimes.expiration,
      onAcquired: Effect.asVoid(PubSub.publish(gains, undefined))
    })

    const config = ShardingConfig.layer({
      runnerAddress: Option.some(address),
      shardsPerGroup: shards,
      assignedShardGroups: roles.has("worker") ? ["default"] : [],
      shardLockRefreshInterval: clusterTimes.refresh,
      shardLockExpiration: clusterTimes.expiration,
      refreshAssignmentsInterval: clusterTimes.look,
      entityMessagePollInterval: Duration.seconds(1),
      entityTerminationTimeout: Duration.seconds(5),
      simulateRemoteSerialization: false
    })
    const sharding = RunnerServer.layerWithClients.pipe(
      Layer.provide(RpcServer.layerProtocolSocketServer),
      Layer.provide(Layer.succeed(SocketServer, port.sockets)),
      Layer.provide(clusterClient(keys)),
      Layer.provide([MessageStorage.layerNoop, RunnerHealth.layerNoop]),
      Layer.provide(Layer.succeed(RunnerStorage.RunnerStorage, storage)),
      Layer.provide(config),
      Layer.provide(RpcSerialization.layerNdjsonWith({ maxBufferSize: largestMessage }))
    )
    const context = yield* withLeanContext(Layer.buildWithScope(sharding, scope))
    const service = Context.get(context, Sharding.Sharding)
    return Context.make(Sharding.Sharding, service).pipe(
      Context.add(Placement, placed({ sharding: service, roles, gained: Stream.fromPubSub(gains) })),
      Context.add(Peers, peers),
      Context.add(ClusterNode, { name, address: own })
    )
  })
).pipe(Layer.provide(ClusterNodeReads.layer))
