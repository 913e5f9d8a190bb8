import { allNsfwFlags, nsfwPolicies } from "@kinora/domain/enums/NsfwFlag"
import type { CurrentUserShape, NsfwChoice } from "@kinora/domain/users/CurrentUser"
import type { TokenSession } from "@kinora/storage/people/session/TokenRows"

/** What is nothing we know counts as not chosen: preferences that went wrong must not lock their user out. */
const flags = (stored: string | null): number => Number(stored) & allNsfwFlags

/** What the user of a session, or of anything that stores it as sessions are read, chose. */
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
