import { signal } from "@preact/signals"
import type { Captured } from "./Capture.ts"
import { publishByWhip, type WhipConnection, type WhipFailure, WhipRefused } from "./WhipClient.ts"

/** Where a live that is sent from this browser is. */
export interface Broadcast {
  /** The live, as its address has it. */
  readonly live: string
  readonly stream: MediaStream
  readonly state: "connecting" | "on" | "interrupted"
}

/** Why sending ended without the person's wish. */
export type BroadcastEnd = WhipFailure | "sourceEnded" | "resized" | "lost"

/** What is sent from this browser; it goes on while other pages of the working areas are open. */
export const broadcast = signal<Broadcast | undefined>(undefined)

/** Why the last one ended; undefined: the person ended it, or there was none. */
export const ended = signal<BroadcastEnd | undefined>(undefined)

/** The instance holds the live for a minute. */
const comesBackFor = 55_000
const triesAgainAfter = 3_000
/** A connection that falters mends itself, or is made anew after this. */
const disconnectedAfter = 5_000

interface Sending {
  readonly address: string
  readonly key: string
  readonly captured: Captured
  connection: WhipConnection | undefined
  /** When it was interrupted. */
  since: number | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  stopWatching: (() => void) | undefined
}

let sending: Sending | undefined

/** Calls once when the picture changes its size, as that of a window that is resized. Gives what stops the watch. */
const onResize = (stream: MediaStream, changed: () => void): (() => void) => {
  const video = document.createElement("video")
  let size: string | undefined
  video.muted = true
  video.addEventListener("resize", () => {
    const now = `${video.videoWidth}x${video.videoHeight}`
    if (size !== undefined && size !== now) changed()
    size ??= now
  })
  video.srcObject = stream
  void video.play().catch(() => undefined)
  return () => {
    video.srcObject = null
  }
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

const show = (state: Broadcast["state"]): void => {
  if (broadcast.value !== undefined) broadcast.value = { ...broadcast.value, state }
}

const finish = (reason: BroadcastEnd | undefined): void => {
  const last = sending
  sending = undefined
  removeEventListener("beforeunload", warn)
  if (last === undefined) return
  clearTimeout(last.timer)
  last.stopWatching?.()
  last.captured.stop()
  ended.value = reason
  broadcast.value = undefined
}

/** These may be over with the next attempt. */
const isPassing = (failure: WhipFailure): boolean => failure === "network" || failure === "full" || failure === "taken"

const interrupted = (one: Sending): void => {
  if (sending !== one) return
  one.since ??= Date.now()
  show("interrupted")
  one.connection?.drop()
  one.connection = undefined
  clearTimeout(one.timer)
  if (Date.now() - one.since > comesBackFor) return finish("lost")
  one.timer = setTimeout(() => void connect(one), triesAgainAfter)
}

const follow = (one: Sending, state: RTCPeerConnectionState): void => {
  if (sending !== one) return
  clearTimeout(one.timer)
  if (state === "connected") {
    one.since = undefined
    return show("on")
  }
  if (state === "failed" || state === "closed") return interrupted(one)
  if (state === "disconnected") one.timer = setTimeout(() => interrupted(one), disconnectedAfter)
}

const connect = async (one: Sending): Promise<WhipFailure | undefined> => {
  try {
    const connection = await publishByWhip(one.address, one.key, one.captured.stream, (state) => follow(one, state))
    if (sending === one) one.connection = connection
    else await connection.end()
    return undefined
  } catch (error) {
    const failure = error instanceof WhipRefused ? error.failure : "format"
    if (sending !== one) return undefined
    if (one.since === undefined || !isPassing(failure)) {
      finish(failure)
      return failure
    }
    interrupted(one)
    return undefined
  }
}

/** Begins to send. Whatever was sent before is ended. */
export const beginBroadcast = async (
  live: string,
  target: { readonly address: string; readonly key: string },
  captured: Captured
): Promise<void> => {
  await endBroadcast()
  const one: Sending = {
    ...target,
    captured,
    connection: undefined,
    since: undefined,
    timer: undefined,
    stopWatching: undefined
  }
  sending = one
  ended.value = undefined
  broadcast.value = { live, stream: captured.stream, state: "connecting" }
  addEventListener("beforeunload", warn)
  for (const track of captured.stream.getVideoTracks()) {
    track.addEventListener("ended", () => void (sending === one && endBroadcast("sourceEnded")))
  }
  // The instance shows one size to the end: it is better to say so here than to be refused.
  one.stopWatching = onResize(captured.stream, () => void (sending === one && endBroadcast("resized")))
  await connect(one)
}

/** Ends what is sent, and the session of the live with it. */
export const endBroadcast = async (reason?: BroadcastEnd): Promise<void> => {
  const connection = sending?.connection
  finish(reason)
  await connection?.end()
}
