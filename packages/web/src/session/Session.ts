import { type Answer, ask } from "../api/Answer.ts"
import { grant } from "../api/Tokens.ts"
import { forget, read } from "../api/StoredSession.ts"

/** Logs in; `code` is the one-time code of users with two factors. */
export const login = (username: string, password: string, code: string): Promise<Answer> =>
  grant({ grant_type: "password", username, password }, code === "" ? {} : { "x-peertube-otp": code })

const withToken = (path: string, init: RequestInit, access: string): Promise<Answer> => {
  const headers = new Headers(init.headers)
  headers.set("authorization", `Bearer ${access}`)
  return ask(path, { ...init, headers })
}

let leaving = false

/** Whether the user has logged out, and the page is about to be left. */
export const isLeaving = (): boolean => leaving

/** Ends the session, here in any case. The page is left afterwards: what it still asks for is not worth logging in again. */
export const logout = async (): Promise<void> => {
  const session = read()
  leaving = true
  forget()
  if (session !== undefined) await withToken("/api/v1/users/revoke-token", { method: "POST" }, session.access)
}
