import { type EncoderTrial, HardwareEncoders } from "@kinora/media/hardware/HardwareEncoders"
import { hardwareKinds, softwareEncoder, type VideoEncoder } from "@kinora/media/transcode/VideoEncoder"
import { Context, Effect, Layer, Ref } from "effect"
import { RunnerConfig } from "../config/RunnerConfig.ts"

/**
 * After this many jobs in a row at which a hardware encoder failed and software did not, the hardware encoder is
 * disabled.
 */
const maxFailures = 3

/** Errors of an encoder search. */
interface Failing {
  readonly _tag: string
  readonly message: string
}

/** Errors of the machine, or errors that software encoders would have too. */
const notTheEncoders = new Set(["ToolMissing", "ToolNotStarted", "PlatformError", "ProbeFailed"])

/** An encoder for display: `h264_vaapi (/dev/dri/renderD128)`. */
export const encoderLabel = ({ device, name }: VideoEncoder): string =>
  device === undefined ? name : `${name} (${device})`

/** Chooses a hardware encoder, if the configuration allows it and a trial succeeds. */
export class Encoders extends Context.Service<
  Encoders,
  {
    /**
     * Tries the allowed ones and chooses the first that works; does nothing if `hardware` is `off`. Logs the choice.
     */
    readonly find: Effect.Effect<void>
    /** The results of `find`. */
    readonly trials: Effect.Effect<ReadonlyArray<EncoderTrial>>
    /** The encoder in use. */
    readonly current: Effect.Effect<VideoEncoder>
    /**
     * Runs work with the chosen encoder. If that fails, tries once more in software before the failure is reported.
     * `undefined` means software.
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
              Effect.as(Effect.logWarning(`Hardware encoders could not be detected: ${error.message}`), [])
            )
          )
        yield* Ref.set(trials, found)
        yield* Effect.forEach(found, ({ encoder, words, works }) =>
          Effect.logInfo(`${encoderLabel(encoder)}: ${works ? "works" : words}`)
        )
        const first = found.find(({ works }) => works)?.encoder
        yield* Ref.set(chosen, first)
        yield* first === undefined
          ? Effect.logWarning("No hardware encoder works on this machine. Software encoding is used.")
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
