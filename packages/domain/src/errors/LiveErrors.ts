import { Problem } from "./ProblemError.ts"

/** The instance takes no lives. */
export class LiveNotEnabled extends Problem<LiveNotEnabled>()("LiveNotEnabled", {
  status: 403,
  code: "live_not_enabled",
  detail: "Live streaming is not enabled on this instance"
}) {}

/** The instance keeps no replays. */
export class LiveReplayNotAllowed extends Problem<LiveReplayNotAllowed>()("LiveReplayNotAllowed", {
  status: 403,
  code: "live_not_allowing_replay",
  detail: "Replays of lives are not kept on this instance"
}) {}

/** The instance has as many lives as it allows. */
export class MaxInstanceLivesReached extends Problem<MaxInstanceLivesReached>()("MaxInstanceLivesReached", {
  status: 403,
  code: "max_instance_lives_limit_reached",
  detail: "This instance has reached its maximum number of lives"
}) {}

/** The user has as many lives as the instance allows. */
export class MaxUserLivesReached extends Problem<MaxUserLivesReached>()("MaxUserLivesReached", {
  status: 403,
  code: "max_user_lives_limit_reached",
  detail: "You have reached your maximum number of lives"
}) {}

/** No such live: another kind of video, or one of another instance. */
export class LiveNotFound extends Problem<LiveNotFound>()("LiveNotFound", {
  status: 404,
  detail: "Live video not found"
}) {}

/** The video is not the replay of a session, or there was none. */
export class LiveSessionNotFound extends Problem<LiveSessionNotFound>()("LiveSessionNotFound", {
  status: 404,
  detail: "Live session not found"
}) {}

/** A player waits for a part of a playlist that makes no sense, or is too far off (RFC 8216bis §6.2.5.2). */
export class InvalidDeliveryDirectives extends Problem<InvalidDeliveryDirectives>()("InvalidDeliveryDirectives", {
  status: 400,
  detail: "The delivery directives of the request do not fit the playlist"
}) {}
