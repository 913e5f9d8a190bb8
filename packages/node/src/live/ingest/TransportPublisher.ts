import { FlvFile } from "@kinora/ingest/flv/FlvFile"
import { TransportStart } from "@kinora/ingest/mpegts/TransportStart"
import type { Publisher } from "@kinora/ingest/Publisher"
import type { RemuxRun, RemuxToFlv } from "@kinora/media/live/RemuxToFlv"
import { Deferred, Duration, Effect, Fiber, Scope } from "effect"

/** How long the rest of a stream may take on its way when its publisher is gone. */
const restWithin = Duration.seconds(5)

const unreadable = "The stream cannot be read: send H.264 or HEVC, and AAC, in an MPEG transport stream"

/** Passes the tags of a remuxed stream on. Gives why it stopped; undefined at its end. */
const passTags = Effect.fnUntraced(function* (run: RemuxRun, publisher: Publisher) {
  const file = new FlvFile()
  for (;;) {
    const tags = yield* Effect.fromResult(file.read(yield* run.next))
    yield* Effect.forEach(tags, publisher.write, { discard: true })
  }
})

/**
 * Makes of who takes tags one that takes an MPEG transport stream, which is remuxed by one ffmpeg until the scope closes. A stream
 * that ffmpeg cannot read ends the publication.
 */
export const transportPublisher = Effect.fnUntraced(function* (
  remux: RemuxToFlv["Service"],
  publisher: Publisher
): Effect.fn.Return<Publisher<Uint8Array>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const stopped = yield* Deferred.make<string>()
  const start = new TransportStart()
  let run: RemuxRun | undefined
  let passing: Fiber.Fiber<void> | undefined
  let isUnreadable = false

  const cannotRead = (error: { readonly message: string }) =>
    Effect.suspend(() => {
      isUnreadable = true
      return Effect.andThen(
        Effect.logInfo(`A stream of a live cannot be remuxed: ${error.message}`),
        Effect.asVoid(Deferred.succeed(stopped, unreadable))
      )
    })

  const begin = Effect.fnUntraced(function* (isAac: boolean) {
    const begun = yield* remux.start({ container: "mpegts", sound: isAac ? "copy" : "encode" })
    const work = passTags(begun, publisher).pipe(
      Effect.catchTags({
        Done: () => Effect.void,
        PublishRefused: ({ reason }) => Effect.asVoid(Deferred.succeed(stopped, reason)),
        FfmpegFailed: cannotRead,
        FlvMalformed: cannotRead
      })
    )
    run = begun
    passing = yield* Effect.forkIn(work, scope)
    return begun
  })

  const write = Effect.fnUntraced(
    function* (bytes: Uint8Array) {
      if (run !== undefined) return yield* run.write(bytes)
      const begins = start.add(bytes)
      if (begins === undefined) return
      const begun = yield* Scope.provide(begin(begins.isAac), scope)
      yield* begun.write(begins.bytes)
    },
    Effect.catchTag("ToolMissing", cannotRead)
  )

  const rest = Effect.gen(function* () {
    if (run === undefined || passing === undefined) return
    yield* run.close
    yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(passing)), restWithin)
  })

  return {
    write,
    ended: (end) =>
      Effect.andThen(
        rest,
        Effect.suspend(() => publisher.ended(isUnreadable ? "malformed" : end))
      ),
    stopped: Effect.raceFirst(publisher.stopped, Deferred.await(stopped))
  }
})
