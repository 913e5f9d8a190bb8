import { ApiError } from "../api/Client.ts"
import type { VideoDetails } from "../api/Wire.ts"
import { createAccess } from "./Access.ts"
import { createRetry } from "./Backoff.ts"
import { createCaptions } from "./Captions.ts"
import { createControls, speeds } from "./Controls.ts"
import { element } from "./Dom.ts"
import { fileAddresses, openFiles } from "./FileSource.ts"
import { toggleFullscreen, togglePictureInPicture } from "./Fullscreen.ts"
import { listenToGestures } from "./Gestures.ts"
import { openHls } from "./HlsSource.ts"
import { createJoining } from "./Joining.ts"
import { type Action, listenToKeys } from "./Keys.ts"
import { availability, browserAbilities, type Media, preparing, published, withAddresses } from "./Media.ts"
import { browserShelf, recallPosition, recallVolume, rememberPosition, rememberVolume } from "./Memory.ts"
import type { PlayerOptions } from "./Options.ts"
import { createOverlay } from "./Overlay.ts"
import type { Source, SourceListener } from "./Source.ts"
import { formatClock } from "./Time.ts"
import { createWarning } from "./Warning.ts"
import { reportWatching, reportToInstance, watchedBefore } from "./Watching.ts"

export interface Player {
  readonly video: HTMLVideoElement
  readonly seek: (seconds: number) => void
  /** What requests about the video are sent with: a password, when it opens with one. */
  readonly headers: () => Record<string, string>
}

const errorText = (error: ApiError): string => {
  if (error.status === 401 || error.status === 403) return "This video is private."
  if (error.status === 404 || error.status === 410) return "This video does not exist, or is no longer here."
  return "The server could not answer. It may be back in a moment."
}

const asksForPassword: ReadonlySet<string> = new Set(["video_requires_password", "incorrect_video_password"])

/** Fresh addresses are asked for at most this often, in milliseconds. */
const refreshPause = 20_000

/**
 * Turns the server's `<div data-video="{uuid}">` into a player: asks the API for the video, waits while it is being
 * prepared, plays it the best way this browser can, and keeps at it through outages. `learned` receives what the API says
 * of a video that the page was written without.
 */
