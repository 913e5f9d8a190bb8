/** Whether the viewer wants the video to play, and what has to happen before it can. */
export interface Intent {
  readonly wantsPlay: () => boolean
  /** Plays as soon as there is something to play. */
  readonly want: () => void
  /** The viewer paused. */
  readonly drop: () => void
  readonly play: () => void
  readonly toggle: () => void
  /** Opens the media on the first play: a page full of embeds fetches none that nobody watches. */
  readonly openLater: (open: () => void) => void
  /** Whether the media still wait for the first play. */
  readonly isWaiting: () => boolean
  readonly cancel: () => void
}

export interface IntentInput {
  readonly video: HTMLVideoElement
  readonly autoplay: boolean
  /** Whether a warning has to be accepted first. */
  readonly held: () => boolean
  readonly hasSource: () => boolean
  /** The browser wants a gesture first. */
  readonly blocked: () => void
}

export const createIntent = ({ autoplay, blocked, hasSource, held, video }: IntentInput): Intent => {
  let wanted = autoplay
  let opening: (() => void) | undefined

  const play = () => {
    if (held()) return
    wanted = true
    const first = opening
    opening = undefined
    first?.()
    if (!hasSource()) return
    video.play().catch((error: unknown) => {
      // An aborted attempt was overtaken by a pause or another source, and nobody needs to press anything.
      if (!(error instanceof DOMException) || error.name !== "AbortError") blocked()
    })
  }

  return {
    wantsPlay: () => wanted,
    want: () => {
      wanted = true
    },
    drop: () => {
      wanted = false
    },
    play,
    toggle: () => {
      if (video.paused) play()
      else video.pause()
    },
    openLater: (open) => {
      opening = open
    },
    isWaiting: () => opening !== undefined,
    cancel: () => {
      opening = undefined
    }
  }
}
