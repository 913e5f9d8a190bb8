import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { ActorPublications } from "@kinora/storage/federation/outbox/ActorPublications"
import { CommentPublications } from "@kinora/storage/federation/outbox/CommentPublications"
import { CopyPublications } from "@kinora/storage/federation/outbox/CopyPublications"
import { FollowParties } from "@kinora/storage/federation/outbox/FollowParties"
import { OutboxChanges } from "@kinora/storage/federation/outbox/OutboxChanges"
import { PlaylistPublications } from "@kinora/storage/federation/outbox/PlaylistPublications"
import { RatingParties } from "@kinora/storage/federation/outbox/RatingParties"
import { ReportPublications } from "@kinora/storage/federation/outbox/ReportPublications"
import { VideoOrigins } from "@kinora/storage/federation/outbox/VideoOrigins"
import { VideoPublications } from "@kinora/storage/federation/outbox/VideoPublications"
import { Viewers } from "@kinora/storage/federation/outbox/Viewers"
import { Layer } from "effect"
import { Outbox } from "./Outbox.ts"
import { ActivitySender } from "./send/ActivitySender.ts"
import { Conversations } from "./send/Conversations.ts"
import { ViewerReports } from "./ViewerReports.ts"

/** Makes activities of changes, and of who watches. Needs the database and `KinoraConfig`. */
export const outboxLayer = Layer.merge(Outbox.layer, ViewerReports.layer).pipe(
  Layer.provide(Conversations.layer),
  Layer.provide(ActivitySender.layer),
  Layer.provide(
    Layer.mergeAll(
      ActivityWrites.layer,
      ActorPublications.layer,
      CommentPublications.layer,
      CopyPublications.layer,
      FollowParties.layer,
      OutboxChanges.layer,
      PlaylistPublications.layer,
      RatingParties.layer,
      ReportPublications.layer,
      VideoOrigins.layer,
      VideoPublications.layer,
      Viewers.layer
    )
  )
)
