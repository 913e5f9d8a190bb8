import { fileAddresses, openFiles } from "./FileSource.ts"
import { openHls, preloadOnApproach } from "./HlsSource.ts"
import type { Intent } from "./Intent.ts"
import type { Media } from "./Media.ts"
import { type Failure, failure, t } from "./Messages.ts"
import type { Shelf } from "./Memory.ts"
import type { Overlay } from "./Overlay.ts"
import { createQualityChoice, qualitiesAhead } from "./QualityChoice.ts"
import type { Quality, Source, SourceListener } from "./Source.ts"

/** Fresh addresses are asked for at most this often, in milliseconds. */
const refreshPause = 20_000

/** What plays at the moment, and the ways that are left when it cannot. */
export interface Playback {
  readonly source: () => Source | undefined
  /** What can be chosen, before anything is opened, too. */
  readonly qualities: () => ReadonlyArray<Quality>
  /** Plays in the rendition with this id of `qualities`, or of `auto`, and goes on so with other videos. */
  readonly choose: (id: number) => void
  /** Opens the first of these ways at `start` seconds: now when the viewer wants to play, else on the first play. */
  readonly offer: (ways: ReadonlyArray<Media>, start: number) => void
  /** Better ways for the same video: taken at the next break in playing. */
  readonly improve: (ways: ReadonlyArray<Media>) => void
  /** Where playing stops for a moment anyway, the ways that were found meanwhile cost nobody anything. */
  readonly takeBetter: () => void
  readonly showTrouble: () => void
  readonly close: () => void
}

export interface PlaybackInput {
  readonly root: HTMLElement
  readonly video: HTMLVideoElement
  readonly overlay: Overlay
  readonly intent: Intent
  readonly held: () => boolean
  /** Qualities changed. */
  readonly changed: () => void
  /** The addresses do not answer any more: the API may have new ones. */
  readonly refresh: (position: number) => void
  readonly fail: (failure: Failure) => void
  readonly shelf: Shelf | undefined
}

const whole = (way: Media): Media => (way.kind === "hls" ? { ...way, whole: true } : way)

export const createPlayback = (input: PlaybackInput): Playback => {
  const { changed, fail, held, intent, overlay, refresh, root, video } = input
  let source: Source | undefined
  let better: ReadonlyArray<Media> | undefined
  let troubled = false
  /** Counts openings: one that was overtaken while it loaded closes itself. */
  let latest = 0
  let lastRefresh = 0
  let startsAt = 0
  let isLive = false
  let known: ReadonlyArray<Media> = []
  const choice = createQualityChoice(input.shelf)

  const close = () => {
    latest += 1
    source?.close()
    source = undefined
  }

  /** As long as the buffer lasts there is nothing to say. */
  const showTrouble = () => {
    if (troubled && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA)
      overlay.notice(t(isLive && navigator.onLine ? "interrupted" : "connectionTrouble"))
  }

  const listen = (
    ways: ReadonlyArray<Media>,
    others: ReadonlyArray<Media>,
    position: () => number
  ): SourceListener => ({
    changed,
    trouble: () => {
      troubled = true
      showTrouble()
    },
    recovered: () => {
      troubled = false
      overlay.notice(undefined)
    },
    gone: () => {
      const now = performance.now()
      if (lastRefresh > 0 && now - lastRefresh < refreshPause) return fail(failure("noLongerHere"))
      lastRefresh = now
      refresh(position())
    },
    broken: () => {
      if (others.length === 0) return fail(failure("unplayable"))
      void open(others, position())
    },
    foreign: () => void open(ways.map(whole), position()),
    reopen: () => void open(ways, position())
  })

  const open = async (ways: ReadonlyArray<Media>, start: number): Promise<void> => {
    const [way, ...others] = ways
    if (way === undefined) return
    close()
    const mine = latest
    const height = choice.height()
    root.classList.toggle("kp-audio", way.kind === "hls" && height === 0 && way.audioUrl !== undefined)
    known = ways
    isLive = way.kind === "hls" && way.live !== undefined
    better = undefined
    troubled = false
    root.classList.remove("kp-off")
    overlay.busy(intent.wantsPlay())
    const listener = listen(ways, others, () => (video.currentTime > 0 ? video.currentTime : start))
    try {
      if (way.kind === "hls") {
        const opened = await openHls(video, way, { position: start, height }, listener)
        if (mine !== latest) return opened.close()
        source = opened
      } else if (way.kind === "files") source = openFiles(video, fileAddresses(way.files), start, listener, height)
      else source = openFiles(video, [{ id: 0, height: 0, label: "Auto", url: way.url }], start, listener)
    } catch {
      return fail(failure("notLoaded"))
    }
    changed()
    if (intent.wantsPlay()) intent.play()
  }

  const offer = (ways: ReadonlyArray<Media>, start: number) => {
    startsAt = start
    known = ways
    if (intent.wantsPlay() && !held()) return void open(ways, start)
    const first = ways[0]
    if (first?.kind === "hls") preloadOnApproach(root, first.whole)
    intent.openLater(() => void open(ways, start))
  }

  const qualities = () => source?.qualities() ?? qualitiesAhead(known[0])

  return {
    source: () => source,
    qualities,
    choose: (id) => {
      choice.choose(id, qualities())
      source?.select(id)
      changed()
    },
    offer,
    improve: (ways) => {
      if (intent.isWaiting()) intent.openLater(() => void open(ways, startsAt))
      else better = ways
    },
    takeBetter: () => {
      if (better !== undefined && source !== undefined) void open(better, video.currentTime)
    },
    showTrouble,
    close
  }
}
