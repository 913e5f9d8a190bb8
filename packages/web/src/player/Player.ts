import type { VideoDetails } from "../api/Wire.ts"
import { createAccess } from "./Access.ts"
import { createActions } from "./Actions.ts"
import { createCaptions } from "./Captions.ts"
import { createCommands } from "./Commands.ts"
import { createControls } from "./Controls.ts"
import { showEvents } from "./Display.ts"
import { element } from "./Dom.ts"
import { showExtras } from "./Extras.ts"
import { toggleFullscreen } from "./Fullscreen.ts"
import { listenToGestures } from "./Gestures.ts"
import { createIntent } from "./Intent.ts"
import { type Action, listenToKeys } from "./Keys.ts"
import type { Live } from "./Live.ts"
import { createLoading } from "./Loading.ts"
import { preferring } from "./Media.ts"
import { browserShelf } from "./Memory.ts"
import type { Failure } from "./Messages.ts"
import type { PlayerOptions } from "./Options.ts"
import { createOverlay } from "./Overlay.ts"
import type { Player } from "./PlayerInterface.ts"
import { createPlayback } from "./Playback.ts"
import { keepProgress } from "./Progress.ts"
import { watchRedirects } from "./Redirects.ts"
import { behindEdge, spanOf } from "./Span.ts"
import { dress, startPosition } from "./Start.ts"
import { stopAt } from "./Stop.ts"
import { createSwipe } from "./Swipe.ts"
import { createWarning } from "./Warning.ts"

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
  watchRedirects()
  const id = root.dataset["video"] ?? ""
  const access = createAccess(id)
  const shelf = browserShelf()
  const video = root.querySelector("video") ?? root.appendChild(element("video", { playsinline: true }))
  const overlay = createOverlay()

  const point = () => playback.source()?.live?.()
  const span = () => spanOf(video, loading.details()?.duration ?? Number(root.dataset["duration"] ?? 0), point())
  const duration = () => span().to
  const behind = () => (span().isLive ? behindEdge(span(), video.currentTime, point()) : 0)
  const hasSpeed = () => !span().isLive || behind() > 0
  const seek = (seconds: number) => {
    const { from, isLive, to } = span()
    // What is oldest in a live is gone by the time it is loaded.
    video.currentTime = Math.max(isLive ? from + 1 : 0, Math.min(seconds, to - (isLive ? 0 : 0.05)))
  }
  const toEdge = () => {
    video.playbackRate = 1
    seek(span().to)
    intent.play()
  }
  let live: Live | undefined
  const asLive = async (details: VideoDetails): Promise<boolean> => {
    live ??= (await import("./Live.ts")).createLive({
      root,
      video,
      overlay,
      controls,
      access,
      intent,
      behind,
      toEdge,
      begin: () => void loading.load(0),
      close: playback.close
    })
    return live.learn(details)
  }
  const fail = ({ advice, text }: Failure) => {
    playback.close()
    intent.cancel()
    overlay.busy(false)
    overlay.notice(undefined)
    root.classList.add("kp-off")
    overlay.failure(text, advice, () => {
      overlay.clearPanel()
      void loading.load(video.currentTime)
    })
  }

  const warning = createWarning(root, () => intent.play())
  const intent = createIntent({
    video,
    autoplay: options.autoplay,
    held: warning.stands,
    hasSource: () => playback.source() !== undefined,
    blocked: () => root.classList.add("kp-blocked")
  })
  const playback = createPlayback({
    root,
    video,
    overlay,
    intent,
    held: warning.stands,
    changed: () => controls.updateChoices(),
    shelf,
    refresh: (position) => void loading.load(position),
    fail
  })
  const loading = createLoading({
    root,
    access,
    overlay,
    intent,
    passwordComes: options.passwordComes,
    fail,
    found: (details, ways, start) => {
      if (root.hasAttribute("data-restricted")) learned(details)
      void warning.settle(details).then(() => {
        overlay.clearPanel()
        controls.update()
        void showExtras(access, controls, captions)
        playback.offer(preferring(live?.ways(ways) ?? ways, options.mode), start)
      })
    },
    live: (details) => asLive(details).catch(() => false),
    grown: (ways) => {
      void showExtras(access, controls, captions)
      playback.improve(preferring(ways, options.mode))
    }
  })
  const captions = createCaptions(video, () => controls.updateChoices())
  const commands = createCommands()
  const { play, toggle } = intent
  const { choose, source } = playback
  const controls = createControls({
    root,
    video,
    captions,
    commands,
    source,
    choose,
    span,
    behind,
    hasSpeed,
    toggle,
    seek
  })
  const doAction = createActions({ root, video, overlay, captions, span, hasSpeed, seek, toggle })
  const wake = listenToGestures(root, video, {
    toggle,
    fullscreen: () => toggleFullscreen(root, video),
    skip: (seconds) => act({ do: "skip", seconds }),
    swipe: createSwipe({ root, video, overlay, span, seek }),
    holds: () => video.paused || controls.menu.isOpen() || controls.element.matches(":has(:focus-visible)")
  })
  const act = (action: Action) => {
    wake()
    doAction(action)
  }

  if (options.subtitle !== undefined) captions.selectLanguage(options.subtitle)
  stopAt(video, options.start, options.stop)
  dress({ root, video, overlay, controls, options, shelf })
  if (options.controls) listenToKeys(root, act, commands.runKey)
  overlay.big.addEventListener("click", toggle)
  showEvents({ root, video, overlay, controls, intent, playback, wake })
  keepProgress(video, id, shelf, () => (loading.details()?.isLive === false ? duration() : undefined))
  void startPosition(id, options, shelf, overlay).then(loading.load)
  controls.update()
  return {
    root,
    video,
    captions,
    commands,
    controls,
    overlay,
    details: loading.details,
    source,
    qualities: playback.qualities,
    choose,
    onChoices: controls.onChoices,
    settled: loading.settled,
    duration,
    play,
    toggle,
    seek,
    act,
    unlock: loading.unlock,
    fileAddress: access.fileAddress,
    headers: access.headers
  }
}
