import { SealedPayloads } from "@kinora/storage/platform/jobs/SealedPayloads"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { MailTasks } from "../../../src/platform/mail/MailTasks.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { MailServer, type ReceivedMail } from "../../support/MailServer.ts"

export const password = "password1"

/** A node that sends its mail to a server of its own. */
export const mailedNode = (overrides: Overrides = {}) =>
  Layer.unwrap(
    Effect.map(MailServer, (server) =>
      MailTasks.pipe(
        Layer.provideMerge(SealedPayloads.layer),
        Layer.provideMerge(testNode({ ...server.overrides, ...overrides }))
      )
    )
  ).pipe(Layer.provideMerge(MailServer.layer))

/** A user with the address `<username>@example.com`. */
export const addUser = Effect.fnUntraced(function* (username: string, more: { emailVerified?: boolean } = {}) {
  const users = yield* Users
  const email = `${username}@example.com`
  const { userId } = yield* users.create({ username, email, password, role: 2, ...more })
  return userId
})

export const post = (path: string, body: unknown, token?: string) =>
  send(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    body: JSON.stringify(body)
  })

/** Status of a login, or the code of what it is refused with. */
export const tryLogin = Effect.fnUntraced(function* (username: string, given: string) {
  const answer = yield* postForm(yield* tokenForm({ grant_type: "password", username, password: given }))
  return answer.status === 200 ? 200 : (answer.json.code as string)
})

const opened = new WeakSet<ReceivedMail>()

/** The parameters of the link in the next mail to an address, each mail once. */
export const linkTo = Effect.fnUntraced(function* (address: string) {
  const server = yield* MailServer
  const mail = yield* server.waitFor(
    (it) => it.to.includes(address) && !opened.has(it) && it.text.includes("verificationString="),
    `a link to ${address}`
  )
  opened.add(mail)
  const url = new URL(/https?:\/\/\S+verificationString=\S+/.exec(mail.text)![0])
  return { path: url.pathname, subject: mail.subject, ...Object.fromEntries(url.searchParams) } as Record<
    string,
    string
  >
})

/** Lets every one-time token expire. */
export const expireTokens = Effect.flatMap(
  SqlClient,
  (sql) => sql`update one_time_token set expires_at = now() - interval '1 second'`
)
