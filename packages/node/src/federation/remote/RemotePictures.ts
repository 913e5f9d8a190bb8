import type { PictureLink } from "@kinora/federation/objects/ObjectShape"
import type { RemotePicture } from "@kinora/storage/federation/remote/NewRemoteActor"

/** Longer sides are shown, and copied, no longer than this, in pixels. */
const longest = 1_920

const sized =
  (width: number, height: number) =>
  (picture: PictureLink): RemotePicture => {
    const w = picture.width ?? width
    const h = picture.height ?? Math.max(1, Math.round((w * height) / width))
    const scale = Math.min(1, longest / Math.max(w, h))
    return { url: picture.url, width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) }
  }

/** Sizes where nobody says (enums.json: ImageSizes). */
export const avatarOf = sized(120, 120)
export const bannerOf = sized(1_920, 317)
/** Of a playlist. */
export const thumbnailOf = sized(280, 157)
const previewOf = sized(850, 480)

export interface Thumbnail extends RemotePicture {
  readonly type: 1 | 2
}

/** Small pictures of a video and large ones, from what its origin has: one picture serves as both. */
export const thumbnailsOf = (pictures: ReadonlyArray<PictureLink>): ReadonlyArray<Thumbnail> => {
  if (pictures.length === 0) return []
  const known = pictures.map(previewOf).sort((a, b) => a.width - b.width)
  const small = known.filter((it) => it.width <= 400)
  const large = known.filter((it) => it.width > 400)
  const miniatures = small.length > 0 ? small : [thumbnailOf({ url: known[0]!.url, width: null, height: null })]
  return [
    ...miniatures.map((it) => ({ type: 1 as const, ...it })),
    ...(large.length > 0 ? large : [known[known.length - 1]!]).map((it) => ({ type: 2 as const, ...it }))
  ]
}
