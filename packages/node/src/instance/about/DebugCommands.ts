import type { DebugCommand } from "@kinora/domain/enums/DebugCommand"
import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { DebugOrder } from "@kinora/domain/requests/DebugRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"

/** The work of each command, by the name under which it is offered to the supervisor. */
const works: Readonly<Record<Exclude<DebugCommand, "test-emails">, string>> = {
  "remove-dandling-resumable-uploads": "upload sweeper",
  "remove-expired-user-exports": "old user exports",
  "process-video-stats-buffer": "views",
  "process-video-viewers": "viewers",
  "process-update-videos-scheduler": "scheduled updates",
  "process-video-channel-sync-latest": "synchronisations",
  "process-remove-old-stats": "old rows"
}

/** Has regular work done at once, for an administrator who looks for a fault. */
export class DebugCommands extends Context.Service<
  DebugCommands,
  {
    /** Returns when the work is done. A test mail goes to `email`, or else to the administrator. */
    readonly run: (user: CurrentUserShape, order: DebugOrder) => Effect.Effect<void, BadRequest | DatabaseUnavailable>
  }
>()("@kinora/node/debug/DebugCommands") {
  static readonly layer = Layer.effect(
    DebugCommands,
    Effect.gen(function* () {
      const { admin } = yield* KinoraConfig
      const supervisor = yield* Supervisor
      const mailer = yield* Mailer
      const audit = yield* AuditTrail

      const testMail = Effect.fnUntraced(function* (to: string) {
        if (!mailer.enabled)
          return yield* new BadRequest({ reason: "This instance cannot send mail: smtp is not configured" })
        yield* mailer.queue({ _tag: "Test", to })
      })

      const run = Effect.fn("DebugCommands.run")(function* (user: CurrentUserShape, { command, email }: DebugOrder) {
        yield* audit.record(user, { domain: "debug", action: "run-command", target: { command } })
        if (command === "test-emails") return yield* testMail(email ?? admin.email)
        yield* supervisor
          .once(works[command])
          .pipe(
            Effect.catch((error) =>
              Effect.flatMap(Effect.logWarning(`The command ${command} failed`, error), () =>
                Effect.fail(new BadRequest({ reason: `The command ${command} failed: the log of the node says why` }))
              )
            )
          )
      })

      return DebugCommands.of({ run })
    })
  )
}
