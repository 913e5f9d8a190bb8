import { OneTimeTokens } from "@kinora/storage/users/OneTimeTokens"
import { Layer } from "effect"
import { Mailer } from "../mail/Mailer.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { SessionServices } from "../sessions/SessionServices.ts"

/**
 * Everyone who uses the instance: sessions, users and what is sent to them. Needs `SqlClient`, `KinoraConfig`,
 * `Supervisor`, `JobBoard`, `RateLimitStore`, the object store and the platform.
 */
export const PeopleServices = SessionServices.pipe(
  Layer.provideMerge(Mailer.layer),
  Layer.provideMerge(Layer.mergeAll(SecretBox.layer, OneTimeTokens.layer))
)