export const createPlayer = (
  root: HTMLElement,
  options: PlayerOptions,
  learned: (details: VideoDetails) => void = () => undefined
): Player => {
  const id = root.dataset["video"] ?? ""
  const access = createAccess(id)
  const pending = root.hasAttribute("data-pending")
  const shelf = browserShelf()
  const video = root.querySelector("video") ?? root.appendChild(element("video", { playsinline: true }))
  const overlay = createOverlay()
  const waiting = createRetry()
  let details: VideoDetails | undefined
  let source: Source | undefined
  let lastRefresh = 0
  let wantsPlay = options.autoplay
  /** Opens the media on the first play: a page full of embeds fetches none that nobody watches. */
  let opening: (() => void) | undefined
  /** Better ways that were found meanwhile: taken at the next break in playing. */
  let better: ReadonlyArray<Media> | undefined
  let troubled = false
  /** Counts openings: one that was overtaken while it loaded closes itself. */
  let latest = 0
  /** Where playing begins, in seconds. */
  let startsAt = 0

  const duration = () =>
    Number.isFinite(video.duration) && video.duration > 0
      ? video.duration
      : (details?.duration ?? Number(root.dataset["duration"] ?? 0))
  const seek = (seconds: number) => {
    video.currentTime = Math.min(Math.max(0, seconds), Math.max(0, duration() - 0.05))
  }
  const play = () => {
    if (warning.stands()) return
    wantsPlay = true
    const first = opening
    opening = undefined
    first?.()
    if (source === undefined) return
    // Refused without a gesture: then the big button is there to be pressed.
    void video.play().catch(() => root.classList.add("kp-blocked"))
  }
  const warning = createWarning(root, play)
  const toggle = () => {
    if (!video.paused) video.pause()
    else play()
  }

  const captions = createCaptions(video, () => controls.updateChoices())
  const controls = createControls({ root, video, captions, source: () => source, duration, toggle, seek })
  const wake = listenToGestures(root, video, {
    toggle,
    fullscreen: () => toggleFullscreen(root, video),
    skip: (seconds) => act({ do: "skip", seconds }),
    holds: () => video.paused || controls.menu.isOpen() || controls.element.matches(":has(:focus-visible)")
  })

  const act = (action: Action): void => {
    wake()
    switch (action.do) {
      case "toggle":
        overlay.flash(video.paused ? "play" : "pause")
        return toggle()
      case "mute":
        video.muted = !video.muted
        return overlay.flash(video.muted ? "muted" : "loud")
      case "fullscreen":
        return toggleFullscreen(root, video)
      case "pip":
        return togglePictureInPicture(video)
      case "captions":
        if (captions.labels().length > 0) captions.select(captions.selected() === -1 ? 0 : -1)
        return
      case "skip":
        seek(video.currentTime + action.seconds)
        return overlay.flash(action.seconds > 0 ? "next" : "back", `${Math.abs(action.seconds)} s`)
      case "frame":
        if (video.paused) seek(video.currentTime + action.frames / 30)
        return
      case "share":
        return seek(duration() * action.of)
      case "volume":
        video.volume = Math.min(1, Math.max(0, video.volume + action.by))
        video.muted = video.volume === 0
        return overlay.flash(video.volume === 0 ? "muted" : "loud", `${Math.round(video.volume * 100)} %`)
      case "speed": {
        const at = speeds.findIndex((it) => it >= video.playbackRate)
        video.playbackRate = speeds[Math.min(speeds.length - 1, Math.max(0, at + action.by))] ?? 1
        return overlay.flash("play", `${video.playbackRate}×`)
      }
    }
  }

  const fail = (text: string) => {
    latest += 1
    source?.close()
    source = undefined
    opening = undefined
    overlay.busy(false)
    overlay.notice(undefined)
    root.classList.add("kp-off")
    overlay.panel("error", text, () => {
      overlay.clearPanel()
      void load(video.currentTime)
    })
  }

  /** As long as the buffer lasts there is nothing to say. */
  const showTrouble = () => {
    if (troubled && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) {
      overlay.notice("Connection trouble. Trying again…")
    }
  }

  const listen = (ways: ReadonlyArray<Media>, position: () => number): SourceListener => ({
    changed: () => controls.updateChoices(),
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
      if (lastRefresh > 0 && now - lastRefresh < refreshPause) return fail("This video is no longer available here.")
      lastRefresh = now
      void load(position())
    },
    broken: () => {
      if (ways.length === 0) return fail("This browser cannot play this video.")
      void open(ways, position())
    }
  })

  const open = async (ways: ReadonlyArray<Media>, start: number): Promise<void> => {
    const [way, ...others] = ways
    if (way === undefined) return
    const mine = ++latest
    source?.close()
    source = undefined
    better = undefined
    troubled = false
    root.classList.remove("kp-off")
    overlay.busy(wantsPlay)
    const listener = listen(others, () => (video.currentTime > 0 ? video.currentTime : start))
    try {
      if (way.kind === "hls") {
        const opened = await openHls(video, way, start, listener)
        if (mine !== latest) return opened.close()
        source = opened
      } else if (way.kind === "files") source = openFiles(video, fileAddresses(way.files), start, listener)
      else source = openFiles(video, [{ id: 0, height: 0, label: "Auto", url: way.url }], start, listener)
    } catch {
      return fail("The player could not be loaded. Check your connection.")
    }
    controls.updateChoices()
    if (wantsPlay) play()
  }

  const wait = (text: string, start: number) => {
    overlay.notice(undefined)
    root.classList.add("kp-off")
    overlay.panel("waiting", text)
    waiting.schedule(() => void load(start))
  }

  const askPassword = (error: ApiError, start: number) => {
    const wrong = error.code !== "video_requires_password"
    overlay.busy(false)
    overlay.notice(undefined)
    root.classList.add("kp-off")
    overlay.question(
      wrong ? "This is not the password of this video." : "This video is protected by a password.",
      (password) => {
        access.setPassword(password)
        wantsPlay = true
        void load(start)
      }
    )
  }

  const load = async (start: number): Promise<void> => {
    try {
      details = await access.video()
    } catch (error) {
      if (error instanceof ApiError && asksForPassword.has(error.code ?? "")) return askPassword(error, start)
      if (error instanceof ApiError && error.status === 404 && pending) return wait(preparing, start)
      if (!(error instanceof ApiError) || !error.passing) {
        return fail(error instanceof ApiError ? errorText(error) : String(error))
      }
      overlay.notice(error.status === 0 ? "No connection. Trying again…" : errorText(error))
      return waiting.schedule(() => void load(start))
    }
    overlay.notice(undefined)
    const found = availability(details, browserAbilities(), root.dataset["origin"])
    if (found.kind === "failed") return fail(found.text)
    if (found.kind === "waiting") return wait(found.text, start)
    // The page was rendered before the video was ready: now it has a title and the rest.
    if (pending && details.state.id === published) return location.reload()
    if (root.hasAttribute("data-restricted")) learned(details)
    await warning.settle(details)
    waiting.reset()
    overlay.clearPanel()
    controls.seekBar.setTotal(details.duration)
    void decorate()
    joining.watch(details)
    startsAt = start
    const ways = withAddresses(found.ways, access.fileAddress)
    if (wantsPlay && !warning.stands()) return open(ways, start)
    opening = () => void open(ways, start)
  }

  const joining = createJoining(access.video, (grown) => {
    const found = availability(grown, browserAbilities(), root.dataset["origin"])
    if (found.kind !== "media") return
    details = grown
    void decorate()
    const ways = withAddresses(found.ways, access.fileAddress)
    if (opening === undefined) better = ways
    else opening = () => void open(ways, startsAt)
  })

  /** Where playing stops for a moment anyway, the ways that were found meanwhile cost nobody anything. */
  const takeBetter = () => {
    if (better !== undefined && source !== undefined) void open(better, video.currentTime)
  }

  /** Storyboard, captions and chapters are extras: a video without them is complete. */
  const decorate = async () => {
    const [board, texts, parts] = await Promise.allSettled([access.storyboard(), access.captions(), access.chapters()])
    if (board.status === "fulfilled" && board.value !== undefined) controls.seekBar.setStoryboard(board.value)
    if (texts.status === "fulfilled" && texts.value.length > 0) captions.set(texts.value, access.fileAddress)
    if (parts.status === "fulfilled" && parts.value.length > 0) controls.setChapters(parts.value)
  }

  const begin = () => {
    const volume = recallVolume(shelf)
    video.volume = volume.level
    video.muted = options.muted || volume.muted
    video.loop = options.loop
    root.classList.add("kp")
    root.classList.toggle("kp-bare", !options.controls)
    root.append(...overlay.elements)
    if (options.controls) {
      root.append(controls.element, controls.menu.element)
      listenToKeys(root, act)
    }
    overlay.big.addEventListener("click", toggle)
    watchEvents()
    const remembered = recallPosition(shelf, id)
    if (options.start === undefined && remembered !== undefined) {
      overlay.flash("replay", `From ${formatClock(remembered)}`)
    }
    const known = options.start ?? remembered
    if (known !== undefined) void load(known)
    else void watchedBefore(id).then((seconds) => load(seconds ?? 0))
  }

  const remember = () => {
    if (details !== undefined && !details.isLive) rememberPosition(shelf, id, video.currentTime, duration())
  }

  const watchEvents = () => {
    let saved = 0
    for (const name of [
      "play",
      "pause",
      "ended",
      "timeupdate",
      "progress",
      "durationchange",
      "volumechange",
      "seeked"
    ]) {
      video.addEventListener(name, controls.update)
    }
    video.addEventListener("ratechange", () => controls.menu.refresh())
    video.addEventListener("volumechange", () => rememberVolume(shelf, { level: video.volume, muted: video.muted }))
    video.addEventListener("waiting", () => {
      overlay.busy(true)
      showTrouble()
      takeBetter()
    })
    video.addEventListener("seeking", () => {
      overlay.busy(true)
      takeBetter()
    })
    for (const name of ["playing", "canplay", "seeked", "pause"]) {
      video.addEventListener(name, () => overlay.busy(false))
    }
    video.addEventListener("play", () => root.classList.add("kp-started"))
    video.addEventListener("playing", () => {
      root.classList.remove("kp-blocked")
      wake()
    })
    video.addEventListener("pause", () => {
      if (!video.ended && video.error === null) wantsPlay = false
      wake()
      remember()
    })
    video.addEventListener("timeupdate", () => {
      if (Math.abs(video.currentTime - saved) < 5) return
      saved = video.currentTime
      remember()
    })
    const leave = reportWatching(video, reportToInstance(id))
    addEventListener("pagehide", () => {
      remember()
      leave()
    })
    video.addEventListener("resize", () => {
      root.style.setProperty("--kp-ratio", `${video.videoWidth} / ${video.videoHeight}`)
    })
  }

  begin()
  controls.update()
  return { video, seek, headers: access.headers }
}
