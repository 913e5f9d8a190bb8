import { InitialProcessing } from "@kinora/storage/video/upload/InitialProcessing"
import { Context, Duration, Effect, Layer, Schedule } from "effect"

/** How long an answer may wait for the first files; by default, as where no worker runs, it does not. */
export const FirstFilesWait = Context.Reference<Duration.Duration>("@kinora/node/uploads/FirstFilesWait", {
  defaultValue: () => Duration.zero
})

/**
 * The first look at an upload makes its thumbnails, and publishes at once what browsers play as it is. It is a job of its own,
 * so that it survives a crash; the answer waits for it, because clients read `files[0]` right after it.
 */
export class FirstFiles extends Context.Service<
  FirstFiles,
  { readonly waitFor: (videoId: number) => Effect.Effect<void> }
>()("@kinora/node/uploads/FirstFiles") {
  static readonly layer = Layer.effect(
    FirstFiles,
    Effect.gen(function* () {
      const looks = yield* InitialProcessing
      const atMost = yield* FirstFilesWait
      return FirstFiles.of({
        waitFor: Effect.fn("FirstFiles.waitFor")((videoId: number) =>
          Duration.isZero(atMost)
            ? Effect.void
            : looks.isUnderWay(videoId).pipe(
                Effect.repeat({ while: (underWay) => underWay, schedule: Schedule.spaced("100 millis") }),
                Effect.timeoutOption(atMost),
                // The video is made whatever comes of this.
                Effect.ignore
              )
        )
      })
    })
  )
}
