import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { resetPasswordLink } from "../../platform/mail/Links.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { OneTimeLinks } from "./OneTimeLinks.ts"

/** Purposes of tokens that set a password. */
export const passwordPurposes = ["reset-password", "create-password"] as const

/**
 * Links that set a password: a new one (60 minutes), or the first one of a user created by an administrator (7 days).
 * The mail is queued in the transaction that writes the token. `PasswordReset` uses them. Nothing is sent if mail is
 * not configured.
 */
export class PasswordLinks extends Context.Service<
  PasswordLinks,
  {
    readonly sendCreate: (userId: number, username: string, email: string) => Effect.Effect<void, DatabaseUnavailable>
    readonly sendReset: (userId: number, username: string, email: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/verification/PasswordLinks") {
  static readonly layer = Layer.effect(
    PasswordLinks,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const sql = yield* SqlClient
      const links = yield* OneTimeLinks
      const mailer = yield* Mailer

      const send = (purpose: (typeof passwordPurposes)[number], mail: "CreatePassword" | "ResetPassword") =>
        Effect.fn("PasswordLinks.send")(
          function* (userId: number, username: string, email: string) {
            if (!mailer.enabled) return
            const token = yield* links.issue(purpose, { _tag: "User", userId }, email)
            yield* mailer.queue({ _tag: mail, to: email, username, link: resetPasswordLink(config, userId, token) })
          },
          sql.withTransaction,
          withDatabaseErrors
        )

      return PasswordLinks.of({
        sendCreate: send("create-password", "CreatePassword"),
        sendReset: send("reset-password", "ResetPassword")
      })
    })
  )
}
