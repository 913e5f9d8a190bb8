import { clientKey } from "@kinora/domain/network/ClientKey"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { DownloadSettings } from "./DownloadSettings.ts"

/** Limits the running muxes, so that clients cannot overload the machine. */
export class MuxSlots extends Context.Service<
  MuxSlots,
  {
    /** Takes a slot until the scope closes. Refused if all slots, or all of this client, are taken. */
    readonly take: (address: string) => Effect.Effect<void, RateLimited, Scope.Scope>
    /** Slots in use. */
    readonly taken: () => number
  }
>()("@kinora/node/downloads/MuxSlots") {
  static readonly layer = Layer.effect(
    MuxSlots,
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

      return MuxSlots.of({
        take: (address) => {
          const client = clientKey(address)
          return Effect.acquireRelease(enter(client), () => leave(client))
        },
        taken: () => taken
      })
    })
  )
}
