import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { SealedPayloads } from "@kinora/storage/platform/jobs/SealedPayloads"
import { Duration, Effect, Layer } from "effect"
import { runAs } from "../cluster/RunAs.ts"
import { runOnce } from "../cluster/Placement.ts"
import { nodeName } from "../jobs/NodeName.ts"
import { every } from "../supervision/Every.ts"
import { Mailer } from "./Mailer.ts"
import { MailWorker } from "./MailWorker.ts"
import { Templates } from "./Templates.ts"
import { MailTransport } from "./Transport.ts"

/** Sending a mail is mostly waiting for the mail server. */
const workers = [1, 2] as const

const unconfigured =
  "Mail is not configured: nobody gets links to verify an address or to set a password, and moderators get no notices. " +
  "Set KINORA_SMTP_HOSTNAME and what belongs to it (docs/mail.md), then ask `kinora doctor`."

/**
 * Sends queued mail under the supervisor if mail is configured. Otherwise mails that were queued earlier wait. Needs
 * the configuration, the job board and its upkeep, `Mailer`, `SecretBox`, the database, the platform and the
 * supervisor.
 */
export const MailTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Mailer
    if (!mailer.enabled) return yield* Effect.logInfo(unconfigured)
    const upkeep = yield* JobUpkeep
    const mails = yield* MailWorker
    // A separate owner name: this worker and the node's other workers do not release each other's jobs.
    const owner = `${yield* nodeName} mail`
    yield* Effect.ignore(upkeep.expireLeases(owner), {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* runAs("worker", "mail notices", mails.listen)
    for (const n of workers) yield* runAs("worker", `mail ${n}`, mails.worker(owner))
    yield* runOnce("sent mail", every(Duration.hours(1), mails.forgetEnded))
  })
).pipe(
  Layer.provide(MailWorker.layer),
  Layer.provide(Layer.mergeAll(Templates.layer, MailTransport.layer, SealedPayloads.layer))
)
