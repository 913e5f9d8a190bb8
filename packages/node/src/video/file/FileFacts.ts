import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { parseUuid } from "@kinora/domain/ids/VideoUuid"
import { type VideoFacts, VideoFactRows, type VideoFileKind } from "@kinora/storage/video/access/VideoFacts"
import { isValidKey } from "@kinora/storage/platform/objects/ObjectKey"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { isRecent } from "../../platform/memory/Recent.ts"

/** Milliseconds. A video that becomes private is refused on every node within this time. */
const trustedFor = 800
const maxRemembered = 5_000

type Found = Effect.Effect<Option.Option<VideoFacts>, DatabaseUnavailable>

/**
 * The video of a file, remembered for less than a second: players request many ranges of one file, and only the first
 * should cost a query. Unknown names are not remembered, so that clients cannot fill the memory with them.
 */
export class FileFacts extends Context.Service<
  FileFacts,
  {
    /** Finds nothing for text that cannot be a file name. */
    readonly byFile: (kind: VideoFileKind, filename: string) => Found
    /** By the folder of HLS files. Finds nothing for text that is not a UUID. */
    readonly byUuid: (uuid: string) => Found
  }
>()("@kinora/node/files/FileFacts") {
  static readonly layer = Layer.effect(
    FileFacts,
    Effect.gen(function* () {
      const rows = yield* VideoFactRows
      const remembered = new Map<string, { readonly video: VideoFacts; readonly until: number }>()

      const keep = (key: string, video: VideoFacts, until: number) => {
        remembered.delete(key)
        if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
        remembered.set(key, { video, until })
      }

      const lookUp = Effect.fnUntraced(function* (key: string, find: () => Found) {
        const now = yield* Clock.currentTimeMillis
        const known = remembered.get(key)
        if (known !== undefined && isRecent(known.until, now, trustedFor)) return Option.some(known.video)
        const found = yield* find()
        if (Option.isSome(found)) keep(key, found.value, now + trustedFor)
        else remembered.delete(key)
        return found
      })

      return FileFacts.of({
        byFile: (kind, name) =>
          isValidKey({ bucket: "thumbnails", name })
            ? lookUp(`${kind} ${name}`, () => rows.byFile(kind, name))
            : Effect.succeed(Option.none()),
        byUuid: (text) => {
          const uuid = parseUuid(text)
          return uuid === undefined ? Effect.succeed(Option.none()) : lookUp(uuid, () => rows.byUuid(uuid))
        }
      })
    })
  )
}
