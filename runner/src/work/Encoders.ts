import { type EncoderTrial, HardwareEncoders } from "@kinora/media/hardware/HardwareEncoders"
import { hardwareKinds, softwareEncoder, type VideoEncoder } from "@kinora/media/transcode/VideoEncoder"
import { Context, Effect, Layer, Ref } from "effect"
import { RunnerConfig } from "../config/RunnerConfig.ts"

/** Jobs in a row that a hardware encoder may fail at where software did not; then it is left alone. */
const maxFailures = 3

/** What a search may end in that says nothing of the encoders. */
interface Failing {
  readonly _tag: string
  readonly message: string
}

/** Failures of the machine, or of what software would not do better. */
const notTheEncoders = new Set(["ToolMissing", "ToolNotStarted", "PlatformError", "ProbeFailed"])

/** An encoder as people read it: `h264_vaapi (/dev/dri/renderD128)`. */
export const encoderLabel = ({ device, name }: VideoEncoder): string =>
  device === undefined ? name : `${name} (${device})`

/** Hardware encoders, where the configuration allows them and a trial says that they work. */
export class Encoders extends Context.Service<
  Encoders,
  {
    /** Tries what is allowed and chooses the first that works; nothing when `hardware` is `off`. Logs the choice. */
    readonly find: Effect.Effect<void>
    /** What `find` found. */
    readonly trials: Effect.Effect<ReadonlyArray<EncoderTrial>>
    /** What encodes now. */
    readonly current: Effect.Effect<VideoEncoder>
    /**
     * Does work with the encoder that was chosen; when that fails, once more in software, before the failure is reported.
     * `undefined` is software.
     */
    readonly encode: <A, E extends Failing, R>(
      work: (encoder: VideoEncoder | undefined) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("@kinora/runner/work/Encoders") {
  static readonly layer = Layer.effect(
    Encoders,
    Effect.gen(function* () {
      const { media } = yield* RunnerConfig
      const hardware = yield* HardwareEncoders
      const trials = yield* Ref.make<ReadonlyArray<EncoderTrial>>([])
      const chosen = yield* Ref.make<VideoEncoder | undefined>(undefined)
      const failures = yield* Ref.make(0)

      const find = Effect.gen(function* () {
        if (media.hardware === "off") return
        const kinds = media.hardware === "auto" ? hardwareKinds : [media.hardware]
        const found = yield* hardware
          .search({ codec: media.codec, kinds, device: media.device })
          .pipe(
            Effect.catch((error) =>
              Effect.as(Effect.logWarning(`Hardware encoders were not looked for: ${error.message}`), [])
            )
          )
        yield* Ref.set(trials, found)
        yield* Effect.forEach(found, ({ encoder, words, works }) =>
          Effect.logInfo(`${encoderLabel(encoder)}: ${works ? "works" : words}`)
        )
        const first = found.find(({ works }) => works)?.encoder
        yield* Ref.set(chosen, first)
        yield* first === undefined
          ? Effect.logWarning("No hardware encoder works here: software encodes")
          : Effect.logInfo(`${encoderLabel(first)} encodes; software takes over what it fails at`)
      }).pipe(Effect.withSpan("Encoders.find"))

      const encode = <A, E extends Failing, R>(
        work: (encoder: VideoEncoder | undefined) => Effect.Effect<A, E, R>
      ): Effect.Effect<A, E, R> =>
        Effect.gen(function* () {
          const encoder = yield* Ref.get(chosen)
          if (encoder === undefined) return yield* work(undefined)
          const label = encoderLabel(encoder)
          return yield* work(encoder).pipe(
            Effect.tap(() => Ref.set(failures, 0)),
            Effect.catchIf(
              ({ _tag }) => !notTheEncoders.has(_tag),
              (error) =>
                Effect.gen(function* () {
                  yield* Effect.logWarning(`${label} failed, software tries again: ${error.message}`)
                  const made = yield* work(undefined)
                  if ((yield* Ref.updateAndGet(failures, (count) => count + 1)) < maxFailures) return made
                  yield* Ref.set(chosen, undefined)
                  yield* Effect.logWarning(
                    `${label} is left alone until the next start: it failed ${maxFailures} jobs in a row`
                  )
                  return made
                })
            )
          )
        })

      return Encoders.of({
        find,
        trials: Ref.get(trials),
        current: Effect.map(Ref.get(chosen), (encoder) => encoder ?? softwareEncoder(media.codec)),
        encode
      })
    })
  )
}
