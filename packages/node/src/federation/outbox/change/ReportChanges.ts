import { ReportPublications } from "@kinora/storage/federation/outbox/ReportPublications"
import { Effect } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { flagActivity } from "../activity/Flag.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import type { ChangeHandler } from "./ChangeHandler.ts"

/** Reports of what is of another instance: its moderators receive them, in the name of the reporter unless that is not wanted. */
export const reportChanges = Effect.gen(function* () {
  const reports = yield* ReportPublications
  const sender = yield* ActivitySender
  const { derived, federation } = yield* KinoraConfig

  const handle: ChangeHandler = Effect.fn("reportChanges")(function* ({ thingId }) {
    const report = yield* reports.of(thingId)
    if (report === undefined) return
    const by = federation.anonymous_reports ? report.instanceActorId : report.reporterActorId
    yield* sender.send(by, flagActivity(`${derived.origin}/admin/abuses/${thingId}`, report))
  })
  return handle
})
