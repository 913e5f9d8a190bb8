import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { parseUuid } from "@kinora/domain/ids/VideoUuid"
import { type VideoFacts, VideoFactRows, type VideoFileKind } from "@kinora/storage/video/access/VideoFacts"
import { isValidKey } from "@kinora/storage/platform/objects/ObjectKey"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { isForEverybody } from "../list/VideoVisibility.ts"
import { isRecent } from "../../platform/memory/Recent.ts"

/** Milliseconds. A public address of a video that becomes private is refused on every node within this time. */
const trustedFor = 800
const maxRemembered = 5_000

/** `now`: nothing that is remembered will do. */
type Asks = "now" | "lately"

type Found = Effect.Effect<Option.Option<VideoFacts>, DatabaseUnavailable>

/**
 * The video of a file. One that is for everybody is remembered for less than a second: players request many ranges of one
 * file, and only the first should cost a query. What restricts a video counts at once: it is never remembered, and whoever
 * serves files to some only asks for what is so now. Unknown names are not remembered, so that clients cannot fill the memory
 * with them.
 */
export class FileFacts extends Context.Service<
  FileFacts,
  {
    /** Finds nothing for text that cannot be a file name. */
    readonly byFile: (kind: VideoFileKind, filename: string, asks?: Asks) => Found
    /** By the folder of HLS files. Finds nothing for text that is not a UUID. */
    readonly byUuid: (uuid: string, asks?: Asks) => Found
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

      const lookUp = Effect.fnUntraced(function* (key: string, asks: Asks, find: () => Found) {
        const now = yield* Clock.currentTimeMillis
        const known = asks === "now" ? undefined : remembered.get(key)
        if (known !== undefined && isRecent(known.until, now, trustedFor)) return Option.some(known.video)
        const found = yield* find()
        if (Option.isSome(found) && isForEverybody(found.value)) keep(key, found.value, now + trustedFor)
        else remembered.delete(key)
        return found
      })

      return FileFacts.of({
        byFile: (kind, name, asks = "lately") =>
          isValidKey({ bucket: "thumbnails", name })
            ? lookUp(`${kind} ${name}`, asks, () => rows.byFile(kind, name))
            : Effect.succeed(Option.none()),
        byUuid: (text, asks = "lately") => {
          const uuid = parseUuid(text)
          return uuid === undefined ? Effect.succeed(Option.none()) : lookUp(uuid, asks, () => rows.byUuid(uuid))
        }
      })
    })
  )
}
