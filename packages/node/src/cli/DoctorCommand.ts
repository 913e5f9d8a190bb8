import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { KinoraConfig } from "../config/Config.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { checkAddress, isRunning } from "./DoctorAddress.ts"
import { checkDatabase } from "./DoctorDatabase.ts"
import { checkDisk, checkPorts } from "./DoctorMachine.ts"
import { renderFindings } from "./DoctorReport.ts"
import { checkTools } from "./DoctorTools.ts"

/** Everything that can be checked about the machine and the configuration, in the order it is shown. */
export const examine = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const running = yield* isRunning(config)
  const findings = yield* Effect.all([
    checkDisk,
    checkDatabase,
    checkTools,
    checkPorts(config, running),
    checkAddress(config, running)
  ])
  return findings.flat()
})

const layer = Layer.mergeAll(configLayer, FetchHttpClient.layer, commandLogging)

export const doctorCommand = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const findings = yield* examine
    yield* Console.log(renderFindings(findings))
    const failures = findings.filter((finding) => finding.level === "failure").length
    if (failures > 0) {
      return yield* new CliFailure({ message: `${failures} of ${findings.length} checks failed.`, exitCode: 1 })
    }
    yield* Console.log("Nothing stands in the way of `kinora serve`.")
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "Check the disk, the database, ffmpeg and its codecs, the ports and the public URL, and say what to do about what " +
      "is wrong. Exits with 1 when a check fails. Can be run beside a running instance."
  ),
  Command.withShortDescription("Find out what does not work, and what to do about it")
)
