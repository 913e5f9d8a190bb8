import { type Answer, answerOf, unanswered } from "./Answer.ts"
import { asUser } from "./Tokens.ts"

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split("\r\n")) {
    const at = line.indexOf(":")
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}

/** Bytes to send, and who hears how many have left. */
export interface Sending {
  readonly method: "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly body: Blob | string | null
  readonly headers: Readonly<Record<string, string>>
  readonly progress?: (sent: number) => void
  readonly signal: AbortSignal
}

// fetch says nothing of what has left: the older interface does.
const once = ({ body, headers, method, path, progress, signal }: Sending, access: string): Promise<Answer> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(unanswered)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader("authorization", `Bearer ${access}`)
    request.upload.addEventListener("progress", ({ loaded }) => progress?.(loaded))
    request.addEventListener("loadend", () => {
      signal.removeEventListener("abort", abort)
      resolve(request.status === 0 ? unanswered : answerOf(request.status, headersOf(request), request.responseText))
    })
    signal.addEventListener("abort", abort)
    request.send(body)
  })

/** Sends bytes as the user who is logged in, and reports progress. Never throws; an aborted request has no answer. */
export const sendBytes = (sending: Sending): Promise<Answer> => asUser((access) => once(sending, access))
