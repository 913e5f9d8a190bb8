import { listenRtmp, type RtmpOptions } from "@kinora/ingest/rtmp/RtmpServer"
import { Data, Duration, Effect } from "effect"
import { readFile } from "node:fs/promises"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { RunningLives } from "../session/RunningLives.ts"
import { PlayKeys } from "./PlayKeys.ts"
import { whileEnabled } from "./WhileEnabled.ts"

/** A key or certificate cannot be read. */
class NoCertificate extends Data.TaggedError("NoCertificate")<{ readonly message: string }> {}

/** A port that is taken may be free later. */
const tryAgainAfter = Duration.seconds(30)

const certificate = (keyFile: string, certFile: string) =>
  Effect.tryPromise({
    try: async () => ({ key: await readFile(keyFile, "utf8"), cert: await readFile(certFile, "utf8") }),
    catch: (cause) => new NoCertificate({ message: `RTMPS has no key and certificate: ${String(cause)}` })
  })

/**
 * Listens for publishers, and for those who were given a key to read a stream, by RTMP or RTMPS as long as the configuration says so, forever. A port that cannot be listened on is
 * tried again: the rest of the node does not depend on it.
 */
export const rtmpTask = (protocol: "rtmp" | "rtmps") =>
  Effect.gen(function* () {
    const settings = yield* LiveSettings
    const lives = yield* RunningLives
    const keys = yield* PlayKeys
    const handlers = { publish: lives.publish, play: keys.play }

    const listen = Effect.gen(function* () {
      const { host, port } = settings[protocol]
      const { certFile, keyFile } = settings.rtmps
      const options: RtmpOptions =
        protocol === "rtmp" ? { host, port } : { host, port, tls: yield* certificate(keyFile, certFile) }
      const { port: listening } = yield* listenRtmp(options, handlers)
      yield* Effect.logInfo(`Lives are taken by ${protocol.toUpperCase()} on ${host}:${listening}`)
      return yield* Effect.never
    }).pipe(
      Effect.scoped,
      Effect.catch((error) => Effect.andThen(Effect.logError(error.message), Effect.sleep(tryAgainAfter)))
    )

    return yield* whileEnabled(() => settings[protocol], Effect.forever(listen))
  })
