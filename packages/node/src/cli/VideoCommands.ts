import { type VideoPrivacy, videoPrivacyLabels } from "@kinora/domain/enums/VideoPrivacy"
import { type VideoState, videoStateLabels } from "@kinora/domain/enums/VideoState"
import { operator } from "@kinora/domain/users/Operator"
import { UnusedRemoteVideos } from "@kinora/storage/federation/remote/UnusedRemoteVideos"
import { VideoInventoryLists } from "@kinora/storage/instance/inventory/VideoInventoryLists"
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { inUnits } from "../instance/backup/Progress.ts"
import { AuditTrail } from "../platform/audit/AuditTrail.ts"
import { toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printDone, printList, search } from "./Output.ts"

const layer = Layer.merge(VideoInventoryLists.layer, UnusedRemoteVideos.layer).pipe(Layer.provideMerge(operatorLayer))

const list = Command.make(
  "list",
  {
    remote: Flag.Boolean("remote").pipe(
      Flag.withDescription("Print videos of other instances instead of those of this one"),
      Flag.withDefault(false)
    ),
    blocked: Flag.Boolean("blocked").pipe(
      Flag.withDescription("Print only blocked videos; --no-blocked prints only others"),
      Flag.optional
    ),
    sort: Flag.Literals("sort", ["newest", "largest", "most-viewed"]).pipe(
      Flag.withDescription("Which come first; the newest unless given"),
      Flag.withDefault("newest" as const)
    ),
    search: search("their name, or that of their channel"),
    count,
    json
  },
  (input) =>
    Effect.gen(function* () {
      const found = yield* (yield* VideoInventoryLists).list({
        remote: input.remote,
        blocked: Option.getOrUndefined(input.blocked),
        search: Option.getOrUndefined(input.search),
        sort: input.sort,
        count: input.count
      })
      yield* printList(input.json, found, {
        id: ({ id }) => id,
        name: ({ name }) => name,
        channel: ({ channel }) => channel,
        state: ({ state }) => videoStateLabels[state as VideoState],
        privacy: ({ privacy }) => videoPrivacyLabels[privacy as VideoPrivacy],
        blocked: ({ blocked }) => blocked,
        views: ({ views }) => views,
        size: ({ bytes }) => inUnits(bytes),
        since: ({ createdAt }) => createdAt
      })
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List videos, also those that nobody else may see."))

/** Videos in one transaction: readers of the others do not wait. */
const batch = 100

/** Each batch is recorded with what it removed, in its transaction. */
const removeAll = Effect.fnUntraced(function* (days: number) {
  const audit = yield* AuditTrail
  const videos = yield* UnusedRemoteVideos
  let removed = 0
  for (;;) {
    const some = yield* audit.act(
      operator,
      (gone: number) =>
        gone === 0
          ? undefined
          : { domain: "video", action: "prune", target: { olderThanDays: days }, before: { videos: gone } },
      videos.remove(days, batch)
    )
    removed += some
    if (some === 0) return removed
  }
})

const prune = Command.make(
  "prune",
  {
    days: Flag.Int("older-than").pipe(
      Flag.withMetavar("DAYS"),
      Flag.withDescription("Leave videos alone that were fetched later than this; 30 unless given"),
      Flag.withDefault(30)
    ),
    remove: Flag.Boolean("remove").pipe(
      Flag.withDescription("Remove them. Without it they are only listed"),
      Flag.withDefault(false)
    ),
    count,
    json
  },
  (input) =>
    Effect.gen(function* () {
      const days = Math.max(0, input.days)
      if (input.remove) {
        const removed = yield* removeAll(days)
        return yield* printDone(input.json, { removed }, `${removed} videos of other instances were removed.`)
      }
      const videos = yield* UnusedRemoteVideos
      const total = yield* videos.count(days)
      yield* printList(
        input.json,
        { total, data: yield* videos.list(days, input.count) },
        { id: ({ id }) => id, host: ({ host }) => host, name: ({ name }) => name, url: ({ url }) => url }
      )
      if (!input.json && total > 0) yield* Console.log("Nothing was removed: --remove does.")
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "Remove videos of other instances that nobody here follows, has watched, rated or commented on, has in a playlist, " +
      "keeps a copy of, has reported or blocked. Lists them unless --remove is given. Who asks for one later has it fetched " +
      "again. Files that belong to no video are the matter of `kinora storage check`."
  ),
  Command.withShortDescription("Remove videos of other instances that nobody needs")
)

export const videosCommand = Command.make("videos").pipe(
  Command.withDescription("Videos of this instance and of others"),
  Command.withSubcommands([list, prune])
)
