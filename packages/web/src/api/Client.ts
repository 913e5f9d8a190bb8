import type { Caption, Storyboard, VideoDetails } from "./Wire.ts"

/** An answer that is not a success, or no answer at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** Last part of the problem document's `type`, such as `video_requires_password`. */
  readonly code: string | undefined

  constructor(status: number, code: string | undefined) {
    super(`The server answered ${status}`)
    this.status = status
    this.code = code
  }

  /** Worth asking again: no connection, too many requests, or trouble on the server's side. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const problemCode = async (response: Response): Promise<string | undefined> => {
  try {
    const problem: unknown = await response.json()
    if (typeof problem !== "object" || problem === null || !("type" in problem)) return undefined
    return String(problem.type).split("/").pop()
  } catch {
    // Proxies answer errors with pages of their own: then the status alone says what is known.
    return undefined
  }
}

const getJson = async <A>(path: string): Promise<A> => {
  let response: Response
  try {
    response = await fetch(path)
  } catch {
    throw new ApiError(0, undefined)
  }
  if (!response.ok) throw new ApiError(response.status, await problemCode(response))
  return (await response.json()) as A
}

const videoPath = (id: string) => `/api/v1/videos/${encodeURIComponent(id)}`

/** `GET /api/v1/videos/{id}`. Fails with `ApiError`. */
export const getVideo = (id: string): Promise<VideoDetails> => getJson<VideoDetails>(videoPath(id))

/** `GET /api/v1/videos/{id}/storyboards`: the first one. Fails with `ApiError`. */
export const getStoryboard = async (id: string): Promise<Storyboard | undefined> =>
  (await getJson<{ storyboards: ReadonlyArray<Storyboard> }>(`${videoPath(id)}/storyboards`)).storyboards[0]

/** `GET /api/v1/videos/{id}/captions`. Fails with `ApiError`. */
export const getCaptions = async (id: string): Promise<ReadonlyArray<Caption>> =>
  (await getJson<{ data: ReadonlyArray<Caption> }>(`${videoPath(id)}/captions`)).data
