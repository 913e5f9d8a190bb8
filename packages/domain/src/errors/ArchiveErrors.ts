import { Problem } from "./ProblemError.ts"

/** The videos of the user take more than an archive of this instance may. */
export class UserExportTooLarge extends Problem<UserExportTooLarge>()("UserExportTooLarge", {
  status: 403,
  code: "max_user_video_quota_exceeded_for_user_export",
  detail: "The videos are larger than an archive of this instance may be: request one without video files"
}) {}

/** No such archive of this user, or not any more. */
export class UserExportNotFound extends Problem<UserExportNotFound>()("UserExportNotFound", {
  status: 404,
  detail: "User export not found"
}) {}

/** The link to an archive is invalid or has expired; the list of archives has a new one. */
export class UserExportLinkRefused extends Problem<UserExportLinkRefused>()("UserExportLinkRefused", {
  status: 403,
  detail: "This link to the archive is invalid or has expired"
}) {}

/** The user has not imported anything yet. */
export class UserImportNotFound extends Problem<UserImportNotFound>()("UserImportNotFound", {
  status: 404,
  detail: "User import not found"
}) {}
