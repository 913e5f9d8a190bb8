import type { Answer } from "../api/Answer.ts"
import { sendBytes } from "../api/Send.ts"
import { addressOf, sendFile } from "./Resumable.ts"

/** Bytes sent so far, and in all. */
export type Progress = (sent: number, total: number) => void

/** Brings an archive as a resumable upload; gives the last answer. */
export const sendArchive = async (
  userId: number,
  file: File,
  progress: Progress,
  signal: AbortSignal
): Promise<Answer | "cancelled"> => {
  const begun = await sendBytes({
    method: "POST",
    path: `/api/v1/users/${userId}/imports/import-resumable`,
    headers: {
      "content-type": "application/json",
      "x-upload-content-length": String(file.size),
      "x-upload-content-type": "application/zip"
    },
    body: JSON.stringify({ filename: file.name }),
    signal
  })
  const address = addressOf(begun)
  if (address === undefined) return signal.aborted ? "cancelled" : begun
  const answer = await sendFile({
    address,
    file,
    chunkSize: 0,
    progress: (sent) => progress(sent, file.size),
    signal
  })
  if (!signal.aborted) return answer
  const never = new AbortController().signal
  await sendBytes({ method: "DELETE", path: address, body: null, headers: {}, signal: never })
  return "cancelled"
}
