import { Schema } from "effect"

const count = Schema.Finite
const countOrNull = Schema.NullOr(Schema.Finite)

/** Activities of other instances by the types that statistics distinguish. */
export const activityKinds = [
  "Create",
  "Update",
  "Delete",
  "Follow",
  "Accept",
  "Reject",
  "Announce",
  "Undo",
  "Like",
  "Dislike",
  "Flag",
  "View",
  "Download",
  "ApproveReply",
  "RejectReply"
] as const
export type ActivityKind = (typeof activityKinds)[number]

const ofKinds = <const Ending extends "Successes" | "Errors">(ending: Ending) =>
  Object.fromEntries(activityKinds.map((kind) => [`totalActivityPub${kind}Messages${ending}`, count])) as {
    readonly [K in ActivityKind as `totalActivityPub${K}Messages${Ending}`]: typeof count
  }

/** Statistics of the instance (contract: ServerStats). What the configuration keeps to itself is null. */
export const ServerStats = Schema.Struct({
  totalUsers: count,
  totalDailyActiveUsers: count,
  totalWeeklyActiveUsers: count,
  totalMonthlyActiveUsers: count,
  totalModerators: countOrNull,
  totalAdmins: countOrNull,
  totalLocalVideos: count,
  totalLocalVideoViews: count,
  totalLocalVideoDownloads: count,
  totalLocalVideoComments: count,
  totalLocalVideoFilesSize: count,
  totalVideos: count,
  totalVideoComments: count,
  totalLocalVideoChannels: count,
  totalLocalDailyActiveVideoChannels: count,
  totalLocalWeeklyActiveVideoChannels: count,
  totalLocalMonthlyActiveVideoChannels: count,
  totalLocalPlaylists: count,
  totalInstanceFollowers: count,
  totalInstanceFollowing: count,
  videosRedundancy: Schema.Array(
    Schema.Struct({
      strategy: Schema.String,
      totalSize: countOrNull,
      totalUsed: count,
      totalVideoFiles: count,
      totalVideos: count
    })
  ),
  averageRegistrationRequestResponseTimeMs: countOrNull,
  totalRegistrationRequests: countOrNull,
  totalRegistrationRequestsProcessed: countOrNull,
  averageAbuseResponseTimeMs: countOrNull,
  totalAbuses: countOrNull,
  totalAbusesProcessed: countOrNull,
  totalActivityPubMessagesProcessed: count,
  totalActivityPubMessagesSuccesses: count,
  totalActivityPubMessagesErrors: count,
  activityPubMessagesProcessedPerSecond: count,
  totalActivityPubMessagesWaiting: count,
  ...ofKinds("Successes"),
  ...ofKinds("Errors")
}).annotate({ identifier: "ServerStats" })
export type ServerStats = typeof ServerStats.Type
