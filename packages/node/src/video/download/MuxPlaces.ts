import { clientKey } from "@kinora/domain/network/ClientKey"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { DownloadSettings } from "./DownloadSettings.ts"

/** Counts the tools that put videos together, so that nobody fills the machine with them. */
export class MuxPlaces extends Context.Service<
  MuxPlaces,
  {
    /** Takes a place for as long as the scope lives; refused while all, or all of one client, are taken. */
    readonly take: (address: string) => Effect.Effect<void, RateLimited, Scope.Scope>
    /** Places taken now. */
    readonly taken: () => number
  }
>()("@kinora/node/downloads/MuxPlaces") {
  static readonly layer = Layer.effect(
    MuxPlaces,
    Effect.gen(function* () {
      const { download } = yield* KinoraConfig
      const settings = yield* DownloadSettings
      const clients = new Map<string, number>()
      let taken = 0

      const enter = (client: string) =>
        Effect.suspend(() => {
          const mine = clients.get(client) ?? 0
          if (taken >= download.max_generated_videos || mine >= settings.muxesOfClient) {
            return Effect.fail(
              new RateLimited({ retryAfterSeconds: Math.ceil(Duration.toSeconds(settings.retryAfter)) })
            )
          }
          taken++
          clients.set(client, mine + 1)
          return Effect.void
        })

      const leave = (client: string) =>
        Effect.sync(() => {
          taken--
          const mine = (clients.get(client) ?? 1) - 1
          if (mine === 0) clients.delete(client)
          else clients.set(client, mine)
        })

      return MuxPlaces.of({
        take: (address) => {
          const client = clientKey(address)
          return Effect.acquireRelease(enter(client), () => leave(client))
        },
        taken: () => taken
      })
    })
  )
}
