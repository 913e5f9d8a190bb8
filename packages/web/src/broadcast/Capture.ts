/** What is shown, and heard beside it. */
export interface CaptureChoice {
  readonly picture: "camera" | "screen"
  /** Empty: the one that the browser takes. */
  readonly camera: string
  /** Empty: the one that the browser takes; `none`: no microphone. */
  readonly microphone: string
}

/** Why there is no picture or sound. */
export type CaptureFailure = "insecure" | "unsupported" | "refused" | "noDevice" | "deviceBusy" | "other"

export interface Captured {
  readonly stream: MediaStream
  /** Lets go of camera, screen and microphone. */
  readonly stop: () => void
}

export const noMicrophone = "none"

const usual = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } }

const idOf = (id: string) => (id === "" ? {} : { deviceId: { exact: id } })

/** Whether the browser can do it at all, and here. */
export const captureSupport = (): CaptureFailure | undefined => {
  if (!isSecureContext) return "insecure"
  if (!("mediaDevices" in navigator) || typeof RTCPeerConnection === "undefined") return "unsupported"
  const codecs = RTCRtpSender.getCapabilities("video")?.codecs ?? []
  return codecs.some(({ mimeType }) => mimeType.toLowerCase() === "video/h264") ? undefined : "unsupported"
}

/** Why the browser gave nothing, by the name of what it threw. */
export const captureFailure = (error: unknown): CaptureFailure => {
  switch (error instanceof DOMException ? error.name : "") {
    case "NotAllowedError":
    case "SecurityError":
      return "refused"
    case "NotFoundError":
    case "OverconstrainedError":
      return "noDevice"
    case "NotReadableError":
    case "AbortError":
      return "deviceBusy"
    default:
      return "other"
  }
}

const stopAll = (...streams: ReadonlyArray<MediaStream | undefined>): void => {
  for (const stream of streams) for (const track of stream?.getTracks() ?? []) track.stop()
}

const fromCamera = async ({ camera, microphone }: CaptureChoice): Promise<Captured> => {
  const audio = microphone === noMicrophone ? false : idOf(microphone)
  const stream = await navigator.mediaDevices.getUserMedia({ video: { ...usual, ...idOf(camera) }, audio })
  for (const track of stream.getVideoTracks()) track.contentHint = "motion"
  return { stream, stop: () => stopAll(stream) }
}

/** The sound of the screen and that of the microphone, as one. */
const mixed = (streams: ReadonlyArray<MediaStream>) => {
  const context = new AudioContext()
  const out = context.createMediaStreamDestination()
  for (const stream of streams) context.createMediaStreamSource(stream).connect(out)
  return { tracks: out.stream.getAudioTracks(), close: () => void context.close() }
}

const fromScreen = async ({ microphone }: CaptureChoice): Promise<Captured> => {
  const screen = await navigator.mediaDevices.getDisplayMedia({
    video: {
      displaySurface: "monitor",
      frameRate: { ideal: 30, max: 30 },
      width: { max: 1920 },
      height: { max: 1080 }
    },
    audio: true
  })
  for (const track of screen.getVideoTracks()) track.contentHint = "detail"
  if (microphone === noMicrophone) return { stream: screen, stop: () => stopAll(screen) }
  try {
    const voice = await navigator.mediaDevices.getUserMedia({ audio: idOf(microphone) })
    if (screen.getAudioTracks().length === 0) {
      const stream = new MediaStream([...screen.getVideoTracks(), ...voice.getAudioTracks()])
      return { stream, stop: () => stopAll(screen, voice) }
    }
    const sound = mixed([screen, voice])
    const stream = new MediaStream([...screen.getVideoTracks(), ...sound.tracks])
    const stop = (): void => {
      stopAll(screen, voice)
      sound.close()
    }
    return { stream, stop }
  } catch (error) {
    stopAll(screen)
    throw error
  }
}

/** Asks the browser for picture and sound, and the browser asks the person. Throws what `captureFailure` reads. */
export const capture = (choice: CaptureChoice): Promise<Captured> =>
  choice.picture === "camera" ? fromCamera(choice) : fromScreen(choice)

/** Cameras and microphones. They have names once one of them was allowed. */
export const listDevices = async (): Promise<{
  readonly cameras: ReadonlyArray<MediaDeviceInfo>
  readonly microphones: ReadonlyArray<MediaDeviceInfo>
}> => {
  const all = await navigator.mediaDevices.enumerateDevices()
  const named = all.filter(({ deviceId, label }) => deviceId !== "" && label !== "")
  return {
    cameras: named.filter(({ kind }) => kind === "videoinput"),
    microphones: named.filter(({ kind }) => kind === "audioinput")
  }
}
