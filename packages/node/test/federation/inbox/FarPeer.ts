import { type RequestToSign, signRequest } from "@kinora/federation/signatures/SignRequest"
import { Clock, Effect } from "effect"
import { HttpServer } from "effect/http"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"

/** What the node of the tests calls itself. */
export const ours = "http://localhost:9000"

/** Keys take a while to make: a few serve all actors of a file. */
const pairs = Array.from({ length: 3 }, () => generateKeyPairSync("rsa", { modulusLength: 2048 }))

export interface FarActor {
  readonly url: string
  readonly name: string
  readonly privateKey: KeyObject
}

export interface Posted {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** How a request differs from an honest one. */
export interface Twist {
  /** Path of the inbox. */
  readonly to?: string
  /** Signs with the key of another actor, under that actor's key id. */
  readonly as?: FarActor
  /** What is sent instead of what was signed. */
  readonly body?: string
  readonly contentType?: string
  /** Headers after signing: undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Milliseconds the clock is off. */
  readonly off?: number
  /** Signs in another form, or with another key. */
  readonly signing?: Partial<Pick<RequestToSign, "form" | "key">>
}

/**
 * Another instance on this machine: a server that gives out the objects it is told, and signs what it sends with the keys of its
 * actors. It can be made to lie in every way.
 */
export const farPeer = Effect.gen(function* () {
  const documents = new Map<string, { readonly status: number; readonly body: unknown }>()
  const asked: Array<string> = []
  const server = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((ready) => {
          const made = createServer((req, res) => {
            asked.push(req.url ?? "")
            const document = documents.get(req.url ?? "")
            if (document?.status === 0) return
            res.writeHead(document?.status ?? 404, { "content-type": "application/activity+json" })
            res.end(document === undefined ? "{}" : JSON.stringify(document.body))
          }).listen(0, "127.0.0.1", () => ready(made))
        })
    ),
    (made) => Effect.promise(() => new Promise((closed) => (made.closeAllConnections(), made.close(closed))))
  )
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let serial = 0

  /** With status 0 it never answers. */
  const serve = (path: string, body: unknown, status = 200) => void documents.set(path, { status, body })

  /** Gives out at one path what another gives. */
  const alias = (path: string, of: string) => void documents.set(path, documents.get(of)!)

  const actor = (name: string, more: JsonObject = {}): FarActor => {
    const pair = pairs[serial++ % pairs.length]!
    const group = more["type"] === "Group"
    const url = `${origin}/${group ? "video-channels" : "accounts"}/${name}`
    serve(new URL(url).pathname, {
      "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
      type: "Person",
      id: url,
      preferredUsername: name,
      name,
      url,
      inbox: `${url}/inbox`,
      outbox: `${url}/outbox`,
      followers: `${url}/followers`,
      following: `${url}/following`,
      endpoints: { sharedInbox: `${origin}/inbox` },
      publicKey: {
        id: `${url}#main-key`,
        owner: url,
        publicKeyPem: pair.publicKey.export({ type: "spki", format: "pem" })
      },
      ...more
    })
    return { url, name, privateKey: pair.privateKey }
  }

  /** Sends bytes as they are, signed by an actor. */
  const send = Effect.fnUntraced(function* (sender: FarActor, text: string, twist: Twist = {}) {
    const { address } = yield* HttpServer.HttpServer
    const port = "port" in address ? address.port : 0
    const path = twist.to ?? "/inbox"
    const signer = twist.as ?? sender
    const signed = yield* signRequest({
      method: "POST",
      url: `${ours}${path}`,
      body: Buffer.from(text),
      form: "cavage",
      key: { id: `${signer.url}#main-key`, privateKey: signer.privateKey, algorithm: "rsa" },
      now: (yield* Clock.currentTimeMillis) + (twist.off ?? 0),
      ...twist.signing
    })
    const body = twist.body ?? text
    const headers: Record<string, string | undefined> = {
      host: "localhost:9000",
      "content-type": twist.contentType ?? "application/activity+json",
      "content-length": String(Buffer.byteLength(body)),
      ...signed,
      ...twist.headers
    }
    const given = Object.fromEntries(
      Object.entries(headers).filter((it): it is [string, string] => it[1] !== undefined)
    )
    return yield* Effect.promise(
      () =>
        new Promise<Posted>((done, failed) => {
          const req = httpRequest(
            { host: "127.0.0.1", port, path, method: "POST", headers: given, agent: false },
            (res) => {
              let answer = ""
              res.on("data", (chunk: Buffer) => (answer += chunk.toString()))
              res.on("end", () => done({ status: res.statusCode ?? 0, headers: res.headers, text: answer }))
            }
          )
          req.on("error", failed)
          req.end(body)
        })
    )
  })

  /** An activity of an actor, with an id of its own where none is given. */
  const activity = (sender: FarActor, type: string, object: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${sender.url}/activities/${++serial}`,
    type,
    actor: sender.url,
    object,
    ...more
  })

  const post = (
    sender: FarActor,
    type: string,
    object: unknown,
    more: Readonly<Record<string, unknown>> = {},
    twist: Twist = {}
  ) => send(sender, JSON.stringify(activity(sender, type, object, more)), twist)

  return { origin, asked, actor, serve, alias, send, activity, post }
})

export type FarPeer = Effect.Success<typeof farPeer>
