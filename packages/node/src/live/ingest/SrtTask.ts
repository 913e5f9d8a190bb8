import type { SrtHandlers } from "@kinora/ingest/srt/SrtHandlers"
import { listenSrt } from "@kinora/ingest/srt/SrtServer"
import { RemuxToFlv } from "@kinora/media/live/RemuxToFlv"
import { Effect, Redacted } from "effect"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { RunningLives } from "../session/RunningLives.ts"
import { keepOpen } from "./Door.ts"
import { transportPublisher } from "./TransportPublisher.ts"

/** Listens for publishers by SRT. */
export const srtTask = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const lives = yield* RunningLives
  const remux = yield* RemuxToFlv
  const handlers: SrtHandlers = {
    publish: (request) => Effect.flatMap(lives.publish(request), (publisher) => transportPublisher(remux, publisher))
  }
  const listen = Effect.suspend(() => {
    const { host, passphrase, port } = settings.srt
    const secret = passphrase === undefined ? {} : { passphrase: Redacted.value(passphrase) }
    return listenSrt({ host, port, ...secret }, handlers)
  })
  return yield* keepOpen("SRT", () => settings.srt, listen)
})
