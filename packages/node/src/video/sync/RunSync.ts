import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ImportCreate } from "@kinora/domain/requests/ImportRequests"
import { GuardedProxy } from "@kinora/federation/fetch/GuardedProxy"
import type { ListedVideo } from "@kinora/media/ytdlp/ExternalVideo"
import { YtDlp } from "@kinora/media/ytdlp/YtDlp"
import type { WholeChannel } from "@kinora/storage/video/sync/SyncJobs"
import { type SyncTask, SyncWork } from "@kinora/storage/video/sync/SyncWork"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Context, Data, Effect, Layer, Option } from "effect"
import { VideoImports } from "../import/VideoImports.ts"
import { newVideos } from "./NewVideos.ts"
import { SyncSettings } from "./SyncSettings.ts"

/** A failed check, with a message for operators. */
class LookFailed extends Data.TaggedError("LookFailed")<{ readonly message: string }> {}

type Failure = LookFailed | DatabaseUnavailable

/** Maximum bytes that one check may transfer. */
const maxBytes = 128 * 1024 ** 2

interface Taking {
  readonly channelId: number
  readonly userId: number
  readonly accountId: number
  readonly syncId: number | null
  readonly videoPrivacy: number | undefined
}

const make = Effect.gen(function* () {
  const settings = yield* SyncSettings
  const proxies = yield* GuardedProxy
  const pages = yield* YtDlp
  const channels = yield* UploadChannels
  const imports = yield* VideoImports
  const work = yield* SyncWork

  const list = Effect.fnUntraced(function* (url: string, count: number) {
    const { url: proxy } = yield* proxies.open({ maxBytes, ipv4Only: settings.ipv4Only })
    return yield* Effect.mapError(pages.list({ url, proxy, count }), ({ message }) => new LookFailed({ message }))
  }, Effect.scoped)

  /** Creates an import for one video. False: it cannot be imported, or was imported before. */
  const take = Effect.fnUntraced(function* (url: string, taking: Taking) {
    const channel = yield* channels.find(taking.channelId)
    if (Option.isNone(channel)) return yield* new LookFailed({ message: "The channel is gone" })
    const privacy = taking.videoPrivacy as ImportCreate["privacy"]
    return yield* imports
      .create({
        userId: taking.userId,
        accountId: taking.accountId,
        channel: channel.value,
        fields: privacy === undefined ? {} : { privacy },
        source: { _tag: "Url", url },
        channelSyncId: taking.syncId ?? undefined,
        once: true
      })
      .pipe(
        Effect.as(true),
        Effect.catch((error): Effect.Effect<boolean, Failure> => {
          switch (error._tag) {
            case "AlreadyImported":
            case "InvalidParameters":
            case "Forbidden":
              return Effect.succeed(false)
            case "DatabaseUnavailable":
              return Effect.fail(error)
            default:
              return Effect.fail(new LookFailed({ message: error.detail }))
          }
        })
      )
  })

  /** Imports the oldest first, in the order of publication. `done` is called after each. */
  const takeAll = Effect.fnUntraced(function* (
    videos: ReadonlyArray<ListedVideo>,
    taking: Taking,
    done: (url: string) => Effect.Effect<void, DatabaseUnavailable>
  ) {
    let taken = 0
    for (const { url } of videos.toReversed()) {
      if (yield* take(url, taking)) taken += 1
      yield* done(url)
    }
    return taken
  })

  const look = Effect.fn("RunSync.look")(function* (task: SyncTask) {
    const everything = task.fullWantedAt !== null
    const count = everything ? settings.all : settings.newest
    const listed = yield* list(task.externalChannelUrl, count)
    const urls = listed.map(({ url }) => url)
    const unseen = new Set(yield* work.unseen(task.syncId, urls))
    const wanted = everything
      ? listed
      : newVideos(listed, {
          since: task.createdAt.getTime(),
          isFirst: task.isFirst,
          unseen,
          isWhole: listed.length < count
        })
    const leave = new Set(wanted.map(({ url }) => url))
    yield* work.markSeen(
      task.syncId,
      urls.filter((url) => !leave.has(url))
    )
    // An entry is marked as seen once its import exists: what exceeds the quota today may fit tomorrow.
    return yield* takeAll(wanted, task, (url) => work.markSeen(task.syncId, [url]))
  })

  const whole = Effect.fn("RunSync.whole")(function* (wanted: WholeChannel) {
    if (!(yield* work.stillMay(wanted))) {
      return yield* new LookFailed({ message: "The user who requested it no longer manages the channel or is blocked" })
    }
    const listed = yield* list(wanted.externalChannelUrl, settings.all)
    return yield* takeAll(listed, { ...wanted, videoPrivacy: undefined }, (url) =>
      wanted.syncId === null ? Effect.void : work.markSeen(wanted.syncId, [url])
    )
  })

  return RunSync.of({ look, whole })
})

/** Checks external channels and creates imports for their videos. Both methods return the number of imports created. */
export class RunSync extends Context.Service<
  RunSync,
  {
    readonly look: (task: SyncTask) => Effect.Effect<number, Failure>
    /** Imports all videos that were not imported into the channel before. */
    readonly whole: (wanted: WholeChannel) => Effect.Effect<number, Failure>
  }
>()("@kinora/node/syncs/RunSync") {
  static readonly layer = Layer.effect(RunSync, make)
}
