import { Effect } from "effect"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"

export const password = "password1"

/** Whatever a client may put into a body. */
export type Body = Readonly<Record<string, unknown>>

export const person = (username: string, more: Body = {}): Body => ({
  username,
  email: `${username}@example.com`,
  password,
  ...more
})

export const postJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

/** The header with which a proxy on this machine says whom it asks for. */
export const from = (...addresses: ReadonlyArray<string>) => ({ "x-forwarded-for": addresses.join(", ") })

export const register = (body: unknown, headers?: Record<string, string>) =>
  postJson("/api/v1/users/register", body, headers)

export const ask = (body: unknown, headers?: Record<string, string>) =>
  postJson("/api/v1/users/registrations/request", body, headers)

/** The same with a reason, which asking needs. */
export const wish = (username: string, more: Body = {}): Body =>
  person(username, { registrationReason: "I make films", ...more })

export const tokenOf = (username: string, secret: string) =>
  Effect.map(login(username, secret), (token) => token.access_token)

export const rootToken = tokenOf("root", rootPassword)

export const decide = (
  id: number | string,
  how: "accept" | "reject",
  token: string,
  body: Body = { moderationResponse: "So be it" }
) =>
  postJson(`/api/v1/users/registrations/${id}/${how}`, body, {
    authorization: `Bearer ${token}`
  })

export const list = (token: string, query = "") => send(`/api/v1/users/registrations${query}`, bearer(token))

export const me = (token: string) => send("/api/v1/users/me", bearer(token))
