import type { Answer } from "../api/Answer.ts"
import { call, callAsVisitor } from "../api/Call.ts"
import type { Output } from "../api/Endpoints.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import type { Caption, Chapter, Storyboard, VideoDetails } from "../api/Wire.ts"
import { ApiError } from "./ApiError.ts"

/** Contract: VideoPrivacy; these two are for whoever has the address. */
const openPrivacies: ReadonlySet<number> = new Set([1, 2])

/** How this page sees one video: as anybody, as the user who is logged in, or with the video's password. */
export interface Access {
  /** `GET /api/v1/videos/{id}`, and for one that is not for everybody the token that opens its files. */
  readonly video: () => Promise<VideoDetails>
  /** Asks with this password of the video from now on. */
  readonly setPassword: (password: string) => void
  /** What a live is set to, as those see it who watch. */
  readonly live: () => Promise<Output<"GET /api/v1/videos/live/:id">>
  readonly captions: () => Promise<ReadonlyArray<Caption>>
  readonly chapters: () => Promise<ReadonlyArray<Chapter>>
  readonly storyboard: () => Promise<Storyboard | undefined>
  /** A file's address with what opens it: media elements send no headers. */
  readonly fileAddress: (address: string) => string
  /** What other requests about the video are sent with. */
  readonly headers: () => Record<string, string>
}

/** An address that carries a video file token; playlists pass it on to what they name (contract: Static Video Files). */
export const withFileToken = (address: string, token: string | undefined): string => {
  if (token === undefined) return address
  const path = address.split(/[?#]/, 1)[0]!
  const again = path.endsWith(".m3u8") ? "&reinjectVideoFileToken=true" : ""
  return `${address}${address.includes("?") ? "&" : "?"}videoFileToken=${encodeURIComponent(token)}${again}`
}

/** UTF-8 as a header can carry it, a character for each byte; browsers refuse what has no such byte. */
const headerText = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

const bodyOf = <A>(answer: Answer<A>): A => {
  if (!answer.ok) throw new ApiError(answer.status, answer.code)
  return answer.body
}

const refusals: ReadonlySet<number> = new Set([401, 403, 404])

export const createAccess = (id: string): Access => {
  let way: "anybody" | "user" | "password" = "anybody"
  let password = ""
  let token: string | undefined

  const headers = (): Record<string, string> =>
    way === "password" ? { "x-peertube-video-password": headerText(password) } : {}

  const input = () => ({ params: { id }, headers: headers() })
  const ask = () => (way === "user" ? call : callAsVisitor)

  const asked = async (): Promise<VideoDetails> => {
    const answer = await ask()("GET /api/v1/videos/:id", input())
    if (answer.ok || way !== "anybody" || !refusals.has(answer.status) || !isLoggedIn()) return bodyOf(answer)
    const mine = await call("GET /api/v1/videos/:id", input())
    // The anonymous answer says more than that of a user without access, for example that a password is needed.
    if (!mine.ok) throw new ApiError(answer.status, answer.code)
    way = "user"
    return mine.body
  }

  return {
    setPassword: (text) => {
      way = "password"
      password = text
    },
    video: async () => {
      const details = await asked()
      if (openPrivacies.has(details.privacy.id)) token = undefined
      else {
        token = bodyOf(await ask()("POST /api/v1/videos/:id/token", input())).files.token
      }
      return details
    },
    live: async () => bodyOf(await ask()("GET /api/v1/videos/live/:id", input())),
    captions: async () =>
      bodyOf(await ask()("GET /api/v1/videos/:id/captions", input())).data.map(({ language, ...caption }) => ({
        ...caption,
        // BCP 47 for a language that is not known.
        language: { label: language.label, id: language.id ?? "und" }
      })),
    chapters: async () => bodyOf(await ask()("GET /api/v1/videos/:id/chapters", input())).chapters,
    storyboard: async () => {
      const [board] = bodyOf(await ask()("GET /api/v1/videos/:id/storyboards", input())).storyboards
      return board === undefined ? undefined : { ...board, storyboardPath: withFileToken(board.storyboardPath, token) }
    },
    fileAddress: (address) => withFileToken(address, token),
    headers
  }
}
