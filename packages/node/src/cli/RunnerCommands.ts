import { operator } from "@kinora/domain/users/Operator"
import { RegistrationTokenRows } from "@kinora/storage/runner/RegistrationTokenRows"
import { RunnerCalls } from "@kinora/storage/runner/RunnerCalls"
import { RunnerLists } from "@kinora/storage/runner/RunnerLists"
import { Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import { RunnerAccess } from "../runner/registration/RunnerAccess.ts"
import { RunnerRegistration } from "../runner/registration/RunnerRegistration.ts"
import { runnerWire } from "../runner/registration/RunnerWire.ts"
import { runnerJobRows } from "../runner/RunnerServices.ts"
import { toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printDone, printList } from "./Output.ts"

const layer = Layer.merge(RunnerRegistration.layer, RunnerLists.layer).pipe(
  Layer.provide(RunnerAccess.layer),
  Layer.provide([RegistrationTokenRows.layer, RunnerCalls.layer, runnerJobRows, SecretBox.layer]),
  Layer.provide(operatorLayer)
)

const newest = (number: number) => ({ start: 0, count: number, descending: true })

const list = Command.make("list", { count, json }, (input) =>
  Effect.gen(function* () {
    const { data, total } = yield* (yield* RunnerLists).list(newest(input.count))
    yield* printList(
      input.json,
      { total, data: data.map(runnerWire) },
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        version: ({ version }) => version,
        address: ({ ip }) => ip,
        "last contact": ({ lastContact }) => lastContact
      }
    )
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List runners: the machines that encode videos for this instance."))

const remove = Command.make(
  "remove",
  { runner: Argument.Int("runner").pipe(Argument.withDescription("Id of the runner")), json },
  (input) =>
    Effect.gen(function* () {
      yield* (yield* RunnerRegistration).remove(operator, input.runner)
      yield* printDone(input.json, { removed: input.runner }, `Runner ${input.runner} is removed; its jobs are free.`)
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Remove a runner. Jobs that it holds are given to others."))

const tokens = Command.make("tokens", { count, json }, (input) =>
  Effect.gen(function* () {
    yield* printList(input.json, yield* (yield* RunnerRegistration).tokens(newest(input.count)), {
      id: ({ id }) => id,
      token: ({ registrationToken }) => registrationToken,
      runners: ({ registeredRunnersCount }) => registeredRunnersCount,
      since: ({ createdAt }) => createdAt
    })
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List the tokens that runners register with. Who has one can take work."))

const createToken = Command.make("create-token", { json }, (input) =>
  Effect.gen(function* () {
    const registration = yield* RunnerRegistration
    yield* registration.generate(operator)
    const { data } = yield* registration.tokens(newest(1))
    const { id, registrationToken } = data[0]!
    yield* printDone(input.json, { id, registrationToken }, registrationToken)
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Make a token that runners can register with, and print it."))

export const runnersCommand = Command.make("runners").pipe(
  Command.withDescription("Machines that encode videos for this instance"),
  Command.withSubcommands([list, remove, tokens, createToken])
)
