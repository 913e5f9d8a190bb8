import { listenRtmp, type RtmpOptions } from "@kinora/ingest/rtmp/RtmpServer"
import { Data, Effect } from "effect"
import { readFile } from "node:fs/promises"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { RunningLives } from "../session/RunningLives.ts"
import { keepOpen } from "./Door.ts"
import { PlayKeys } from "./PlayKeys.ts"

/** A key or certificate cannot be read. */
class NoCertificate extends Data.TaggedError("NoCertificate")<{ readonly message: string }> {}

const certificate = (keyFile: string, certFile: string) =>
  Effect.tryPromise({
    try: async () => ({ key: await readFile(keyFile, "utf8"), cert: await readFile(certFile, "utf8") }),
    catch: (cause) => new NoCertificate({ message: `RTMPS has no key and certificate: ${String(cause)}` })
  })

/** Listens for publishers, and for those who were given a key to read a stream, by RTMP or RTMPS. */
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
      return yield* listenRtmp(options, handlers)
    })
    return yield* keepOpen(protocol.toUpperCase(), () => settings[protocol], listen)
  })
