import { type ActivityKind, activityKinds, type ServerStats } from "@kinora/domain/wire/ServerStats"
import type { ActivityCount, InstanceFigures } from "@kinora/storage/stats/InstanceStats"
import type { Configuration } from "../config/Config.ts"

const sum = (counts: ReadonlyArray<ActivityCount>): number => counts.reduce((total, { count }) => total + count, 0)

/** Counts by kind of activity, under the names the contract gives them. */
const byKind = <Ending extends "Successes" | "Errors">(counts: ReadonlyArray<ActivityCount>, ending: Ending) =>
  Object.fromEntries(
    activityKinds.map((kind) => [
      `totalActivityPub${kind}Messages${ending}`,
      sum(counts.filter((one) => one.kind === kind))
    ])
  ) as { readonly [K in ActivityKind as `totalActivityPub${K}Messages${Ending}`]: number }

/** `GET /server/stats`. What the configuration does not want told is null. */
export const serverStatsWire = (figures: InstanceFigures, { stats }: Configuration): ServerStats => {
  const { activities, registrations, ...rest } = figures
  const applied = activities.filter(({ state }) => state === "applied")
  const refused = activities.filter(({ state }) => state === "refused")
  const told = stats.registration_requests.enabled
  const counted = stats.abuses.enabled ? 0 : null
  return {
    ...rest,
    totalModerators: stats.total_moderators.enabled ? rest.totalModerators : null,
    totalAdmins: stats.total_admins.enabled ? rest.totalAdmins : null,
    // Copies somebody asked for by hand; there are none yet, and no strategies that make any.
    videosRedundancy: [{ strategy: "manual", totalSize: null, totalUsed: 0, totalVideoFiles: 0, totalVideos: 0 }],
    averageRegistrationRequestResponseTimeMs: told ? registrations.averageMillis : null,
    totalRegistrationRequests: told ? registrations.total : null,
    totalRegistrationRequestsProcessed: told ? registrations.processed : null,
    averageAbuseResponseTimeMs: null,
    totalAbuses: counted,
    totalAbusesProcessed: counted,
    totalActivityPubMessagesProcessed: sum(applied) + sum(refused),
    totalActivityPubMessagesSuccesses: sum(applied),
    totalActivityPubMessagesErrors: sum(refused),
    ...byKind(applied, "Successes"),
    ...byKind(refused, "Errors")
  }
}
