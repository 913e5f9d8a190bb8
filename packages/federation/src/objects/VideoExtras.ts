import { isObject, type Json } from "../vocabulary/Json.ts"
import { addressOf, booleanOf, integerOf, listOf, secondsOf, textOf } from "../vocabulary/Reading.ts"

/** Pictures of a video in one, in pixels and seconds. */
export interface RemoteStoryboard {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly tileWidth: number
  readonly tileHeight: number
  readonly tileSeconds: number
}

export interface RemoteCaption {
  readonly language: string
  readonly automaticallyGenerated: boolean
  /** Of the WebVTT file. */
  readonly url: string
}

export interface RemoteChapter {
  readonly title: string
  /** Seconds. */
  readonly timecode: number
}

/** Pixels of a side of a storyboard, and of all of it: copies of it are made in this size. */
const maxSide = 50_000
const maxPixels = 25_000_000

export const readStoryboard = (value: Json | undefined): RemoteStoryboard | null => {
  for (const image of listOf(value).slice(0, 5)) {
    if (!isObject(image) || !listOf(image["rel"]).includes("storyboard")) continue
    for (const link of listOf(image["url"]).slice(0, 5)) {
      if (!isObject(link)) continue
      const url = addressOf(link["href"])
      const [width, height, tileWidth, tileHeight] = ["width", "height", "tileWidth", "tileHeight"].map((name) =>
        integerOf(link[name], 1, maxSide)
      )
      const tileSeconds = secondsOf(link["tileDuration"])
      if (url === null || !width || !height || !tileWidth || !tileHeight || !tileSeconds) continue
      if (width * height > maxPixels || tileWidth > width || tileHeight > height) continue
      return { url, width, height, tileWidth, tileHeight, tileSeconds }
    }
  }
  return null
}

const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}$/

/** Captions, one a language, at most 100. `url` is a list since 8.1, and text before. */
export const readCaptions = (value: Json | undefined): ReadonlyArray<RemoteCaption> => {
  const captions = new Map<string, RemoteCaption>()
  for (const caption of listOf(value).slice(0, 100)) {
    if (!isObject(caption)) continue
    const language = textOf(caption["identifier"], 40)
    if (language === null || !languagePattern.test(language)) continue
    for (const link of listOf(caption["url"]).slice(0, 10)) {
      const type = isObject(link) ? link["mediaType"] : "text/vtt"
      const url = type === "text/vtt" ? addressOf(isObject(link) ? link["href"] : link) : null
      if (url === null) continue
      captions.set(language, {
        language,
        url,
        automaticallyGenerated: booleanOf(caption["automaticallyGenerated"]) ?? false
      })
      break
    }
  }
  return [...captions.values()]
}

/** Chapters in order, one a second of the video, at most 1,000. */
export const readChapters = (value: Json | undefined): ReadonlyArray<RemoteChapter> => {
  const chapters = new Map<number, RemoteChapter>()
  for (const part of listOf(value).slice(0, 1_000)) {
    if (!isObject(part)) continue
    const title = textOf(part["name"], 100)
    const timecode = integerOf(part["startOffset"], 0, 0x7f_ff_ff_ff)
    if (title !== null && timecode !== null) chapters.set(timecode, { title, timecode })
  }
  return [...chapters.values()].sort((a, b) => a.timecode - b.timecode)
}
