import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { call } from "../../api/Call.ts"
import type { VideoDetails } from "./Editable.ts"

const open: ReadonlySet<number> = new Set([VideoPrivacy.public, VideoPrivacy.unlisted])

/** The address of one of the video's files, for who may see the video: a restricted one is opened by a token. */
export const openAddress = async (video: VideoDetails, address: string): Promise<string | undefined> => {
  const { href, origin, pathname } = new URL(address, location.origin)
  // The page may have been reached by another name than the instance's public one.
  const own = origin === location.origin || origin === new URL(video.url).origin ? pathname : href
  if (open.has(video.privacy.id)) return own
  const token = await call("POST /api/v1/videos/:id/token", { params: { id: video.id } })
  return token.ok ? `${own}?videoFileToken=${token.body.files.token}` : undefined
}

/** The smallest file with a picture that the browser can show by itself: renditions for HLS are such files too. */
export const smallestFile = (video: VideoDetails) =>
  [...video.files, ...video.streamingPlaylists.flatMap((it) => it.files)]
    .filter((it) => it.hasVideo)
    .sort((a, b) => a.size - b.size)[0]

/** The address of that file; undefined where there is none. */
export const openFile = async (video: VideoDetails): Promise<string | undefined> => {
  const file = smallestFile(video)
  return file === undefined ? undefined : await openAddress(video, file.fileUrl)
}
