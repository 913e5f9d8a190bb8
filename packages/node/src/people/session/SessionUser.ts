import { allNsfwFlags, nsfwPolicies } from "@kinora/domain/enums/NsfwFlag"
import type { CurrentUserShape, NsfwChoice } from "@kinora/domain/users/CurrentUser"
import type { TokenSession } from "@kinora/storage/people/session/TokenRows"

/** Unknown values count as not chosen: broken preferences must not lock out their user. */
const flags = (stored: string | null): number => Number(stored) & allNsfwFlags

/** The NSFW choices of a user, from a session or any row with the same columns. */
export const nsfwChoice = (
  session: Pick<
    TokenSession,
    "nsfwPolicy" | "nsfwFlagsHidden" | "nsfwFlagsDisplayed" | "nsfwFlagsWarned" | "nsfwFlagsBlurred"
  >
): NsfwChoice => ({
  policy: nsfwPolicies.find((policy) => policy === session.nsfwPolicy) ?? null,
  flagsHidden: flags(session.nsfwFlagsHidden),
  flagsListed: flags(session.nsfwFlagsDisplayed) | flags(session.nsfwFlagsWarned) | flags(session.nsfwFlagsBlurred)
})

/** The user a session speaks for. */
export const sessionUser = (session: TokenSession): CurrentUserShape =>
  ({
    id: session.userId,
    username: session.username,
    role: session.role,
    adminFlags: session.adminFlags,
    accountId: session.accountId,
    accountName: session.accountName,
    videoQuota: session.videoQuota,
    videoQuotaDaily: session.videoQuotaDaily,
    nsfw: nsfwChoice(session),
    tokenId: session.tokenId
  }) as CurrentUserShape
