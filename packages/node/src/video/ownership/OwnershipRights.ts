import { hasRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { OwnershipRequest } from "@kinora/storage/video/ownership/OwnershipRequests"

/** What can be done to a transfer request. */
export type OwnershipAction = "see" | "answer" | "withdraw"

/** Whether the request is about something of the user, or made by them. */
export const takesPart = (asker: CurrentUserShape, request: OwnershipRequest): boolean =>
  asker.accountId === request.initiatorAccountId || asker.accountId === request.ownerAccountId

/**
 * May this user do this to that transfer request? The recipient answers it. The sender, the owner, and users who may
 * give away things of others can withdraw it. Nobody else sees it.
 */
export const mayOnRequest = (asker: CurrentUserShape, action: OwnershipAction, request: OwnershipRequest): boolean => {
  const answers = asker.accountId === request.nextOwnerAccountId
  const withdraws = takesPart(asker, request) || hasRight(asker.role, "CHANGE_VIDEO_OWNERSHIP")
  switch (action) {
    case "see":
      return answers || withdraws
    case "answer":
      return answers
    case "withdraw":
      return withdraws
  }
}
