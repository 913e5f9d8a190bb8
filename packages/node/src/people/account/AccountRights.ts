import { hasRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"

/** What of an account not everybody sees. */
export type AccountAction =
  /** Who follows it and its channels. */
  | "followers"
  /** The channels of others it works on. */
  | "collaborations"
  /** Views of its channels. */
  | "figures"
  /** What it rated. */
  | "ratings"
  /** What its channels take over from elsewhere. */
  | "synchronisations"

const moderatorsMay: ReadonlySet<AccountAction> = new Set<AccountAction>(["followers", "collaborations"])

/**
 * May this user see that of this account? The one rule for what belongs to an account: its user may see all, moderators
 * who follows it and what it works on, nobody else anything (specification, rows 20, 23, 24 and 25).
 */
export const mayOnAccount = (asker: CurrentUserShape, action: AccountAction, accountId: number): boolean =>
  asker.accountId === accountId || (moderatorsMay.has(action) && hasRight(asker.role, "MANAGE_USERS"))
