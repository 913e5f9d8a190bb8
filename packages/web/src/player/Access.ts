import { ApiError, getJson } from "../api/Client.ts"
import { type Answer, property } from "../api/Answer.ts"
import type { Caption, Chapter, Storyboard, VideoDetails } from "../api/Wire.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { askAsUser } from "../session/Session.ts"

/** Contract: VideoPrivacy; these two are for whoever has the address. */
const openPrivacies: ReadonlySet<number> = new Set([1, 2])

/** How this page sees one video: as anybody, as the user who is logged in, or with the video's password. */
export interface Access {
  /** `GET /api/v1/videos/{id}`, and for one that is not for everybody the token that opens its files. */
  readonly video: () => Promise<VideoDetails>
  /** Asks with this password of the video from now on. */
  readonly setPassword: (password: string) => void
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

const bodyOf = <A>(answer: Answer): A => {
  if (!answer.ok) throw new ApiError(answer.status, answer.code)
  return answer.body as A
}

const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403 || error.status === 404)

export const createAccess = (id: string): Access => {
  const path = `/api/v1/videos/${encodeURIComponent(id)}`
  let way: "anybody" | "user" | "password" = "anybody"
  let password = ""
  let token: string | undefined

  const headers = (): Record<string, string> =>
    way === "password" ? { "x-peertube-video-password": headerText(password) } : {}

  const get = async <A>(address: string, method: "GET" | "POST" = "GET"): Promise<A> => {
    if (way === "user") return bodyOf<A>(await askAsUser(address, { method }))
    return await getJson<A>(address, { method, headers: headers() })
  }

  const asked = async (): Promise<VideoDetails> => {
    try {
      return await get<VideoDetails>(path)
    } catch (error) {
      if (way !== "anybody" || !isRefused(error) || !isLoggedIn()) throw error
      const mine = await askAsUser(path)
      // The anonymous answer says more than that of a user without access, for example that a password is needed.
      if (!mine.ok) throw error
      way = "user"
      return mine.body as VideoDetails
    }
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
        const issued = await get<unknown>(`${path}/token`, "POST")
        const text = property(property(issued, "files"), "token")
        token = typeof text === "string" ? text : undefined
      }
      return details
    },
    captions: async () => (await get<{ data: ReadonlyArray<Caption> }>(`${path}/captions`)).data,
    chapters: async () => (await get<{ chapters: ReadonlyArray<Chapter> }>(`${path}/chapters`)).chapters,
    storyboard: async () => {
      const [board] = (await get<{ storyboards: ReadonlyArray<Storyboard> }>(`${path}/storyboards`)).storyboards
      return board === undefined ? undefined : { ...board, storyboardPath: withFileToken(board.storyboardPath, token) }
    },
    fileAddress: (address) => withFileToken(address, token),
    headers
  }
}
