/** A rendition a person can choose. `height` is the short side, which names it: 1080p upright is 1080 too. */
export interface Quality {
  readonly id: number
  /** 0 for sound alone. */
  readonly height: number
  readonly label: string
}

export const auto = -1
/** The rendition without a picture. */
export const audioOnly = -2

export const qualityLabel = (height: number, fps: number): string =>
  `${height}p${fps >= 45 ? Math.round(fps).toString() : ""}`

/** The id of the highest quality that is not above this height, or of the lowest. */
export const indexFor = (qualities: ReadonlyArray<Quality>, height: number): number => {
  const sorted = [...qualities].filter((it) => it.height > 0).sort((a, b) => b.height - a.height)
  return (sorted.find((it) => it.height <= height) ?? sorted.at(-1))?.id ?? auto
}

/** Where a live is, in seconds of the video's time. */
export interface LivePoint {
  /** The oldest moment that can still be played. */
  readonly from: number
  /** Where viewers are who watch with the usual delay. */
  readonly edge: number
  /** So far behind the edge is still at the edge. */
  readonly tolerance: number
  /** Seconds from the publisher to the screen, by the clock in the playlist; undefined where it has none. */
  readonly latency: number | undefined
}

/** What feeds the `<video>`: hls.js, the browser's own HLS, or one file at a time. */
export interface Source {
  /** Highest first; `auto` is implied when `adaptive`. */
  readonly qualities: () => ReadonlyArray<Quality>
  readonly adaptive: boolean
  readonly selected: () => number
  /** The rendition on screen. */
  readonly current: () => Quality | undefined
  readonly select: (id: number) => void
  /** How it is played, for the statistics. */
  readonly kind: "HLS" | "file"
  /** Codecs of what plays, where they are known. */
  readonly codec: () => string | undefined
  /** Bits per second as measured, where they are. */
  readonly bandwidth: () => number | undefined
  /** For lives. */
  readonly live?: () => LivePoint | undefined
  readonly close: () => void
}

/** What a source reports to the player. */
export interface SourceListener {
  /** Qualities or the current one changed. */
  readonly changed: () => void
  /** Data does not arrive; the source keeps trying by itself. */
  readonly trouble: () => void
  readonly recovered: () => void
  /** The address no longer answers with the media: worth asking the API for a new one. */
  readonly gone: (status: number) => void
  /** This way cannot play the video in this browser. */
  readonly broken: (reason: string) => void
  /** These segments are of a kind that only the whole of hls.js reads. */
  readonly foreign: () => void
  /** What was chosen needs another playlist. */
  readonly reopen: () => void
}
