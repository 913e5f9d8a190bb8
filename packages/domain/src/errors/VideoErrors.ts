import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** No such video, or one the viewer may not know of. */
export class VideoNotFound extends Problem<VideoNotFound>()("VideoNotFound", {
  status: 404,
  detail: "Video not found"
}) {}

/** The video has no such file. */
export class VideoFileNotFound extends Problem<VideoFileNotFound>()("VideoFileNotFound", {
  status: 404,
  detail: "Video file not found"
}) {}

/** A static file that is not there (or whose video the viewer may not know of). */
export class FileNotFound extends Problem<FileNotFound>()("FileNotFound", { status: 404, detail: "File not found" }) {}

/** The source of the video was not kept. */
export class VideoSourceNotFound extends Problem<VideoSourceNotFound>()("VideoSourceNotFound", {
  status: 404,
  detail: "Video source not found"
}) {}

/** The viewer may not see the video, and may know that it exists. */
export class VideoForbidden extends Problem<VideoForbidden>()("VideoForbidden", {
  status: 403,
  detail: "You may not see this video"
}) {}

/** The owner of the video does not let it be downloaded. */
export class DownloadDisabled extends Problem<DownloadDisabled>()("DownloadDisabled", {
  status: 403,
  detail: "This video cannot be downloaded"
}) {}

/** A password is needed. */
export class VideoRequiresPassword extends Problem<VideoRequiresPassword>()("VideoRequiresPassword", {
  status: 401,
  code: "video_requires_password",
  detail: "This video requires its password"
}) {}

/** The video's password is another. */
export class IncorrectVideoPassword extends Problem<IncorrectVideoPassword>()("IncorrectVideoPassword", {
  status: 403,
  code: "incorrect_video_password",
  detail: "The video has another password"
}) {}

/** The video is of an instance this one does not follow. */
export class DoesNotRespectFollowConstraints extends Problem<DoesNotRespectFollowConstraints>()(
  "DoesNotRespectFollowConstraints",
  {
    status: 403,
    code: "does_not_respect_follow_constraints",
    detail: "Cannot get this video: this instance does not follow its origin",
    fields: { originUrl: Schema.optionalKey(Schema.String) }
  }
) {}

/** The video is being transcoded already. */
export class VideoAlreadyBeingTranscoded extends Problem<VideoAlreadyBeingTranscoded>()("VideoAlreadyBeingTranscoded", {
  status: 409,
  code: "video_already_being_transcoded",
  detail: "The video is being transcoded already"
}) {}

/** The video is not in a state for the change: to be asked again when it is. */
export class VideoStateConflict extends Problem<VideoStateConflict>()("VideoStateConflict", {
  status: 409,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** Something about the video does not allow the change (the last playable files, a remote video, a live). */
export class VideoChangeRefused extends Problem<VideoChangeRefused>()("VideoChangeRefused", {
  status: 400,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** The page that shows the video in a frame is of a site that may not. What the answer is depends on that page. */
export class EmbedNotAllowed extends Problem<EmbedNotAllowed>()("EmbedNotAllowed", {
  status: 403,
  detail: "This video cannot be shown on this site",
  headers: () => ({ vary: "Referer", "cache-control": "private, no-store" })
}) {}

/** The video has no such password. */
export class VideoPasswordNotFound extends Problem<VideoPasswordNotFound>()("VideoPasswordNotFound", {
  status: 404,
  detail: "Video password not found"
}) {}

/** The video has no captions in the language. */
export class VideoCaptionNotFound extends Problem<VideoCaptionNotFound>()("VideoCaptionNotFound", {
  status: 404,
  detail: "Video caption not found"
}) {}

/** The video has captions, and was not to get others in their place. */
export class VideoAlreadyHasCaptions extends Problem<VideoAlreadyHasCaptions>()("VideoAlreadyHasCaptions", {
  status: 400,
  code: "video_already_has_captions",
  detail: "The video has captions already"
}) {}
