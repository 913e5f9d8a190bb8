import { UserRole } from "@kinora/domain/enums/UserRole"
import { Installation } from "@kinora/storage/instance/installation/Installation"
import { Console, Effect, Layer, Redacted } from "effect"
import { applicationActorName } from "../../federation/activitypub/ApplicationActor.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { newClientId, newClientSecret, newPassword } from "../../people/session/RandomText.ts"
import { newKeyPair } from "../../people/user/KeyPair.ts"
import { localActor } from "../../people/user/LocalActor.ts"
import { Users } from "../../people/user/Users.ts"

const banner = (origin: string, password: string): string =>
  [
    "",
    "  Kinora is set up. This is shown only now:",
    "",
    `    address    ${origin}`,
    "    user name  root",
    `    password   ${password}`,
    "",
    "  Next: open the address, log in and upload a video. docs/operating.md describes how to publish the instance.",
    ""
  ].join("\n")

/**
 * Sets up a new instance: administrator `root` with account and channel, application actor, OAuth client. Later starts
 * find it done and do nothing. If two nodes start at once, one of them does it.
 *
 * A generated password is written to the terminal after everything is stored, and only there: it bypasses the logger.
 */
export const firstStart = Effect.gen(function* () {
  const installation = yield* Installation
  if (yield* installation.isDone) return
  const config = yield* KinoraConfig
  const users = yield* Users
  const chosen = config.root.password === null ? undefined : Redacted.value(config.root.password)
  const password = chosen ?? newPassword()
  const [administrator, applicationKeys] = yield* Effect.all(
    [
      users.prepare({ username: "root", email: config.admin.email, password, role: UserRole.administrator }),
      newKeyPair
    ],
    { concurrency: "unbounded" }
  )
  const written = yield* installation.install({
    administrator,
    applicationActor: localActor(config.derived.origin, "Application", applicationActorName, applicationKeys),
    client: { id: newClientId(), secret: newClientSecret() }
  })
  if (!written) return
  yield* chosen === undefined
    ? Console.log(banner(config.derived.origin, password))
    : Effect.logInfo("The administrator root was created with the password from the configuration.")
}).pipe(Effect.withSpan("firstStart"))

/** Runs before anything is served. Fails with `UserInvalid` when the configured password cannot be used. */
export const layer = Layer.effectDiscard(firstStart)
