/** Why the instance takes no stream. */
export type WhipFailure = "key" | "taken" | "ended" | "off" | "format" | "full" | "network"

export interface WhipConnection {
  /** Ends the publication, so that the instance does not wait for more. */
  readonly end: () => Promise<void>
  /** Closes the connection without a word: another one follows. */
  readonly drop: () => void
}

/** The instance refused. */
export class WhipRefused extends Error {
  readonly failure: WhipFailure

  constructor(failure: WhipFailure) {
    super(failure)
    this.failure = failure
  }
}

/** Bits per second of the picture: more is no gain for what browsers encode. */
const bitRates = { video: 4_000_000, audio: 128_000 } as const

const failureOf = (status: number): WhipFailure => {
  switch (status) {
    case 401:
      return "key"
    case 409:
      return "taken"
    case 403:
      return "ended"
    case 404:
    case 405:
      return "off"
    case 400:
    case 415:
    case 422:
      return "format"
    default:
      return "full"
  }
}

/** H.264 before all others; the instance takes no other. */
const preferH264 = (transceiver: RTCRtpTransceiver): void => {
  const codecs = RTCRtpSender.getCapabilities("video")?.codecs ?? []
  const isH264 = ({ mimeType }: { readonly mimeType: string }) => mimeType.toLowerCase() === "video/h264"
  transceiver.setCodecPreferences([...codecs.filter(isH264), ...codecs.filter((it) => !isH264(it))])
}

/** A picture that became smaller on the way would end the live: it loses frames instead. */
const keepResolution = async ({ sender }: RTCRtpTransceiver): Promise<void> => {
  try {
    await sender.setParameters({ ...sender.getParameters(), degradationPreference: "maintain-resolution" })
  } catch {
    // The browser knows no such wish, and decides by what the track is.
  }
}

const addTracks = async (connection: RTCPeerConnection, stream: MediaStream): Promise<void> => {
  for (const track of stream.getTracks()) {
    const isVideo = track.kind === "video"
    const transceiver = connection.addTransceiver(track, {
      direction: "sendonly",
      streams: [stream],
      sendEncodings: [{ maxBitrate: isVideo ? bitRates.video : bitRates.audio }]
    })
    if (!isVideo) continue
    preferH264(transceiver)
    await keepResolution(transceiver)
  }
}

/**
 * Publishes a stream by WebRTC (WHIP, RFC 9725). Throws `WhipRefused`. `onState` follows the connection.
 */
export const publishByWhip = async (
  address: string,
  key: string,
  stream: MediaStream,
  onState: (state: RTCPeerConnectionState) => void
): Promise<WhipConnection> => {
  const connection = new RTCPeerConnection({ bundlePolicy: "max-bundle" })
  connection.addEventListener("connectionstatechange", () => onState(connection.connectionState))
  const authorization = `Bearer ${key}`
  let publication: string | undefined
  const end = async (): Promise<void> => {
    if (publication !== undefined) {
      // It goes out although the page is left.
      await fetch(publication, { method: "DELETE", headers: { authorization }, keepalive: true }).catch(() => undefined)
    }
    connection.close()
  }
  try {
    await addTracks(connection, stream)
    await connection.setLocalDescription()
    const answer = await fetch(address, {
      method: "POST",
      headers: { authorization, "content-type": "application/sdp" },
      body: connection.localDescription?.sdp ?? ""
    }).catch(() => undefined)
    if (answer === undefined) throw new WhipRefused("network")
    if (answer.status !== 201) throw new WhipRefused(failureOf(answer.status))
    publication = new URL(answer.headers.get("location") ?? "", address).href
    await connection.setRemoteDescription({ type: "answer", sdp: await answer.text() })
    return { end, drop: () => connection.close() }
  } catch (error) {
    await end()
    throw error
  }
}
