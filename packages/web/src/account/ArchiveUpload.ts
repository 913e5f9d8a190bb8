import { type Answer } from "../api/Answer.ts"
import { askAsUser } from "../session/Session.ts"

/** Bytes sent so far, and in all. */
export type Progress = (sent: number, total: number) => void

const chunkSize = 8 * 1024 * 1024
/** Lost connections and busy servers in a row that are waited for. */
const maxFailures = 8
const longestWait = 30_000

const incomplete = 308

const wait = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, millis)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Offset of the next byte, from the server's answer. */
const reached = ({ headers }: Answer): number => {
  const end = /^bytes=0-(\d+)$/.exec(headers?.get("range") ?? "")?.[1]
  return end === undefined ? 0 : Number(end) + 1
}

const isPassing = ({ status }: Answer): boolean => status === 0 || status === 429 || status >= 500

/** Sends the file in pieces. After a lost connection it goes on where the server has got to. */
const sendPieces = async (
  address: string,
  file: File,
  progress: Progress,
  signal: AbortSignal
): Promise<Answer | "cancelled"> => {
  let at = 0
  let failures = 0
  let refused: Answer | undefined
  for (;;) {
    if (signal.aborted) return "cancelled"
    progress(at, file.size)
    const asks = failures > 0 || refused !== undefined || at >= file.size
    const end = Math.min(at + chunkSize, file.size)
    const answer = await askAsUser(address, {
      method: "PUT",
      headers: {
        "content-type": "application/octet-stream",
        "content-range": asks ? `bytes */${file.size}` : `bytes ${at}-${end - 1}/${file.size}`
      },
      body: asks ? null : file.slice(at, end)
    })
    if (answer.status === incomplete) {
      at = reached(answer)
      failures = 0
      refused = undefined
    } else if (answer.status === 409 && refused === undefined) {
      // Another chunk is still being written, or the upload was cancelled: the next status request shows which.
      refused = answer
      await wait(1000, signal)
    } else if (isPassing(answer) && failures < maxFailures) {
      failures++
      await wait(Math.min(longestWait, 1000 * 2 ** failures), signal)
    } else return answer.status === 404 && refused !== undefined ? refused : answer
  }
}

/** Brings an archive as a resumable upload; gives the last answer. */
export const sendArchive = async (
  userId: string,
  file: File,
  progress: Progress,
  signal: AbortSignal
): Promise<Answer | "cancelled"> => {
  const begun = await askAsUser(`/api/v1/users/${userId}/imports/import-resumable`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-upload-content-length": String(file.size),
      "x-upload-content-type": "application/zip"
    },
    body: JSON.stringify({ filename: file.name })
  })
  if (!begun.ok) return begun
  const { pathname, search } = new URL(begun.headers?.get("location") ?? "", location.href)
  const address = pathname + search
  const answer = await sendPieces(address, file, progress, signal)
  if (answer === "cancelled") await askAsUser(address, { method: "DELETE" })
  return answer
}
