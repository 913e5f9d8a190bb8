import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { UploadResult } from "@kinora/storage/video/upload/UploadSession"
import { Context, Data, Effect, Layer } from "effect"
import { join } from "node:path"
import { ScratchFolders } from "../../../video/edit/ScratchFolders.ts"
import type { PictureField } from "../../../video/staging/UploadPictures.ts"
import { askedLive } from "../../../live/video/LiveBody.ts"
import { type AddRefused, LiveVideos } from "../../../live/video/LiveVideos.ts"
import type { ImportContext } from "./ImportContext.ts"
import { fieldsOf, given } from "./ImportedFields.ts"

/** A live that has ended for good has nothing that could be imported. */
export class LiveOver extends Data.TaggedError("LiveOver") {}

/** A live of an archive. */
export interface ImportedLive {
  /** Derived from the entry: a repeated import finds the same live. */
  readonly uuid: string
  /** Name of its picture in the archive. */
  readonly thumbnail: string | undefined
  readonly entry: unknown
  /** The fields that every video has, as a client would send them. */
  readonly request: Readonly<Record<string, unknown>>
}

const settings = ["saveReplay", "permanentLive", "latencyMode", "dvrWindow", "replaySettings", "schedules"]

const make = Effect.gen(function* () {
  const lives = yield* LiveVideos
  const folders = yield* ScratchFolders

  const picturesOf = Effect.fnUntraced(function* ({ archive }: ImportContext, { thumbnail }: ImportedLive) {
    if (thumbnail === undefined || archive.size(thumbnail) === undefined) return new Map<PictureField, string>()
    const path = join(yield* folders.make, "thumbnailfile")
    yield* archive.extract(thumbnail, path, constraints.video.image.maxBytes)
    return new Map<PictureField, string>([["thumbnailfile", path]])
  })

  const create = Effect.fn("ImportedLives.create")(function* (context: ImportContext, live: ImportedLive) {
    const fields = fieldsOf(live.entry)
    if (fields["state"] === VideoState.liveEnded) return yield* new LiveOver()
    const asked = yield* askedLive({ ...live.request, ...given(fields["live"], settings) })
    // A picture is optional: the first second of the stream is shown without one.
    const pictures = yield* Effect.catchTag(picturesOf(context, live), "ArchiveRefused", () =>
      Effect.succeed(new Map<PictureField, string>())
    )
    return yield* lives.add(context.user, live.uuid, { fields: asked, pictures })
  }, Effect.scoped)

  return ImportedLives.of({ create })
})

/** Makes lives from archives, as if the user created them: with the same rights and limits, and a key of their own. */
export class ImportedLives extends Context.Service<
  ImportedLives,
  {
    readonly create: (context: ImportContext, live: ImportedLive) => Effect.Effect<UploadResult, AddRefused | LiveOver>
  }
>()("@kinora/node/userimports/ImportedLives") {
  static readonly layer = Layer.effect(ImportedLives, make)
}
