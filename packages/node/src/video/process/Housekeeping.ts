import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { ScheduledUpdates } from "@kinora/storage/video/write/ScheduledUpdates"
import { VideoPrivacy } from "@kinora/storage/video/write/VideoPrivacy"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Context, Effect, Layer } from "effect"
import { watchLeases } from "../../platform/jobs/LeaseWatch.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"

const batch = 100
const keepJobsDays = 7

/** A day of tries, and some for who mends what kept them from succeeding. */
const keepPartsDays = 7

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const upkeep = yield* JobUpkeep
  const removals = yield* Removals
  const objects = yield* ObjectStore
  const publication = yield* VideoPublication
  const schedule = yield* ScheduledUpdates
  const privacy = yield* VideoPrivacy

  const removeObjects = Effect.gen(function* () {
    while ((yield* removals.execute(batch)) === batch);
  }).pipe(Effect.withSpan("Housekeeping.removeObjects"))

  const removeOldParts = Effect.gen(function* () {
    const count = yield* objects.giveUpUploads(keepPartsDays)
    if (count > 0)
      yield* Effect.logInfo(`Parts of ${count} files that were not stored whole are removed from the object storage`)
  }).pipe(Effect.withSpan("Housekeeping.removeOldParts"))

  const applySchedule = Effect.gen(function* () {
    for (const update of yield* schedule.due(batch)) {
      if (update.privacy !== null) {
        const applied = yield* Effect.result(privacy.set(update.videoId, update.privacy))
        if (applied._tag === "Failure") {
          yield* Effect.logWarning(`The scheduled update of video ${update.videoId} is postponed`, applied.failure)
          continue
        }
      }
      yield* schedule.done(update.videoId)
    }
  }).pipe(Effect.withSpan("Housekeeping.applySchedule"))

  const reviveJobs = Effect.gen(function* () {
    yield* upkeep.expireLeases()
    const settled = yield* publication.settleAbandoned
    for (const id of settled) yield* Effect.logWarning(`Video ${id} has no job left. It stays as it is.`)
  }).pipe(Effect.withTracerEnabled(false))

  const takeBack = Effect.gen(function* () {
    const count = yield* upkeep.expireLeases(settings.owner)
    if (count > 0) yield* Effect.logInfo(`${count} jobs from the previous run of this node are resumed`)
  }).pipe(Effect.withSpan("Housekeeping.takeBack"))

  return Housekeeping.of({
    removeObjects,
    removeOldParts,
    applySchedule,
    reviveJobs,
    watchJobs: watchLeases({ expire: reviveJobs, look: upkeep.isPaused }),
    takeBack,
    removeOldJobs: upkeep.removeEnded(keepJobsDays)
  })
})

/** Periodic maintenance. Each effect runs once. */
export class Housekeeping extends Context.Service<
  Housekeeping,
  {
    /** Removes objects that are due for removal. */
    readonly removeObjects: Effect.Effect<void, DatabaseUnavailable>
    /** Removes parts of files in object storage that nobody completed for a week. */
    readonly removeOldParts: Effect.Effect<void>
    /** Applies scheduled changes of privacy. */
    readonly applySchedule: Effect.Effect<void, DatabaseUnavailable>
    /** Requeues jobs of dead workers, and settles videos whose jobs have all failed. */
    readonly reviveJobs: Effect.Effect<void, DatabaseUnavailable>
    /** Does so for ever, and leaves alone who could not report because of an outage. */
    readonly watchJobs: Effect.Effect<never>
    /** On start: releases the jobs this node held when it stopped. */
    readonly takeBack: Effect.Effect<void, DatabaseUnavailable>
    readonly removeOldJobs: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/processing/Housekeeping") {
  static readonly layer = Layer.effect(Housekeeping, make)
}
