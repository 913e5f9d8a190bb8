import type { AccountId, TokenId, UserId } from "../ids/Ids.ts"
import { UserRole } from "../enums/UserRole.ts"
import type { CurrentUserShape } from "./CurrentUser.ts"

/** No row has this id. */
const nobody = 0

/**
 * Whoever runs the instance, in a shell. May do what administrators may. Is no user: has no account, so nothing is theirs,
 * and no session.
 */
export const operator: CurrentUserShape = {
  id: nobody as UserId,
  username: "",
  role: UserRole.administrator,
  adminFlags: 0,
  accountId: nobody as AccountId,
  accountName: "",
  videoQuota: -1,
  videoQuotaDaily: -1,
  nsfw: { policy: null, flagsHidden: 0, flagsListed: 0 },
  tokenId: nobody as TokenId
}

export const isOperator = ({ id }: Pick<CurrentUserShape, "id">): boolean => id === nobody
