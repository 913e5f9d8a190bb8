import { type FetchError } from "@kinora/federation/fetch/FetchError"
import type { TorrentError } from "@kinora/torrent/metainfo/TorrentError"
import type { YtDlpError } from "@kinora/media/ytdlp/YtDlpErrors"
import { Data } from "effect"

/**
 * A failed import, as one sentence for the user. It reveals nothing about this machine, and nothing about other servers
 * that the user could not see.
 */
export class ImportFailed extends Data.TaggedError("ImportFailed")<{ readonly message: string }> {}

const failed = (message: string) => new ImportFailed({ message })

/** Why a file cannot be fetched. `tooLarge` is the error of the size limit. */
export const fetchFailed = ({ reason }: FetchError, tooLarge: ImportFailed): ImportFailed => {
  switch (reason._tag) {
    case "Refused":
      return failed("The address leads to where this instance fetches nothing")
    case "TooManyRedirects":
      return failed("The address redirects too often, or in a circle")
    case "TooLarge":
      return tooLarge
    case "WrongType":
      return failed("There is no video at this address")
    case "TimedOut":
      return failed("The host of the address did not answer in time")
    case "BadStatus":
      return failed(`The host of the address answered with status ${reason.status}`)
    case "Unreachable":
      return failed("The host of the address cannot be reached, or broke the connection off")
    case "Malformed":
      return failed("The answer of the host cannot be read")
    case "Busy":
      return failed("The host of the address failed or was asked too often: try again later")
    case "NotWritten":
      return failed("This instance has not enough disk space for the file")
  }
}

/** Why a page gives no video. */
export const pageFailed = (error: YtDlpError, tooLarge: ImportFailed): ImportFailed => {
  switch (error._tag) {
    case "YtDlpMissing":
      return failed("There is no video file at this address, and this instance cannot look for one in pages")
    case "ExternalTooLarge":
      return tooLarge
    case "ExternalUnusable":
      return failed(error.message)
    case "YtDlpFailed":
      return error.reason === "timeout"
        ? failed("It took too long to find the video of this page")
        : failed(`The video of this page cannot be fetched: ${error.message}`)
  }
}

/** Why a torrent gives no video. */
export const torrentFailed = (error: TorrentError, tooLarge: ImportFailed): ImportFailed => {
  switch (error._tag) {
    case "TorrentUnusable":
      return failed("The torrent or magnet link cannot be read")
    case "TorrentFilesWrong":
      return failed("The torrent does not hold exactly one video")
    case "TorrentTooLarge":
      return tooLarge
    case "TorrentUnreachable":
      return failed("Nobody who has the torrent could be found, or they stopped sending")
    case "TorrentRefused":
      return failed("The torrent names nobody this instance would connect to")
    case "TorrentNotWritten":
      return failed("This instance has not enough disk space for the file")
  }
}
