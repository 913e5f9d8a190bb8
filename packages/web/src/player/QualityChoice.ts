import { fileAddresses } from "./FileSource.ts"
import type { Media } from "./Media.ts"
import { recallQuality, rememberQuality, type Shelf } from "./Memory.ts"
import { audioOnly, auto, type Quality } from "./Source.ts"

/** The rendition somebody chose, kept for the next videos. */
export interface QualityChoice {
  /** The height; undefined where the bandwidth decides, 0 for sound alone. */
  readonly height: () => number | undefined
  readonly choose: (id: number, qualities: ReadonlyArray<Quality>) => void
}

export const createQualityChoice = (shelf: Shelf | undefined): QualityChoice => {
  let height = recallQuality(shelf)
  const heightOf = (id: number, qualities: ReadonlyArray<Quality>) => {
    if (id === auto) return undefined
    return id === audioOnly ? 0 : qualities.find((it) => it.id === id)?.height
  }
  return {
    height: () => height,
    choose: (id, qualities) => {
      height = heightOf(id, qualities)
      rememberQuality(shelf, height)
    }
  }
}

/** What can be chosen before anything is opened. */
export const qualitiesAhead = (way: Media | undefined): ReadonlyArray<Quality> => {
  if (way?.kind === "hls") return way.qualities
  return way?.kind === "files" ? fileAddresses(way.files) : []
}
