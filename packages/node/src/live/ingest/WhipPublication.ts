import { FlvFile, type FlvMalformed } from "@kinora/ingest/flv/FlvFile"
import { MatroskaWriter } from "@kinora/ingest/matroska/MatroskaWriter"
import type { Publisher, PublishEnd, PublishRefused } from "@kinora/ingest/Publisher"
import type { FfmpegFailed, ToolMissing } from "@kinora/media/errors/MediaErrors"
import type { RemuxRun, RemuxToFlv } from "@kinora/media/live/RemuxToFlv"
import { type Cause, Deferred, Duration, Effect } from "effect"
import type { MediaQueue } from "./MediaQueue.ts"

/** What is still in the encoder when the publisher has left has so much time. */
const rest = Duration.seconds(5)

/** Writes what the publisher sends as Matroska, to its end. */
const write = Effect.fnUntraced(function* (media: MediaQueue, run: RemuxRun) {
  const writer = new MatroskaWriter()
  yield* Effect.gen(function* () {
    for (;;) {
      const next = yield* media.take
      yield* run.write("tracks" in next ? writer.begin(next.tracks) : writer.frame(next.frame))
    }
  }).pipe(Effect.catchTag("Done", () => run.close))
})

/** Reads the tags that ffmpeg makes of it. */
const read = (
  run: RemuxRun,
  publisher: Publisher
): Effect.Effect<void, FfmpegFailed | FlvMalformed | PublishRefused> => {
  const file = new FlvFile()
  return Effect.gen(function* () {
    for (;;) {
      const tags = yield* Effect.fromResult(file.read(yield* run.next))
      for (const tag of tags) yield* publisher.write(tag)
    }
  }).pipe(Effect.catchTag("Done", (_: Cause.Done) => Effect.void))
}

/**
 * Hands the media of a connection to the live's session, from the first frame to the end of both. Gives why our side ended
 * it; undefined: the publisher did, and everything of it has arrived.
 */
export const passMedia = (
  remux: RemuxToFlv["Service"],
  media: MediaQueue,
  publisher: Publisher,
  how: Deferred.Deferred<PublishEnd>
): Effect.Effect<string | undefined, ToolMissing> =>
  Effect.gen(function* () {
    const run = yield* remux.start({ container: "matroska", sound: "encode" })
    const passed = Effect.all([write(media, run), read(run, publisher)], { concurrency: 2, discard: true }).pipe(
      Effect.as(undefined),
      Effect.catchTags({
        PublishRefused: ({ reason }) => Effect.succeed(reason),
        FlvMalformed: (error) =>
          Effect.as(Effect.logWarning(error.message), "What was sent could not be read as video or sound"),
        FfmpegFailed: (error) =>
          Effect.as(
            Effect.logWarning("A stream by WebRTC cannot be read", error),
            "What was sent could not be read as video or sound"
          )
      })
    )
    const late = Effect.as(Effect.andThen(Deferred.await(how), Effect.sleep(rest)), undefined)
    return yield* Effect.raceAllFirst([passed, publisher.stopped, late])
  }).pipe(Effect.scoped)
