import { type Answer, ask, property } from "./Answer.ts"
import { forget, keep, place, read } from "./StoredSession.ts"

/** Asks for a session (OAuth 2) and keeps it. */
export const grant = async (
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answer> => {
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

/** One tab after the other, where browsers can (they cannot on addresses without https). */
const inTurn = <A>(run: () => Promise<A>): Promise<A> =>
  "locks" in navigator ? navigator.locks.request(place, run) : run()

let renewing: Promise<Answer | undefined> | undefined

/**
 * Renews the session whose access token was refused: once, by one tab and one request at a time, since a refresh token works
 * once. Undefined when there is a newer access token by now; a refusal logs the browser out.
 */
const renew = (refused: string): Promise<Answer | undefined> => {
  renewing ??= inTurn(async () => {
    const now = read()
    if (now === undefined || now.access !== refused) return undefined
    const answer = await grant({ grant_type: "refresh_token", refresh_token: now.refresh })
    if (answer.status === 400 || answer.status === 401) forget()
    return answer.ok ? undefined : answer
  }).finally(() => {
    renewing = undefined
  })
  return renewing
}

let logInAgain: (() => Promise<boolean>) | undefined

/** Names who asks a person to log in again when the session has ended; what was typed stays, and the request is sent again. */
export const onSessionEnd = (ask: () => Promise<boolean>): void => {
  logInAgain = ask
}

/**
 * Sends a request as the user who is logged in. A session that has run out is renewed; one that has ended is begun again by
 * the person, where the page can ask for it; otherwise the answer is 401.
 */
export const asUser = async (send: (access: string) => Promise<Answer>): Promise<Answer> => {
  const access = read()?.access
  const answer = await send(access ?? "")
  if (answer.status !== 401 || answer.code === "current_password_is_invalid") return answer
  if (access !== undefined) {
    const refusal = await renew(access)
    const now = read()?.access
    if (now !== undefined && refusal === undefined) return await send(now)
    // No connection, or trouble on the server's side: the session may well be good.
    if (now !== undefined && refusal !== undefined) return refusal
  }
  if (logInAgain === undefined || !(await logInAgain())) return answer
  return await send(read()?.access ?? "")
}
