import { ChangeNotices } from "@kinora/storage/federation/outbox/ChangeNotices"
import { Deliveries } from "@kinora/storage/federation/outbox/Deliveries"
import { DeliveryNotices } from "@kinora/storage/federation/outbox/DeliveryNotices"
import { DeliveryReads } from "@kinora/storage/federation/outbox/DeliveryReads"
import { OutgoingActivities } from "@kinora/storage/federation/outbox/OutgoingActivities"
import { OutboxUpkeep } from "@kinora/storage/federation/outbox/OutboxUpkeep"
import { NodeName } from "@kinora/storage/federation/outbox/NodeName"
import { Effect, Layer } from "effect"
import { hostname } from "node:os"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { ActivityDocuments } from "./ActivityDocuments.ts"
import { DeliveryHosts } from "./DeliveryHosts.ts"
import { HostRetries } from "./HostRetries.ts"
import { outboxLayer } from "./OutboxLayer.ts"

/** Writes the settings that the outbox's triggers read, before anything can change. */
const configured = Layer.effectDiscard(
  Effect.gen(function* () {
    const { federation } = yield* KinoraConfig
    const upkeep = yield* OutboxUpkeep
    yield* upkeep.configure({
      enabled: federation.enabled,
      federateUnlisted: federation.videos.federate_unlisted
    })
  })
)

/** It listens where nobody else does, and does so again when it is started again. */
const named = Layer.effect(
  NodeName,
  Effect.map(KinoraConfig, ({ listen }) => `${hostname()} ${listen.hostname} ${listen.port}`)
)

/** The services that send local changes to other instances. */
export const OutboxServices = configured.pipe(
  Layer.provideMerge(outboxLayer),
  Layer.provideMerge(Layer.merge(DeliveryHosts.layer, HostRetries.layer)),
  Layer.provideMerge(ActivityDocuments.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Deliveries.layer.pipe(Layer.provide(named)),
      ChangeNotices.layer,
      DeliveryNotices.layer,
      DeliveryReads.layer,
      OutgoingActivities.layer,
      OutboxUpkeep.layer
    )
  )
)
