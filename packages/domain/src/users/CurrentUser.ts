import { Context, type Option } from "effect"
import type { AccountId, TokenId, UserId } from "../ids/Ids.ts"
import type { UserRole } from "../enums/UserRole.ts"

/** The logged-in user of a request, as much as decisions need. */
export interface CurrentUserShape {
  readonly id: UserId
  readonly username: string
  readonly role: UserRole
  /** Bit set, see UserAdminFlag. */
  readonly adminFlags: number
  readonly accountId: AccountId
  readonly accountName: string
  /** Bytes, -1 for no limit. */
  readonly videoQuota: number
  /** Bytes in 24 hours, -1 for no limit. */
  readonly videoQuotaDaily: number
  /** The session the request's access token belongs to. */
  readonly tokenId: TokenId
}

/** Who asks, on routes that need a login. */
export class CurrentUser extends Context.Service<CurrentUser, CurrentUserShape>()("@kinora/domain/users/CurrentUser") {}

/** Who asks, on routes that also answer without a login. */
export class Viewer extends Context.Service<Viewer, { readonly user: Option.Option<CurrentUserShape> }>()(
  "@kinora/domain/users/Viewer"
) {}
