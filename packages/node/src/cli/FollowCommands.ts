import { parseHost } from "@kinora/domain/ids/HostName"
import { parseFullHandle, toInstanceFollowPage } from "@kinora/domain/requests/FollowRequests"
import { operator } from "@kinora/domain/users/Operator"
import { type FollowActor, FollowList } from "@kinora/domain/wire/Follow"
import { InstanceFollowLists } from "@kinora/storage/federation/follow/InstanceFollowLists"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Console, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Follows } from "../federation/follow/Follows.ts"
import { FollowServices } from "../federation/follow/FollowServices.ts"
import { NewFollowings } from "../federation/follow/NewFollowings.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printDone, printList, search } from "./Output.ts"

const layer = FollowServices.pipe(Layer.provide(JobBoard.layer), Layer.provide(operatorLayer))

const readList = Schema.decodeUnknownEffect(Schema.fromJsonString(FollowList))

const target = Argument.String("target").pipe(
  Argument.withDescription("Host of another instance, or name@host of an account or a channel there")
)

const unreadable = (text: string, expected: string) =>
  new CliFailure({ message: `${text} is not ${expected}.`, exitCode: 1 })

const follow = Command.make("follow", { target, json }, (input) =>
  Effect.gen(function* () {
    const named = input.target.includes("@") ? { handles: [input.target] } : { hosts: [input.target] }
    yield* (yield* NewFollowings).begin(operator, named)
    yield* printDone(
      input.json,
      { asked: input.target },
      `${input.target} is looked up and asked as soon as the instance runs.`
    )
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "Have the instance follow another one, or an account or a channel there, so that their videos come in. A running " +
      "instance asks at once; `kinora follows list` shows when it was accepted."
  ),
  Command.withShortDescription("Follow another instance"),
  Command.withExamples([
    { command: "kinora follow video.example.org", description: "All videos of an instance" },
    { command: "kinora follow ada_channel@video.example.org", description: "One channel" }
  ])
)

const unfollow = Command.make("unfollow", { target, json }, (input) =>
  Effect.gen(function* () {
    const handle = parseFullHandle(input.target)
    const host = parseHost(input.target)
    const wanted = handle !== undefined ? { handle } : host !== undefined ? { host } : undefined
    if (wanted === undefined) return yield* unreadable(input.target, "the name of a host, or name@host")
    yield* (yield* Follows).unfollow(operator, wanted)
    yield* printDone(input.json, { unfollowed: input.target }, `The instance does not follow ${input.target} any more.`)
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("End what the instance follows, or stop asking for it."))

const written = ({ host, name }: FollowActor): string => `${name}@${host}`

const list = Command.make(
  "list",
  {
    followers: Flag.Boolean("followers").pipe(
      Flag.withDescription("Print who follows the instance instead of what it follows"),
      Flag.withDefault(false)
    ),
    state: Flag.Literals("state", ["pending", "accepted"]).pipe(
      Flag.withDescription("Print only follows in this state"),
      Flag.optional
    ),
    search: search("names and hosts"),
    count,
    json
  },
  (input) =>
    Effect.gen(function* () {
      const lists = yield* InstanceFollowLists
      const page = toInstanceFollowPage({
        count: input.count,
        state: Option.getOrUndefined(input.state),
        search: Option.getOrUndefined(input.search)
      })
      const text = yield* input.followers ? lists.followers(page) : lists.following(page)
      if (input.json) return yield* Console.log(text)
      yield* printList(false, yield* Effect.orDie(readList(text)), {
        [input.followers ? "follower" : "following"]: ({ follower, following }) =>
          written(input.followers ? follower : following),
        state: ({ state }) => state,
        since: ({ createdAt }) => createdAt
      })
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List what the instance follows, or who follows it, the newest first."))

const follower = Argument.String("follower").pipe(Argument.withDescription("name@host of who follows the instance"))

const answered = (name: "accept" | "reject", done: string, description: string) =>
  Command.make(name, { follower, json }, (input) =>
    Effect.gen(function* () {
      const handle = parseFullHandle(input.follower)
      if (handle === undefined) return yield* unreadable(input.follower, "name@host")
      yield* (yield* Follows)[name](operator, handle)
      yield* printDone(input.json, { follower: input.follower, state: done }, `${input.follower} is ${done}.`)
    }).pipe(Effect.provide(layer), toCliFailure)
  ).pipe(Command.withDescription(description))

export const followCommand = follow
export const unfollowCommand = unfollow

export const followsCommand = Command.make("follows").pipe(
  Command.withDescription("Who follows whom across instances"),
  Command.withSubcommands([
    list,
    answered("accept", "accepted", "Let a follower of the instance in."),
    answered("reject", "rejected", "Refuse a follower of the instance, also when it asks again.")
  ])
)
