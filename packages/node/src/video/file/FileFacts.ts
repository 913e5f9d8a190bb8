import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { parseUuid } from "@kinora/domain/ids/VideoUuid"
import { type VideoFacts, VideoFactRows, type VideoFileKind } from "@kinora/storage/video/access/VideoFacts"
import { isValidKey } from "@kinora/storage/platform/objects/ObjectKey"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { isRecent } from "../../platform/memory/Recent.ts"

/** A video that turns private is refused within this time on every node, in milliseconds. */
const trustedFor = 800
const mostRemembered = 5_000

type Found = Effect.Effect<Option.Option<VideoFacts>, DatabaseUnavailable>

/**
 * The video a file belongs to, remembered for less than a second: players ask for many ranges of one file, and none but
 * the first costs a query. Names that lead nowhere are not remembered, so that nobody can fill the memory with them.
 */
export class FileFacts extends Context.Service<
  FileFacts,
  {
    /** Text that cannot be the name of a file finds nothing. */
    readonly byFile: (kind: VideoFileKind, filename: string) => Found
    /** By the folder of HLS files; text that is no UUID finds nothing. */
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
        if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!)
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
