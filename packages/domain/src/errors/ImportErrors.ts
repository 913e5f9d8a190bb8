import { Problem } from "./ProblemError.ts"

/** No such import, or one that is no business of who asks. */
export class VideoImportNotFound extends Problem<VideoImportNotFound>()("VideoImportNotFound", {
  status: 404,
  detail: "Video import not found"
}) {}

/** The torrent does not hold exactly one video. */
export class IncorrectFilesInTorrent extends Problem<IncorrectFilesInTorrent>()("IncorrectFilesInTorrent", {
  status: 400,
  code: "incorrect_files_in_torrent",
  detail: "Only torrents with one single video can be imported"
}) {}
