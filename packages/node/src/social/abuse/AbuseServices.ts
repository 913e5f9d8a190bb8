import { AbuseLists } from "@kinora/storage/social/abuse/AbuseLists"
import { AbuseMessageLists } from "@kinora/storage/social/abuse/AbuseMessageLists"
import { AbuseMessageRows } from "@kinora/storage/social/abuse/AbuseMessageRows"
import { AbuseRows } from "@kinora/storage/social/abuse/AbuseRows"
import { NewReports } from "@kinora/storage/social/abuse/NewReports"
import { CommentRows } from "@kinora/storage/social/comment/CommentRows"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { Layer } from "effect"
import { AbuseMessages } from "./AbuseMessages.ts"
import { AbuseModeration } from "./AbuseModeration.ts"
import { ModeratorActs } from "./ModeratorActs.ts"
import { ReportableThings } from "./ReportableThings.ts"
import { Reports } from "./Reports.ts"

/** Reports to the moderators. Needs `SqlClient`, `SlowSql`, `KinoraConfig`, `RateLimitStore`, `VideoAccess` and `VideoReads`. */
export const AbuseServices = Layer.mergeAll(
  AbuseMessages.layer.pipe(Layer.provide([AbuseMessageLists.layer, AbuseMessageRows.layer])),
  AbuseModeration.layer,
  Reports.layer.pipe(
    Layer.provide(ReportableThings.layer.pipe(Layer.provide(CommentRows.layer))),
    Layer.provide(NewReports.layer)
  )
).pipe(
  Layer.provideMerge(AbuseLists.layer),
  Layer.provide([AbuseRows.layer, ModeratorActs.layer, NotificationEvents.layer])
)
