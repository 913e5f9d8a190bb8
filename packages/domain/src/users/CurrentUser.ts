import { Context, type Option } from "effect"
import type { AccountId, TokenId, UserId } from "../ids/Ids.ts"
import type { NsfwPolicy } from "../enums/NsfwFlag.ts"
import type { UserRole } from "../enums/UserRole.ts"

/** What somebody wants of videos that are not safe for work, unless the query says otherwise. */
export interface NsfwChoice {
  /** Null: what the instance does. */
  readonly policy: NsfwPolicy | null
  /** Bit set, see `allNsfwFlags`: videos with any of these are hidden, whatever the policy. */
  readonly flagsHidden: number
  /** Bit set: videos with none but these are listed, whatever the policy. */
  readonly flagsListed: number
}

/** The logged-in user of a request, as much as decisions need. */
export interface CurrentUserShape {
  readonly id: UserId
  readonly username: string
  readonly role: UserRole
  /** Bit set: 1 lets the user's videos bypass automatic blocking. */
  readonly adminFlags: number
  readonly accountId: AccountId
  readonly accountName: string
  /** Bytes, -1 for no limit. */
  readonly videoQuota: number
  /** Bytes in 24 hours, -1 for no limit. */
  readonly videoQuotaDaily: number
  /** What lists do with videos that are not safe for work. */
  readonly nsfw: NsfwChoice
  /** The session the request's access token belongs to. */
  readonly tokenId: TokenId
}

/** Who asks, on routes that need a login. */
export class CurrentUser extends Context.Service<CurrentUser, CurrentUserShape>()("@kinora/domain/users/CurrentUser") {}

/** Who asks, on routes that also answer without a login. */
export class Viewer extends Context.Service<Viewer, { readonly user: Option.Option<CurrentUserShape> }>()(
  "@kinora/domain/users/Viewer"
) {}
