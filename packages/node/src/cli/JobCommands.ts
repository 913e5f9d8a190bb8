import { operator } from "@kinora/domain/users/Operator"
import { FederationBacklog } from "@kinora/storage/federation/outbox/FederationBacklog"
import { JobLists } from "@kinora/storage/platform/jobs/JobLists"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { jobStates } from "@kinora/storage/platform/jobs/Job"
import { Console, Effect, Layer, Option, Predicate } from "effect"
import { Command, Flag } from "effect/cli"
import { JobAdministration } from "../instance/about/JobAdministration.ts"
import { toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printDone, printList } from "./Output.ts"

const rows = Layer.mergeAll(FederationBacklog.layer, JobLists.layer, JobUpkeep.layer)

const layer = JobAdministration.layer.pipe(Layer.provideMerge(rows), Layer.provide(operatorLayer))

const type = Flag.String("type").pipe(
  Flag.withMetavar("TYPE"),
  Flag.withDescription("Print only jobs of this type"),
  Flag.optional
)

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", jobStates).pipe(Flag.withDescription("Print only jobs in this state"), Flag.optional),
    type,
    count,
    json
  },
  (input) =>
    Effect.gen(function* () {
      const found = yield* (yield* JobAdministration).list({
        states: Option.isSome(input.state) ? [input.state.value] : jobStates,
        type: Option.getOrUndefined(input.type),
        start: 0,
        count: input.count
      })
      yield* printList(input.json, found, {
        id: ({ id }) => id,
        type: (job) => job.type,
        state: ({ state }) => state,
        progress: ({ progress, state }) => (state === "active" ? `${progress} %` : null),
        since: ({ createdAt }) => createdAt,
        error: ({ error }) => (Predicate.hasProperty(error, "message") ? error.message : null)
      })
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List jobs and what federation has still to send, the newest first."))

const summary = Command.make("summary", { json }, (input) =>
  Effect.gen(function* () {
    const counts = yield* (yield* JobLists).counts
    const paused = yield* (yield* JobUpkeep).isPaused
    yield* printList(
      input.json,
      { total: counts.length, data: counts },
      { type: (one) => one.type, state: ({ state }) => state, count: (one) => one.count }
    )
    if (paused && !input.json) yield* Console.log("Jobs are paused: `kinora jobs resume`.")
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Print how many jobs there are of each type and state."))

const pause = Command.make("pause", { json }, (input) =>
  Effect.gen(function* () {
    yield* (yield* JobAdministration).pause(operator)
    yield* printDone(input.json, { paused: true }, "No job begins any more. Running ones go on to their end.")
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Let no job begin on any node, until `kinora jobs resume`."))

const resume = Command.make("resume", { json }, (input) =>
  Effect.gen(function* () {
    yield* (yield* JobAdministration).resume(operator)
    yield* printDone(input.json, { paused: false }, "Jobs begin again.")
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Let jobs begin again."))

export const jobsCommand = Command.make("jobs").pipe(
  Command.withDescription("Work in the background"),
  Command.withSubcommands([list, summary, pause, resume])
)
