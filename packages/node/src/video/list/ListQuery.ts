import { UnauthorizedRequest, Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { NsfwPolicy } from "@kinora/domain/enums/NsfwFlag"
import { hasRight } from "@kinora/domain/enums/UserRight"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { CurrentUserShape, NsfwChoice } from "@kinora/domain/users/CurrentUser"
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
 * What the reader chose about videos that are not safe for work, where the query says nothing: `nsfw` stands above all of
 * it, and each parameter of flags above the flags it is about.
 */
const withChoice = (query: VideoListQuery, choice: NsfwChoice, instancePolicy: NsfwPolicy): VideoListQuery => {
  if (query.nsfw !== undefined) return query
  const hides = (choice.policy ?? instancePolicy) === "do_not_list"
  return {
    ...query,
    ...(hides ? { nsfw: "false" } : {}),
    ...(hides && query.nsfwFlagsIncluded === undefined
      ? { nsfwFlagsListed: choice.flagsListed & ~(query.nsfwFlagsExcluded ?? 0) }
      : {}),
    ...(query.nsfwFlagsExcluded === undefined
      ? { nsfwFlagsExcluded: choice.flagsHidden & ~(query.nsfwFlagsIncluded ?? 0) }
      : {})
  }
}

const noChoice: NsfwChoice = { policy: null, flagsHidden: 0, flagsListed: 0 }

/**
 * The query as it may be run for the user: filters that show more than everybody may list are for moderators
 * (specification, row 19), and what the query leaves open about sensitive videos is what the user chose, or the
 * instance's policy.
 */
export const permittedQuery = (
  query: VideoListQuery,
  user: Option.Option<Pick<CurrentUserShape, "role" | "nsfw">>,
  nsfwPolicy: NsfwPolicy
): Result.Result<VideoListQuery, UnauthorizedRequest | Forbidden> => {
  if (needsModerator(query, Option.isSome(user))) {
    if (Option.isNone(user)) return Result.fail(new UnauthorizedRequest())
    if (!hasRight(user.value.role, "SEE_ALL_VIDEOS")) {
      return Result.fail(new Forbidden({ reason: "These filters are for moderators and administrators" }))
    }
  }
  const choice = Option.isNone(user) ? noChoice : user.value.nsfw
  return Result.succeed(withChoice(query, choice, nsfwPolicy))
}
