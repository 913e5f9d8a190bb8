import { Effect } from "effect"
import { baseUrl } from "./TestNode.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
  readonly json: any
}

const request = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, { redirect: "manual", ...init })
  const text = await response.text()
  const isJson = (response.headers.get("content-type") ?? "").includes("json")
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Sends a request to the server of the suite and reads the whole answer. */
export const send = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(baseUrl, (base) => Effect.promise(() => request(base + path, init)))

export const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })

/** A form as `POST /users/token` takes it, with the client's credentials filled in unless they are given. */
export const tokenForm = Effect.fn("tokenForm")(function* (fields: Record<string, string>) {
  const client = (yield* send("/api/v1/oauth-clients/local")).json
  return { client_id: client.client_id as string, client_secret: client.client_secret as string, ...fields }
})

export const postForm = (fields: Record<string, string>) =>
  send("/api/v1/users/token", { method: "POST", body: new URLSearchParams(fields) })

/** Logs in and gives the token answer; dies when it is refused. */
export const login = Effect.fn("login")(function* (username: string, password: string) {
  const answer = yield* postForm(yield* tokenForm({ grant_type: "password", username, password }))
  if (answer.status !== 200) return yield* Effect.die(`login of ${username}: ${answer.text}`)
  return answer.json as { readonly access_token: string; readonly refresh_token: string }
})
