import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { ClientLog } from "@kinora/domain/requests/LogRequests"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** Takes reports of errors in browsers into the node's log. */
export class ClientLogs extends Context.Service<
  ClientLogs,
  {
    /** Writes the report down, beside who was logged in. Refused where `log.accept_client_log` says so. */
    readonly take: (report: ClientLog, username: string | undefined) => Effect.Effect<void, Forbidden>
  }
>()("@kinora/node/logs/ClientLogs") {
  static readonly layer = Layer.effect(
    ClientLogs,
    Effect.map(KinoraConfig, ({ log }) =>
      ClientLogs.of({
        take: Effect.fn("ClientLogs.take")(function* ({ level, message, ...report }, username) {
          if (!log.accept_client_log)
            return yield* new Forbidden({ reason: "This instance takes no reports of browsers" })
          const noted = Object.fromEntries(
            Object.entries({ ...report, username }).filter(([, value]) => value !== undefined && value !== null)
          )
          const write = level === "error" ? Effect.logError : Effect.logWarning
          yield* Effect.annotateLogs(write(`In a browser: ${message}`), { tag: "client", ...noted })
        })
      })
    )
  )
}
