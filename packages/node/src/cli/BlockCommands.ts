import { parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { parseHost } from "@kinora/domain/ids/HostName"
import { operator } from "@kinora/domain/users/Operator"
import { UserReads } from "@kinora/storage/people/user/UserReads"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { InstanceBlocks } from "../people/block/InstanceBlocks.ts"
import { UserAdministration } from "../people/user/UserAdministration.ts"
import { VideoBlocks } from "../video/block/VideoBlocks.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { moderationLayer } from "./ModerationLayer.ts"
import { json, printDone } from "./Output.ts"

const named = (name: string, description: string) => Argument.String(name).pipe(Argument.withDescription(description))

const account = named("account", "Name of an account, with @host for one of another instance")
const host = named("host", "Host of another instance")
const video = named("video", "Id, UUID or short UUID of a video")
const username = named("username", "Name the user logs in with")

const reason = Flag.String("reason").pipe(
  Flag.withMetavar("TEXT"),
  Flag.withDescription("Why; the owner reads it"),
  Flag.optional
)

/** What an argument names, or a failure that says what was expected. */
const read = <A>(text: string, parse: (text: string) => A | undefined, expected: string) => {
  const value = parse(text)
  return value === undefined
    ? Effect.fail(new CliFailure({ message: `${text} is not ${expected}.`, exitCode: 1 }))
    : Effect.succeed(value)
}

const readHandle = (text: string) => read(text, parseActorHandle, "the name of an account, or name@host")
const readHost = (text: string) => read(text, parseHost, "the name of a host")
const readVideo = (text: string) => read(text, parseVideoIdOrUuid, "the id, UUID or short UUID of a video")

const userId = Effect.fnUntraced(function* (name: string) {
  const id = yield* (yield* UserReads).idOf(name)
  return Option.isSome(id) ? id.value : yield* new CliFailure({ message: `There is no user ${name}.`, exitCode: 1 })
})

const presented = { user: Option.some(operator) }

const run = <A, E extends Error>(
  work: Effect.Effect<A, E, InstanceBlocks | VideoBlocks | UserAdministration | UserReads>
) => toCliFailure(Effect.provide(work, moderationLayer))

const blockAccount = Command.make("account", { account, json }, (input) =>
  run(
    Effect.gen(function* () {
      yield* (yield* InstanceBlocks).blockAccount(operator, yield* readHandle(input.account))
      yield* printDone(input.json, { blocked: input.account }, `Nobody here sees ${input.account} any more.`)
    })
  )
).pipe(Command.withDescription("Hide an account, its videos and its comments from everybody here."))

const unblockAccount = Command.make("account", { account, json }, (input) =>
  run(
    Effect.gen(function* () {
      yield* (yield* InstanceBlocks).unblockAccount(operator, yield* readHandle(input.account))
      yield* printDone(input.json, { unblocked: input.account }, `${input.account} is seen here again.`)
    })
  )
).pipe(Command.withDescription("Show an account again that was hidden from everybody here."))

const blockServer = Command.make("server", { host, json }, (input) =>
  run(
    Effect.gen(function* () {
      const name = yield* readHost(input.host)
      yield* (yield* InstanceBlocks).blockServer(operator, name)
      yield* printDone(input.json, { blocked: name }, `Nobody here sees anything of ${name} any more.`)
    })
  )
).pipe(Command.withDescription("Hide everything of another instance, and take nothing from it any more."))

const unblockServer = Command.make("server", { host, json }, (input) =>
  run(
    Effect.gen(function* () {
      const name = yield* readHost(input.host)
      yield* (yield* InstanceBlocks).unblockServer(operator, name)
      yield* printDone(input.json, { unblocked: name }, `${name} is seen here again.`)
    })
  )
).pipe(Command.withDescription("Show another instance again that was hidden from everybody here."))

const blockVideo = Command.make(
  "video",
  {
    video,
    reason,
    note: Flag.String("note").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("A note for moderators alone"),
      Flag.optional
    ),
    unfederate: Flag.Boolean("unfederate").pipe(
      Flag.withDescription("Also have other instances delete it"),
      Flag.withDefault(false)
    ),
    json
  },
  (input) =>
    run(
      Effect.gen(function* () {
        const id = yield* readVideo(input.video)
        const block = {
          reason: Option.getOrNull(input.reason),
          internalNote: Option.getOrNull(input.note),
          unfederate: input.unfederate
        }
        yield* (yield* VideoBlocks).add(operator, id, block, presented)
        yield* printDone(input.json, { blocked: input.video }, `The video ${input.video} is blocked.`)
      })
    )
).pipe(Command.withDescription("Take a video from view. Its owner is notified and reads the reason."))

const unblockVideo = Command.make("video", { video, json }, (input) =>
  run(
    Effect.gen(function* () {
      yield* (yield* VideoBlocks).remove(operator, yield* readVideo(input.video), presented)
      yield* printDone(input.json, { unblocked: input.video }, `The video ${input.video} is no longer blocked.`)
    })
  )
).pipe(Command.withDescription("Show a blocked video again. Its owner is notified."))

const blockUser = Command.make("user", { username, reason, json }, (input) =>
  run(
    Effect.gen(function* () {
      const id = yield* userId(input.username)
      yield* (yield* UserAdministration).block(operator, id, Option.getOrNull(input.reason))
      yield* printDone(
        input.json,
        { blocked: input.username },
        `${input.username} cannot log in any more and is logged out everywhere.`
      )
    })
  )
).pipe(Command.withDescription("Keep a user of this instance from logging in, and end the user's sessions."))

const unblockUser = Command.make("user", { username, json }, (input) =>
  run(
    Effect.gen(function* () {
      yield* (yield* UserAdministration).unblock(operator, yield* userId(input.username))
      yield* printDone(input.json, { unblocked: input.username }, `${input.username} can log in again.`)
    })
  )
).pipe(Command.withDescription("Let a blocked user of this instance log in again."))

export const blockCommand = Command.make("block").pipe(
  Command.withDescription("Block an account, another instance, a video or a user"),
  Command.withSubcommands([blockAccount, blockServer, blockVideo, blockUser]),
  Command.withExamples([
    { command: "kinora block server spam.example", description: "Nothing of an instance is shown or taken" },
    { command: 'kinora block video 17 --reason "Not yours" --unfederate', description: "Here and elsewhere" }
  ])
)

export const unblockCommand = Command.make("unblock").pipe(
  Command.withDescription("Take back the block of an account, another instance, a video or a user"),
  Command.withSubcommands([unblockAccount, unblockServer, unblockVideo, unblockUser])
)
