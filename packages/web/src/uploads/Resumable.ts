import { type Answer, type Failure, unanswered } from "../api/Answer.ts"
import { sendBytes } from "../api/Send.ts"

/** Largest piece, unless the operator wants smaller ones. */
const largestChunk = 8 * 1024 * 1024
const longestWait = 30_000
const incomplete = 308

/** How the bytes of a file go. */
export interface Transfer {
  readonly file: Blob
  /** Largest piece that the operator wants; 0 for no wish. */
  readonly chunkSize: number
  /** Where the server wants them. */
  readonly address: string
  /** Bytes that have arrived or are on their way. */
  readonly progress: (sent: number) => void
  /** The server cannot be reached, or is busy: it is tried again by itself. */
  readonly waiting?: (why: Failure) => void
  readonly signal: AbortSignal
}

/** The address that the bytes go to, from the answer that announces the upload. Its host is left out: a proxy may rename it. */
export const addressOf = (answer: Answer): string | undefined => {
  const location = answer.headers?.get("location") ?? ""
  if (!answer.ok || location === "") return undefined
  const { pathname, search } = new URL(location, "http://upload")
  return pathname + search
}

/** Offset of the next byte, from `Range` of a 308 answer. */
const reached = ({ headers }: Answer): number => {
  const end = /^bytes=0-(\d+)$/.exec(headers?.get("range") ?? "")?.[1]
  return end === undefined ? 0 : Number(end) + 1
}

const isPassing = ({ status }: Answer): boolean => status === 0 || status === 429 || status >= 500

/** Waits, less long when the network comes back or the upload is given up. */
const pause = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      removeEventListener("online", end)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, millis)
    addEventListener("online", end)
    signal.addEventListener("abort", end)
  })

/**
 * Sends a file in pieces, from where the server has got to. It asks that first: the upload may have begun in another tab, or
 * before a reload. After a lost connection it goes on by itself, until it is aborted. The last answer is given.
 */
export const sendFile = async (transfer: Transfer): Promise<Answer> => {
  const { address, file, progress, signal, waiting } = transfer
  const chunkSize = transfer.chunkSize > 0 ? Math.min(transfer.chunkSize, largestChunk) : largestChunk
  let at = 0
  let asks = true
  let failures = 0
  let conflicts = 0
  let conflict: Answer | undefined
  while (!signal.aborted) {
    const end = Math.min(at + chunkSize, file.size)
    const from = at
    const answer = await sendBytes({
      method: "PUT",
      path: address,
      body: asks ? null : file.slice(at, end),
      headers: {
        "content-type": "application/octet-stream",
        "content-range": asks ? `bytes */${file.size}` : `bytes ${at}-${end - 1}/${file.size}`
      },
      progress: (sent) => progress(Math.min(from + sent, file.size)),
      signal
    })
    if (signal.aborted) break
    if (answer.status === incomplete) {
      at = reached(answer)
      progress(at)
      // When all bytes are there, the server is asked what has become of them.
      asks = at >= file.size
      failures = 0
      conflicts = 0
      conflict = undefined
    } else if (!answer.ok && isPassing(answer)) {
      waiting?.(answer)
      asks = true
      await pause(Math.min(longestWait, 1000 * 2 ** failures++), signal)
    } else if (answer.status === 409 && conflicts < 5) {
      // Another chunk is still being written, or this one did not begin where the last one ended.
      asks = true
      conflict = answer
      await pause(1000 * 2 ** conflicts++, signal)
    } else {
      // It was given up for that reason: the reason says more than that it is not there.
      return answer.status === 404 && conflict !== undefined ? conflict : answer
    }
  }
  return unanswered
}
