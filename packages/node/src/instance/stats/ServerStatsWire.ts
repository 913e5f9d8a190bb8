import { type ActivityKind, activityKinds, type ServerStats } from "@kinora/domain/wire/ServerStats"
import type { ActivityCount, CopiesKept, InstanceFigures } from "@kinora/storage/instance/stats/InstanceStats"
import type { Configuration } from "../../platform/config/Configuration.ts"
import type { RedundancyStrategy } from "../../federation/redundancy/RedundancySettings.ts"

const sum = (counts: ReadonlyArray<ActivityCount>): number => counts.reduce((total, { count }) => total + count, 0)

/** Counts by kind of activity, under the names the contract gives them. */
const byKind = <Ending extends "Successes" | "Errors">(counts: ReadonlyArray<ActivityCount>, ending: Ending) =>
  Object.fromEntries(
    activityKinds.map((kind) => [
      `totalActivityPub${kind}Messages${ending}`,
      sum(counts.filter((one) => one.kind === kind))
    ])
  ) as { readonly [K in ActivityKind as `totalActivityPub${K}Messages${Ending}`]: number }

/** Usage and limit of each configured strategy, and of videos that were mirrored by hand, which have no limit. */
const redundancy = (
  copies: ReadonlyArray<CopiesKept>,
  strategies: ReadonlyArray<RedundancyStrategy>
): ServerStats["videosRedundancy"] =>
  [
    ...strategies.map((it) => ({ strategy: it.strategy, totalSize: it.maxBytes })),
    { strategy: "manual", totalSize: null }
  ].map((it) => ({
    totalUsed: 0,
    totalVideoFiles: 0,
    totalVideos: 0,
    ...copies.find(({ strategy }) => strategy === it.strategy),
    ...it
  }))

/** `GET /server/stats`. Figures that the configuration hides are null. */
export const serverStatsWire = (
  figures: InstanceFigures,
  { stats }: Configuration,
  strategies: ReadonlyArray<RedundancyStrategy>
): ServerStats => {
  const { abuses, activities, copies, registrations, ...rest } = figures
  const applied = activities.filter(({ state }) => state === "applied")
  const refused = activities.filter(({ state }) => state === "refused")
  const shown = stats.registration_requests.enabled
  const reported = stats.abuses.enabled
  return {
    ...rest,
    totalModerators: stats.total_moderators.enabled ? rest.totalModerators : null,
    totalAdmins: stats.total_admins.enabled ? rest.totalAdmins : null,
    videosRedundancy: redundancy(copies, strategies),
    averageRegistrationRequestResponseTimeMs: shown ? registrations.averageMillis : null,
    totalRegistrationRequests: shown ? registrations.total : null,
    totalRegistrationRequestsProcessed: shown ? registrations.processed : null,
    averageAbuseResponseTimeMs: reported ? abuses.averageMillis : null,
    totalAbuses: reported ? abuses.total : null,
    totalAbusesProcessed: reported ? abuses.processed : null,
    totalActivityPubMessagesProcessed: sum(applied) + sum(refused),
    totalActivityPubMessagesSuccesses: sum(applied),
    totalActivityPubMessagesErrors: sum(refused),
    ...byKind(applied, "Successes"),
    ...byKind(refused, "Errors")
  }
}
