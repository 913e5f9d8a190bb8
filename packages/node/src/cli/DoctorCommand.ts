import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { KinoraConfig } from "../platform/config/Config.ts"
import { sendsMail } from "../platform/mail/SendsMail.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { checkAddress, isRunning } from "./DoctorAddress.ts"
import { checkDatabase } from "./DoctorDatabase.ts"
import { checkInstance } from "./DoctorInstance.ts"
import { checkDisk, checkPorts } from "./DoctorMachine.ts"
import { checkMail, sendTestMail } from "./DoctorMail.ts"
import { checkObjectStorage } from "./DoctorObjectStorage.ts"
import { type Finding, renderFindings } from "./DoctorReport.ts"
import { json, printJson } from "./Output.ts"
import { checkSecrets } from "./DoctorSecrets.ts"
import { checkTools } from "./DoctorTools.ts"
import { checkYtDlp } from "./DoctorYtDlp.ts"

/** Everything that can be checked about the machine and the configuration, in the order it is shown. */
const examine = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const running = yield* isRunning(config)
  const findings = yield* Effect.all([
    checkDisk,
    checkDatabase,
    checkTools,
    checkYtDlp,
    checkSecrets,
    checkMail,
    checkObjectStorage,
    checkPorts(config, running),
    checkAddress(config, running),
    checkInstance(running, sendsMail(config))
  ])
  return findings.flat()
})

const layer = Layer.mergeAll(configLayer, FetchHttpClient.layer, commandLogging)

const report = Effect.fnUntraced(function* (findings: ReadonlyArray<Finding>, isJson: boolean) {
  yield* isJson ? printJson(findings) : Console.log(renderFindings(findings))
  const failures = findings.filter((finding) => finding.level === "failure").length
  if (failures === 0) return
  const checks = findings.length === 1 ? "The check failed." : `${failures} of ${findings.length} checks failed.`
  return yield* new CliFailure({ message: checks, exitCode: 1 })
})

const sendMail = Flag.String("send-mail").pipe(
  Flag.withMetavar("ADDRESS"),
  Flag.withDescription("Only send a test mail to this address, and say what the mail server answered"),
  Flag.optional
)

export const doctorCommand = Command.make("doctor", { sendMail, json }, (input) =>
  Effect.gen(function* () {
    if (Option.isSome(input.sendMail)) return yield* report([yield* sendTestMail(input.sendMail.value)], input.json)
    yield* report(yield* examine, input.json)
    if (!input.json) yield* Console.log("Nothing stands in the way of `kinora serve`.")
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "Check the disk, the database, ffmpeg and its codecs, yt-dlp, mail, object storage, the ports and the public URL, and what " +
      "waits for moderators or fails in the background. Says what to do about what is wrong. Exits with 1 when a check fails. Can be run beside a running instance."
  ),
  Command.withShortDescription("Find out what does not work, and what to do about it")
)
