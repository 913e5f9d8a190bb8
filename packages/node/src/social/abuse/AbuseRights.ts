import { hasRight } from "@kinora/domain/enums/UserRight"
import { UserRole } from "@kinora/domain/enums/UserRole"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { AbuseFacts } from "@kinora/storage/social/abuse/AbuseRows"
import type { AbuseMessageFacts } from "@kinora/storage/social/abuse/AbuseMessageRows"

type Abuse = Pick<AbuseFacts, "flaggedAccountId" | "reporterId">

/** Whether a moderator sees reports about themselves: administrators do, since an instance may have nobody else. */
export const seesReportsAboutSelf = (user: CurrentUserShape): boolean => user.role === UserRole.administrator

/** Whether the user decides on the report. Whoever was reported is not shown who reported. */
export const mayModerate = (abuse: Abuse, user: CurrentUserShape): boolean =>
  hasRight(user.role, "MANAGE_ABUSES") && (abuse.flaggedAccountId !== user.accountId || seesReportsAboutSelf(user))

export const isReporter = (abuse: Abuse, user: CurrentUserShape): boolean => abuse.reporterId === user.accountId

/** Whether the user takes part in the conversation about a report. */
export const mayTalk = (abuse: Abuse, user: CurrentUserShape): boolean =>
  isReporter(abuse, user) || mayModerate(abuse, user)

/** Whether a message may be deleted by somebody who takes part: by its author, and by moderators. */
export const mayDeleteMessage = (abuse: Abuse, message: AbuseMessageFacts, user: CurrentUserShape): boolean =>
  message.accountId === user.accountId || mayModerate(abuse, user)
