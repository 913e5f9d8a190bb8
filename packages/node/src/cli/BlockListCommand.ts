import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { AccountBlockList, ServerBlockList } from "@kinora/domain/wire/Block"
import type { Json } from "@kinora/domain/wire/Json"
import { VideoBlockList } from "@kinora/domain/wire/VideoBlock"
import { BlockLists } from "@kinora/storage/people/block/BlockLists"
import { VideoBlockLists } from "@kinora/storage/video/block/VideoBlockLists"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { toCliFailure } from "./CliFailure.ts"
import { moderationLayer } from "./ModerationLayer.ts"
import { type Columns, count, json, type ListPart, printList, search } from "./Output.ts"

const readAccounts = Schema.decodeUnknownEffect(Schema.fromJsonString(AccountBlockList))
const readServers = Schema.decodeUnknownEffect(Schema.fromJsonString(ServerBlockList))
const readVideos = Schema.decodeUnknownEffect(Schema.fromJsonString(VideoBlockList))

/** Prints a list that comes as JSON text. */
const printed = Effect.fnUntraced(function* <A>(
  isJson: boolean,
  text: Json<unknown>,
  read: (text: unknown) => Effect.Effect<ListPart<A>, Schema.SchemaError>,
  columns: Columns<A>
) {
  if (isJson) return yield* Console.log(text)
  yield* printList(false, yield* Effect.orDie(read(text)), columns)
})

const what = Argument.Literals("what", ["accounts", "servers", "videos"]).pipe(
  Argument.withDescription("What is blocked")
)

export const blockListCommand = Command.make(
  "blocks",
  { what, search: search("names, handles or hosts"), count, json },
  (input) =>
    Effect.gen(function* () {
      const page = { ...toListPage<"createdAt">({ count: input.count }), search: Option.getOrUndefined(input.search) }
      const lists = yield* BlockLists
      if (input.what === "accounts") {
        return yield* printed(input.json, yield* lists.accounts("instance", page), readAccounts, {
          account: ({ blockedAccount: { host, name } }) => `${name}@${host}`,
          since: ({ createdAt }) => createdAt
        })
      }
      if (input.what === "servers") {
        return yield* printed(input.json, yield* lists.servers("instance", page), readServers, {
          host: ({ blockedServer }) => blockedServer.host,
          since: ({ createdAt }) => createdAt
        })
      }
      const videos = yield* (yield* VideoBlockLists).list({ ...page, type: undefined })
      return yield* printed(input.json, videos, readVideos, {
        video: ({ video }) => video.id,
        name: ({ video }) => video.name,
        reason: ({ reason }) => reason,
        unfederated: ({ unfederated }) => unfederated,
        since: ({ createdAt }) => createdAt
      })
    }).pipe(Effect.provide(moderationLayer), toCliFailure)
).pipe(Command.withDescription("List what the instance blocks for everybody, the newest first."))
