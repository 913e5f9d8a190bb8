import * as Database from "@kinora/storage/platform/database/Database"
import { Context, Effect, Layer, Redacted } from "effect"
import { embeddedServer } from "./EmbeddedServer.ts"
import { KinoraProcess } from "./KinoraProcess.ts"
import { MailServer } from "./MailServer.ts"

/** What came back. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
  readonly json: any
}

/** Who asks, and what is sent: an object goes as JSON. */
export interface Asking {
  readonly token?: string | undefined
  readonly agent?: string | undefined
  readonly code?: string | undefined
  readonly body?: URLSearchParams | FormData | Readonly<Record<string, unknown>>
}

const isPlain = (body: Asking["body"]): body is Readonly<Record<string, unknown>> =>
  body !== undefined && !(body instanceof URLSearchParams) && !(body instanceof FormData)

const headersOf = ({ agent, body, code, token }: Asking): Record<string, string> => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(agent !== undefined && { "user-agent": agent }),
  ...(code !== undefined && { "x-peertube-otp": code }),
  ...(isPlain(body) && { "content-type": "application/json" })
})

/** The program in a process of its own, as a person runs it, that sends its mail to the `MailServer` beside it. */
export class MailedProgram extends Context.Service<MailedProgram, KinoraProcess>()("test/MailedProgram") {
  static readonly layer = (env: Record<string, string>) =>
    Layer.effect(
      MailedProgram,
      Effect.gen(function* () {
        const { smtp } = (yield* MailServer).overrides
        const mail = Object.entries(smtp).map(([key, value]) => [`KINORA_SMTP_${key.toUpperCase()}`, String(value)])
        const node = yield* Effect.acquireRelease(
          Effect.promise(() => KinoraProcess.create({ ...Object.fromEntries(mail), ...env })),
          (it) => Effect.promise(() => it.remove())
        )
        yield* Effect.promise(() => node.start())
        return node
      })
    ).pipe(Layer.provideMerge(MailServer.layer))

  /** The program's own database, as long as it runs. */
  static readonly database = Layer.unwrap(
    Effect.map(MailedProgram, ({ dataDir }) => {
      const { password, socket } = embeddedServer(dataDir)
      const host = encodeURIComponent(socket.slice(0, socket.lastIndexOf("/")))
      const url = `postgresql://kinora:${encodeURIComponent(password)}@localhost/kinora?host=${host}`
      return Database.layer({ url: Redacted.make(url), maxConnections: 1, applicationName: "journey" })
    })
  )
}

const request = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = (response.headers.get("content-type") ?? "").includes("json")
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Sends a request to the API and reads the whole answer; `path` begins below `/api/v1`, or is an address. */
export const ask = Effect.fn("ask")(function* (method: string, path: string, asking: Asking = {}) {
  const node = yield* MailedProgram
  const url = path.startsWith("http") ? path : `${node.url}/api/v1${path}`
  const { body } = asking
  const sent = body === undefined ? {} : { body: isPlain(body) ? JSON.stringify(body) : body }
  return yield* Effect.promise(() => request(url, { method, headers: headersOf(asking), ...sent }))
})

/** The same, but dies of another status. */
export const want = Effect.fn("want")(function* (status: number, method: string, path: string, asking: Asking = {}) {
  const answer = yield* ask(method, path, asking)
  return answer.status === status
    ? answer
    : yield* Effect.die(`${method} ${path}: ${answer.status}, not ${status}: ${answer.text}`)
})

/** Tries to log in, as one does with a browser that calls itself `agent`. */
export const tryLogin = Effect.fn("tryLogin")(function* (
  username: string,
  password: string,
  { agent, code }: Pick<Asking, "agent" | "code"> = {}
) {
  const client = (yield* want(200, "GET", "/oauth-clients/local")).json as Record<string, string>
  const body = new URLSearchParams({ ...client, grant_type: "password", response_type: "code", username, password })
  return yield* ask("POST", "/users/token", { body, agent, code })
})

/** Logs in and gives the access token. */
export const logIn = Effect.fn("logIn")(function* (...args: Parameters<typeof tryLogin>) {
  const answer = yield* tryLogin(...args)
  return answer.status === 200
    ? (answer.json.access_token as string)
    : yield* Effect.die(`login of ${args[0]}: ${answer.text}`)
})

/** Status and code of a login. */
export const loginSays = Effect.fn("loginSays")(function* (...args: Parameters<typeof tryLogin>) {
  const { json, status } = yield* tryLogin(...args)
  return status === 200 ? "200" : `${status} ${json.code}`
})

/** Whether a token opens anything, as a status. */
export const meWith = (token: string) => Effect.map(ask("GET", "/users/me", { token }), ({ status }) => status)

/** The link of a mail that was sent to an address with such a subject. */
export const linkTo = Effect.fn("linkTo")(function* (address: string, subject: string) {
  const server = yield* MailServer
  const mail = yield* server.waitFor(
    (it) => it.to.includes(address) && it.subject.includes(subject),
    `"${subject}" for ${address}`
  )
  const link = /https?:\/\/\S+\?\S+/.exec(mail.text)?.[0]
  return link === undefined ? yield* Effect.die(`no link in:\n${mail.text}`) : new URL(link)
})
