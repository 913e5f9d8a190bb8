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

/** The JSON of a success. Fails with `ApiError`. */
export const getJson = async <A>(path: string, init: RequestInit = {}): Promise<A> => {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch {
    throw new ApiError(0, undefined)
  }
  if (!response.ok) throw new ApiError(response.status, await problemCode(response))
  return (await response.json()) as A
}
