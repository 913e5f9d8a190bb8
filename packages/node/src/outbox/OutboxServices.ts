import { Deliveries } from "@kinora/storage/outbox/Deliveries"
import { DeliveryNotices } from "@kinora/storage/outbox/DeliveryNotices"
import { DeliveryReads } from "@kinora/storage/outbox/DeliveryReads"
import { OutgoingActivities } from "@kinora/storage/outbox/OutgoingActivities"
import { OutboxUpkeep } from "@kinora/storage/outbox/OutboxUpkeep"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { ActivityDocuments } from "./ActivityDocuments.ts"
import { DeliveryHosts } from "./DeliveryHosts.ts"

/** The triggers of the outbox are told what is configured before anything can change. */
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

/** What tells others of what happens here. */
export const OutboxServices = configured.pipe(
  Layer.provideMerge(DeliveryHosts.layer),
  Layer.provideMerge(ActivityDocuments.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Deliveries.layer,
      DeliveryNotices.layer,
      DeliveryReads.layer,
      OutgoingActivities.layer,
      OutboxUpkeep.layer
    )
  )
)
