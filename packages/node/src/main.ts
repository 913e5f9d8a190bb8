import process from "node:process"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { serve } from "./app/App.ts"
import { kinora } from "./cli/Kinora.ts"
import { boundHeap } from "./platform/supervision/HeapBounds.ts"

boundHeap()

/** An orderly stop takes at most ten seconds; what hangs beyond that is cut off. */
const lastResort = 13_000
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void setTimeout(() => process.exit(1), lastResort).unref())
}

/** To be told to stop is no failure. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

kinora({ serve }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain({ teardown }))
