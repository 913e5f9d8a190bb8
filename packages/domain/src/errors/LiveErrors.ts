import { Schema } from "effect"
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

/** No key, or one that opens no live. */
export class StreamKeyUnknown extends Problem<StreamKeyUnknown>()("StreamKeyUnknown", {
  status: 401,
  code: "unknown_stream_key",
  detail: "This stream key opens no live",
  headers: () => ({ "www-authenticate": "Bearer" })
}) {}

/** The live cannot be published: it has ended, or is blocked, or the instance takes no lives. */
export class PublishingRefused extends Problem<PublishingRefused>()("PublishingRefused", {
  status: 403,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** Somebody publishes this live. */
export class AlreadyPublishing extends Problem<AlreadyPublishing>()("AlreadyPublishing", {
  status: 409,
  code: "live_already_published",
  detail: "This live is being published already"
}) {}

/** What the publisher offers is no session description, or lacks what every one has. */
export class OfferMalformed extends Problem<OfferMalformed>()("OfferMalformed", {
  status: 400,
  detail: ({ reason }) => `The offer cannot be read: ${reason}`,
  fields: { reason: Schema.String }
}) {}

/** The publisher offers nothing that is taken here. */
export class OfferNotTaken extends Problem<OfferNotTaken>()("OfferNotTaken", {
  status: 422,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** The publication has ended, or never was. */
export class PublicationNotFound extends Problem<PublicationNotFound>()("PublicationNotFound", {
  status: 404,
  detail: "This publication has ended"
}) {}

/** WebRTC is not listened for, or as many publishers connect as may at once. */
export class PublishingUnavailable extends Problem<PublishingUnavailable>()("PublishingUnavailable", {
  status: 503,
  detail: "Publishers cannot be taken at the moment: try again",
  headers: () => ({ "retry-after": "10" })
}) {}
