import type { MediaInfo } from "../probe/MediaInfo.ts"

/** Sizes are pixels, `spriteDuration` whole seconds: the fields of the API's Storyboard. */
export interface StoryboardPlan {
  readonly totalWidth: number
  readonly totalHeight: number
  readonly spriteWidth: number
  readonly spriteHeight: number
  readonly spriteDuration: number
  readonly columns: number
  readonly rows: number
  readonly count: number
}

export interface StoryboardFile {
  readonly path: string
  readonly totalWidth: number
  readonly totalHeight: number
  readonly spriteWidth: number
  readonly spriteHeight: number
  readonly spriteDuration: number
}

/** Output options of the finished sheet, one jpeg. */
export const sheetArguments = ["-frames:v", "1", "-c:v", "mjpeg", "-q:v", "4", "-update", "1", "-f", "image2"] as const

const spriteMaxSize = 192
const maxEdge = 11

const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2)

/**
 * A sheet of at most 11 × 11 sprites, one every whole number of seconds, with at most 192 pixels on the longer side.
 * Undefined for audio only. A player finds the sprite of second t at floor(t / spriteDuration), row by row.
 */
export const storyboardPlan = (info: MediaInfo): StoryboardPlan | undefined => {
  if (info.video === undefined) return undefined
  const { height, width } = info.video
  const scale = Math.min(1, spriteMaxSize / Math.max(width, height))
  const spriteWidth = even(width * scale)
  const spriteHeight = even(height * scale)
  const spriteDuration = Math.max(1, Math.ceil(info.duration / (maxEdge * maxEdge)))
  const count = Math.min(maxEdge * maxEdge, Math.max(1, Math.ceil(info.duration / spriteDuration)))
  const columns = Math.min(maxEdge, Math.ceil(Math.sqrt(count)))
  const rows = Math.ceil(count / columns)
  return {
    totalWidth: columns * spriteWidth,
    totalHeight: rows * spriteHeight,
    spriteWidth,
    spriteHeight,
    spriteDuration,
    columns,
    rows,
    count
  }
}

/** The sheet of sound that is shown with a picture: that picture once, for all of its length. */
export const stillPlan = (
  duration: number,
  picture: { readonly width: number; readonly height: number }
): StoryboardPlan => {
  const scale = Math.min(1, spriteMaxSize / Math.max(picture.width, picture.height))
  const [width, height] = [even(picture.width * scale), even(picture.height * scale)]
  return {
    totalWidth: width,
    totalHeight: height,
    spriteWidth: width,
    spriteHeight: height,
    spriteDuration: Math.max(1, Math.ceil(duration)),
    columns: 1,
    rows: 1,
    count: 1
  }
}
