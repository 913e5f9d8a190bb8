import type { Player } from "../PlayerInterface.ts"

/** The addresses before and after this one in a playlist. */
export interface Neighbours {
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** The name of who made the video, as the answer of the API has it. */
const artistOf = (details: object): string => {
  if (!("channel" in details)) return ""
  const { channel } = details
  if (typeof channel !== "object" || channel === null || !("displayName" in channel)) return ""
  return String(channel.displayName)
}

/** Media keys, headsets and lock screens show what plays, and control it. */
export const joinMediaSession = (player: Player, queue: Neighbours | undefined): void => {
  if (!("mediaSession" in navigator)) return
  const session = navigator.mediaSession
  const { video } = player

  const describe = () => {
    const details = player.details()
    if (details === undefined) return
    session.metadata = new MediaMetadata({
      title: details.name,
      artist: artistOf(details),
      ...(video.poster === "" ? {} : { artwork: [{ src: video.poster }] })
    })
  }

  const handle = (action: MediaSessionAction, run: MediaSessionActionHandler) => {
    try {
      session.setActionHandler(action, run)
    } catch {
      // An action that this browser does not know has no key here.
    }
  }
  const step = (name: "next" | "previous", action: "nexttrack" | "previoustrack") => {
    const address = queue?.[name]
    if (address !== undefined) handle(action, () => location.assign(address))
  }

  describe()
  handle("play", () => player.play())
  handle("pause", () => video.pause())
  handle("stop", () => video.pause())
  handle("seekbackward", ({ seekOffset }) => player.seek(video.currentTime - (seekOffset ?? 10)))
  handle("seekforward", ({ seekOffset }) => player.seek(video.currentTime + (seekOffset ?? 10)))
  handle("seekto", ({ seekTime }) => {
    if (typeof seekTime === "number") player.seek(seekTime)
  })
  step("next", "nexttrack")
  step("previous", "previoustrack")

  const place = () => {
    session.playbackState = video.paused ? "paused" : "playing"
    const duration = player.duration()
    if (duration <= 0) return
    session.setPositionState({
      duration,
      playbackRate: video.playbackRate,
      position: Math.min(duration, video.currentTime)
    })
  }
  place()
  for (const name of ["play", "pause", "seeked", "ratechange", "durationchange"]) video.addEventListener(name, place)
}
