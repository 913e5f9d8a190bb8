import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { serve } from "./app/App.ts"
import { kinora } from "./cli/Kinora.ts"
import { stopOnHangUp } from "./platform/supervision/HangUp.ts"
import { boundHeap } from "./platform/supervision/HeapBounds.ts"
import { installLastResort } from "./platform/supervision/LastResort.ts"

boundHeap()

installLastResort()
stopOnHangUp()

/** A signal to stop is no failure. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

kinora({ serve }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain({ teardown }))
