import process from "node:process"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { kinoraRunner } from "./cli/KinoraRunner.ts"

/** The first signal starts an orderly stop, the second ends the process. */
let signals = 0
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    signals += 1
    if (signals > 1) process.exit(1)
  })
}

/** A requested stop is not a failure. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

kinoraRunner.pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain({ teardown }))
