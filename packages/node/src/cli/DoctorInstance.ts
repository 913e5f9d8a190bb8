import { type FaultFigures, FaultReads } from "@kinora/storage/instance/stats/FaultReads"
import { Effect, Layer } from "effect"
import { customSettings } from "../instance/settings/CustomConfigKeys.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import type { Configuration } from "../platform/config/Configuration.ts"
import { RuntimeConfig } from "../platform/config/RuntimeConfig.ts"
import { databaseLayer } from "./DatabaseLayer.ts"
import { type Finding, good, warning } from "./DoctorReport.ts"

const day = 86_400
/** Moderators need some days; a job that is due begins within seconds. */
const lateAnswer = 7 * day
const lateJob = 15 * 60

const days = (seconds: number): string => `${Math.floor(seconds / day)} days`

const ofJobs = (figures: FaultFigures, running: boolean): ReadonlyArray<Finding> => {
  const { failedJobs, jobsPaused, oldestJobAge } = figures
  const findings: Array<Finding> = []
  if (jobsPaused) findings.push(warning("jobs", "are paused: nothing is encoded or mailed", "kinora jobs resume"))
  else if (running && oldestJobAge > lateJob) {
    findings.push(
      warning(
        "jobs",
        `one is due since ${Math.floor(oldestJobAge / 60)} minutes`,
        "`kinora jobs summary` shows what waits. Long encodes are no fault; else look into the log of the node."
      )
    )
  }
  if (failedJobs.length > 0) {
    const kinds = failedJobs.map(({ count, type }) => `${count} ${type}`).join(", ")
    findings.push(warning("jobs", `failed during the last day: ${kinds}`, "kinora jobs list --state failed"))
  }
  return findings.length === 0 ? [good("jobs", "begin, and none failed during the last day")] : findings
}

const ofModerators = (figures: FaultFigures): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  if (figures.oldestReportAge > lateAnswer) {
    findings.push(
      warning(
        "reports",
        `${figures.pendingReports} wait for a decision, one for ${days(figures.oldestReportAge)}`,
        "kinora reports list"
      )
    )
  }
  if (figures.oldestRegistrationAge > lateAnswer) {
    findings.push(
      warning(
        "registrations",
        `${figures.pendingRegistrations} wait for a decision, one for ${days(figures.oldestRegistrationAge)}`,
        "A moderator accepts or rejects them in the administration."
      )
    )
  }
  if (figures.pendingFollowers > 0) {
    findings.push(
      warning(
        "followers",
        `${figures.pendingFollowers} wait for an answer`,
        "kinora follows list --followers --state pending"
      )
    )
  }
  if (figures.administrators === 0) {
    findings.push(
      warning(
        "administrators",
        "there is none who can log in",
        "kinora users create NAME --email ADDRESS --role administrator"
      )
    )
  }
  return findings
}

const ofFederation = ({ failingHosts }: FaultFigures): ReadonlyArray<Finding> =>
  failingHosts.length === 0
    ? []
    : [
        warning(
          "federation",
          `nothing could be delivered for more than a day to ${failingHosts.join(", ")}`,
          "If they are gone for good nothing needs doing. If all fail, others may not reach this instance: check the public URL."
        )
      ]

const ofWebhooks = ({ failingWebhooks }: FaultFigures): ReadonlyArray<Finding> =>
  failingWebhooks.length === 0
    ? []
    : [
        warning(
          "webhooks",
          `fail, or were made inactive because they failed: ${failingWebhooks.join(", ")}`,
          "`kinora webhooks deliveries ID` shows why. `kinora webhooks enable ID` and `replay ID` when that is mended."
        )
      ]

const ofRunners = (figures: FaultFigures, { live, transcoding }: Configuration): ReadonlyArray<Finding> => {
  const { runners, runnersInContact } = figures
  const isOfVideos = transcoding.enabled && transcoding.remote_runners.enabled
  const isOfLives = live.enabled && live.transcoding.enabled && live.transcoding.remote_runners.enabled
  if ((!isOfVideos && !isOfLives) || runnersInContact > 0) return []
  const what =
    runners === 0 ? "remote encoding is on and no runner is registered" : "none was in contact during the last hour"
  return [
    isOfVideos
      ? warning(
          "runners",
          what,
          "Videos wait until a runner takes them: start one, or set transcoding.remote_runners.enabled to false."
        )
      : warning(
          "runners",
          what,
          "Lives wait 15 seconds for a runner: start one, or set live.transcoding.remote_runners.enabled to false."
        )
  ]
}

/** Settings of administrators that do not hold, because the environment has its own value. */
const ofSettings = (stored: ReadonlyArray<string>, pinned: (path: string) => unknown): ReadonlyArray<Finding> => {
  const changeable = new Set(customSettings.map(({ path }) => path))
  const shadowed = stored.filter((path) => pinned(path) !== undefined)
  const unknown = stored.filter((path) => !changeable.has(path))
  const findings: Array<Finding> = []
  if (shadowed.length > 0) {
    findings.push(
      warning(
        "settings",
        `the environment overrides what administrators chose: ${shadowed.join(", ")}`,
        "Remove the variables (`kinora config get --json` names them), or leave them to pin the settings."
      )
    )
  }
  if (unknown.length > 0) {
    findings.push(
      warning(
        "settings",
        `this version does not know ${unknown.join(", ")}`,
        "They are passed over. Nothing needs doing."
      )
    )
  }
  return findings
}

/** Without mail nobody learns whether a registration was accepted, and no address is verified. */
const ofSignup = (config: Configuration, mails: boolean): ReadonlyArray<Finding> => {
  const { enabled, requires_approval: approval, requires_email_verification: verification } = config.signup
  if (mails || !enabled || (!approval && !verification)) return []
  return [
    warning(
      "signup",
      "is open, and mail is not configured: nobody learns the decision, or can verify an address",
      "Set up mail (docs/mail.md), or set signup.enabled to false."
    )
  ]
}

/**
 * What waits for somebody or does not work of moderation and administration. None of it keeps the instance from running:
 * all are warnings. Nothing is said when there is no database yet; its own check does that.
 */
export const checkInstance = Effect.fnUntraced(function* (running: boolean, mails: boolean) {
  const config = yield* KinoraConfig
  const { pinned } = yield* RuntimeConfig
  const figures = yield* FaultReads.pipe(
    Effect.flatMap(({ read }) => read),
    // Its schema may be older than the program: doctor does not migrate.
    Effect.catchCause(() => Effect.succeed<FaultFigures | undefined>(undefined)),
    Effect.provide(FaultReads.layer.pipe(Layer.provide(databaseLayer))),
    Effect.timeout("10 seconds"),
    Effect.orElseSucceed((): FaultFigures | undefined => undefined)
  )
  if (figures === undefined) return []
  return [
    ...ofJobs(figures, running),
    ...ofModerators(figures),
    ...ofFederation(figures),
    ...ofWebhooks(figures),
    ...ofRunners(figures, config),
    ...ofSettings(figures.settings, pinned),
    ...ofSignup(config, mails)
  ]
})
