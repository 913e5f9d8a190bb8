import { OAuthClients } from "@kinora/storage/sessions/OAuthClients"
import { TokenRows } from "@kinora/storage/sessions/TokenRows"
import { MyUserRows } from "@kinora/storage/users/MyUserRows"
import { UserRows } from "@kinora/storage/users/UserRows"
import { Layer } from "effect"
import { Users } from "../users/Users.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { OAuthGrants } from "./OAuthGrants.ts"
import { Passwords } from "./Passwords.ts"
import { RateLimitExemption } from "./RateLimitExemption.ts"
import { SessionUpkeep } from "./SessionUpkeep.ts"

const rows = Layer.mergeAll(OAuthClients.layer, TokenRows.layer, UserRows.layer, MyUserRows.layer)

/** Logging in, tokens and users, over the database: needs `SqlClient`, `KinoraConfig` and `Supervisor`. */
export const SessionServices = Layer.merge(RateLimitExemption.layer, SessionUpkeep).pipe(
  Layer.provideMerge(Layer.mergeAll(AccessTokens.layer, OAuthGrants.layer, Users.layer)),
  Layer.provideMerge(Passwords.layer),
  Layer.provideMerge(rows)
)
