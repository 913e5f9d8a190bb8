import { ReceivedReports } from "@kinora/storage/social/abuse/ReceivedReports"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxRows } from "@kinora/storage/federation/inbox/InboxRows"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { RateRows } from "@kinora/storage/social/rating/RateRows"
import { Layer } from "effect"
import { Inbox } from "./Inbox.ts"
import { InboxBacklog } from "./InboxBacklog.ts"
import { InboxHosts } from "./InboxHosts.ts"
import { InboxVerbs } from "./InboxVerbs.ts"
import { InboxWriter } from "./InboxWriter.ts"
import { MutedSenders } from "./MutedSenders.ts"

/**
 * Takes and applies what others send. Needs the database, `KinoraConfig`, `Supervisor`, the cluster, the services of
 * `remote/` and `Follows`.
 */
export const InboxServices = Inbox.layer.pipe(
  Layer.provide(InboxWriter.layer),
  Layer.provideMerge(InboxHosts.layer),
  Layer.provideMerge(MutedSenders.layer),
  Layer.provide(InboxVerbs.layer),
  Layer.provideMerge(InboxBacklog.layer),
  Layer.provideMerge(Layer.mergeAll(InboxRows.layer, InboxTargets.layer, InboxUpkeep.layer)),
  Layer.provide(Layer.mergeAll(InboxEffects.layer, RateRows.layer, ReceivedReports.layer))
)
