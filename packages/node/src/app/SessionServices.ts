import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { OAuthClients } from "@kinora/storage/people/session/OAuthClients"
import { SessionNotices } from "@kinora/storage/people/session/SessionNotices"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { MyUserReads } from "@kinora/storage/people/user/MyUserReads"
import { MyUserRows } from "@kinora/storage/people/user/MyUserRows"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Layer } from "effect"
import { Users } from "../people/user/Users.ts"
import { AccessTokens } from "../people/session/AccessTokens.ts"
import { CurrentPassword } from "../people/session/CurrentPassword.ts"
import { SessionEvents } from "../people/session/SessionEvents.ts"
import { LoginLockout } from "../people/login/LoginLockout.ts"
import { OAuthGrants } from "../people/login/OAuthGrants.ts"
import { PasswordGrant } from "../people/login/PasswordGrant.ts"
import { PasswordConfirmation } from "../people/session/PasswordConfirmation.ts"
import { Passwords } from "../people/session/Passwords.ts"
import { RateLimitExemption } from "../people/session/RateLimitExemption.ts"
import { SessionListener } from "../people/session/SessionListener.ts"
import { SessionUpkeep } from "../people/session/SessionUpkeep.ts"
import { Sessions } from "../people/session/Sessions.ts"

const rows = Layer.mergeAll(
  LoginRows.layer,
  OAuthClients.layer,
  TokenRows.layer,
  SessionNotices.layer,
  UserRows.layer,
  MyUserReads.layer,
  MyUserRows.layer
)

const grants = OAuthGrants.layer.pipe(Layer.provide(PasswordGrant.layer), Layer.provide(LoginLockout.layer))

/**
 * Logging in, tokens and users, over the database: needs `PgClient`, `KinoraConfig`, `Supervisor`, `RateLimitStore`,
 * `Mailer` and `TwoFactor`.
 */
export const SessionServices = Layer.mergeAll(
  RateLimitExemption.layer,
  PasswordConfirmation.layer,
  Sessions.layer,
  SessionUpkeep,
  SessionListener
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(AccessTokens.layer, grants, CurrentPassword.layer, Users.layer, SessionEvents.layer)
  ),
  Layer.provideMerge(Passwords.layer),
  Layer.provideMerge(rows)
)
