import { UserRole } from "@kinora/domain/enums/UserRole"
import { Installation } from "@kinora/storage/instance/installation/Installation"
import { Console, Context, Effect, Layer, Redacted } from "effect"
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

/** The notice about a new instance, with a generated password: shown once, on the terminal alone. */
export class SetUpNotice extends Context.Service<
  SetUpNotice,
  {
    /** Shows the notice unless it was shown. It is shown at the latest when the layer is released: the password is nowhere else. */
    readonly show: Effect.Effect<void>
  }
>()("@kinora/node/instance/SetUpNotice") {}

/**
 * Sets up a new instance: administrator `root` with account and channel, application actor, OAuth client. Later starts
 * find it done and do nothing. If two nodes start at once, one of them does it. Returns the notice with a generated password.
 */
const setUp = Effect.gen(function* () {
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
  if (chosen === undefined) return banner(config.derived.origin, password)
  yield* Effect.logInfo("The administrator root was created with the password from the configuration.")
}).pipe(Effect.withSpan("firstStart"))

/**
 * Sets the instance up before anything is served, and shows the notice when it is asked to, on standard error: standard output is
 * for the log, which programs read. Fails with `UserInvalid` when the configured password cannot be used.
 */
export const firstStart = Effect.gen(function* () {
  let notice = yield* setUp
  const show = Effect.suspend(() => {
    const text = notice
    notice = undefined
    return text === undefined ? Effect.void : Console.error(text)
  })
  yield* Effect.addFinalizer(() => show)
  return SetUpNotice.of({ show })
})

export const layer = Layer.effect(SetUpNotice, firstStart)
