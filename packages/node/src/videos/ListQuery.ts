import { UnauthorizedRequest, Forbidden } from "@kinora/domain/errors/AuthErrors"
import { hasRight } from "@kinora/domain/enums/UserRight"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Option, Result } from "effect"

/** Whether the query names something only moderators may list. */
const needsModerator = (query: VideoListQuery, loggedIn: boolean): boolean =>
  (query.include ?? 0) !== 0 ||
  query.stateOneOf !== undefined ||
  query.autoTagOneOf !== undefined ||
  (query.privacyOneOf ?? []).some(
    (privacy) => privacy !== VideoPrivacy.public && !(loggedIn && privacy === VideoPrivacy.internal)
  )

/**
 * The query as it may be run for the user: filters that show more than everybody may list are for moderators
 * (specification, row 19), and sensitive videos are left out when that is the instance's policy and the query says
 * nothing.
 */
export const permittedQuery = (
  query: VideoListQuery,
  user: Option.Option<CurrentUserShape>,
  nsfwPolicy: string
): Result.Result<VideoListQuery, UnauthorizedRequest | Forbidden> => {
  if (needsModerator(query, Option.isSome(user))) {
    if (Option.isNone(user)) return Result.fail(new UnauthorizedRequest())
    if (!hasRight(user.value.role, "SEE_ALL_VIDEOS")) {
      return Result.fail(new Forbidden({ reason: "These filters are for moderators and administrators" }))
    }
  }
  return Result.succeed(query.nsfw === undefined && nsfwPolicy === "do_not_list" ? { ...query, nsfw: "false" } : query)
}
