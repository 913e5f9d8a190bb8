import { hasRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { OwnershipRequest } from "@kinora/storage/video/ownership/OwnershipRequests"

/** What can be done to a request that somebody takes over a video or a channel. */
export type OwnershipAction = "see" | "answer" | "withdraw"

/**
 * May this user do this to that request? Who is asked to take over answers; who asked, the owner, and whoever may give
 * away what is others', take it back. Nobody else learns of it.
 */
export const mayOnRequest = (asker: CurrentUserShape, action: OwnershipAction, request: OwnershipRequest): boolean => {
  const answers = asker.accountId === request.nextOwnerAccountId
  const withdraws =
    asker.accountId === request.initiatorAccountId ||
    asker.accountId === request.ownerAccountId ||
    hasRight(asker.role, "CHANGE_VIDEO_OWNERSHIP")
  switch (action) {
    case "see":
      return answers || withdraws
    case "answer":
      return answers
    case "withdraw":
      return withdraws
  }
}
