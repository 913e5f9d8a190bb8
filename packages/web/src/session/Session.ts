import { type Answer, ask, property } from "../api/Answer.ts"
import { forget, keep, place, read } from "./StoredSession.ts"

/** Asks for a session (OAuth 2) and keeps it. */
const grant = async (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> => {
  const client = await ask("/api/v1/oauth-clients/local", {})
  if (!client.ok) return client
  const body = new URLSearchParams({
    client_id: String(property(client.body, "client_id")),
    client_secret: String(property(client.body, "client_secret")),
    ...fields
  })
  const answer = await ask("/api/v1/users/token", { method: "POST", body, headers })
  if (answer.ok) {
    const access = String(property(answer.body, "access_token"))
    const refresh = String(property(answer.body, "refresh_token"))
    keep({ access, refresh })
  }
  return answer
}

/** Logs in; `code` is the one-time code of users with two factors. */
export const login = (username: string, password: string, code: string): Promise<Answer> =>
  grant({ grant_type: "password", username, password }, code === "" ? {} : { "x-peertube-otp": code })

const withToken = (path: string, init: RequestInit, access: string): Promise<Answer> => {
  const headers = new Headers(init.headers)
  headers.set("authorization", `Bearer ${access}`)
  return ask(path, { ...init, headers })
}

/** One tab after the other, where browsers can (they cannot on addresses without https). */
const inTurn = <A>(run: () => Promise<A>): Promise<A> =>
  "locks" in navigator ? navigator.locks.request(place, run) : run()

/**
 * Asks as the user who is logged in. A session that has run out is renewed once, by one tab at a time, since a refresh
 * token works once; when that is refused, the browser is logged out and the answer is 401.
 */
export const askAsUser = async (path: string, init: RequestInit = {}): Promise<Answer> => {
  const before = read()
  const answer = await withToken(path, init, before?.access ?? "")
  if (answer.status !== 401 || before === undefined || answer.code === "current_password_is_invalid") return answer
  return await inTurn(async () => {
    const now = read()
    // Another request of the page, or another tab, has found out before that nobody is logged in any more.
    if (now === undefined) return answer
    if (now.access === before.access) {
      const renewed = await grant({ grant_type: "refresh_token", refresh_token: before.refresh })
      if (renewed.status === 400 || renewed.status === 401) forget()
      if (!renewed.ok) return renewed.status === 400 ? answer : renewed
    }
    return await withToken(path, init, read()?.access ?? "")
  })
}

/** Ends the session, here in any case. */
export const logout = async (): Promise<void> => {
  const session = read()
  forget()
  if (session !== undefined) await withToken("/api/v1/users/revoke-token", { method: "POST" }, session.access)
}
