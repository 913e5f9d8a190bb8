import type { VideoDetails } from "../api/Wire.ts"

/** A video gets its other renditions within this time after it was published, in milliseconds. */
const growingTime = 3 * 3_600_000

/** Between two looks, in milliseconds: sooner at first, when short videos are done. */
const pauses = { first: 10_000, factor: 1.5, longest: 120_000 }

const renditions = (details: VideoDetails): number =>
  new Set(
    [...details.files, ...details.streamingPlaylists.flatMap((it) => it.files)]
      .filter((it) => it.hasVideo)
      .map((it) => it.resolution.id)
  ).size

/** Whether the video was published moments ago as it came, its other renditions being still in the making. */
const mayGrow = (details: VideoDetails): boolean =>
  !details.isLive && renditions(details) === 1 && Date.now() - Date.parse(details.publishedAt) < growingTime

export interface Joining {
  /** Looks for more renditions than these details have; `joined` is called once. */
  readonly watch: (details: VideoDetails) => void
}

/** Notices when renditions join a video that started with a single one. A page in the background does not ask. */
export const createJoining = (ask: () => Promise<VideoDetails>, joined: (details: VideoDetails) => void): Joining => {
  let timer: number | undefined

  const schedule = (known: VideoDetails, pause: number): void => {
    timer = window.setTimeout(() => void look(known, pause), pause)
  }

  const look = async (known: VideoDetails, pause: number): Promise<void> => {
    const again = () => schedule(known, Math.min(pause * pauses.factor, pauses.longest))
    if (document.hidden) return again()
    let now: VideoDetails
    try {
      now = await ask()
    } catch {
      // What plays goes on playing: an outage is shown when the media themselves do not arrive.
      return again()
    }
    if (renditions(now) > renditions(known)) joined(now)
    else if (mayGrow(now)) again()
  }

  return {
    watch: (details) => {
      clearTimeout(timer)
      if (mayGrow(details)) schedule(details, pauses.first)
    }
  }
}
