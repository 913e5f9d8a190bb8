import { createHash, generateKeyPairSync, sign } from "node:crypto"
import { Agent, createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import type { Instance } from "../Federating.ts"

const activityJson = "application/activity+json"
export const publicly = "https://www.w3.org/ns/activitystreams#Public"
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const publicKeyPem = publicKey.export({ type: "spki", format: "pem" })

type Json = Readonly<Record<string, unknown>>

/** Headers of a POST to `/inbox` that an actor signed, in the form of draft-cavage-12. */
const signedHeaders = (actor: string, host: string, body: Buffer): Record<string, string> => {
  const date = new Date().toUTCString()
  const digest = `SHA-256=${createHash("sha256").update(body).digest("base64")}`
  const text = `(request-target): post /inbox\nhost: ${host}\ndate: ${date}\ndigest: ${digest}`
  const signature = sign("sha256", Buffer.from(text), privateKey).toString("base64")
  const names = "(request-target) host date digest"
  return {
    host,
    date,
    digest,
    signature: `keyId="${actor}#main-key",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`
  }
}

/** Another instance in this process: it gives out its objects, takes what it is sent, and sends signed activities. */
export class OtherInstance {
  readonly origin: string
  /** Activities that came, by type. */
  readonly taken = new Map<string, number>()
  /** The last Follow that came. */
  followed: Json | undefined
  private readonly documents: Map<string, Json>
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 })
  private readonly server: ReturnType<typeof createServer>
  private serial = 0

  private constructor(server: ReturnType<typeof createServer>, documents: Map<string, Json>) {
    this.server = server
    this.documents = documents
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on("request", (asked, answer) => {
      const path = new URL(asked.url ?? "/", this.origin)
      const document = path.pathname === "/.well-known/webfinger" ? this.webfinger(path) : documents.get(path.pathname)
      if (asked.method !== "POST") {
        answer.writeHead(document === undefined ? 404 : 200, {
          "content-type": path.pathname.startsWith("/.well") ? "application/jrd+json" : activityJson
        })
        return void answer.end(JSON.stringify(document ?? {}))
      }
      const pieces: Array<Buffer> = []
      asked.on("data", (piece: Buffer) => pieces.push(piece))
      asked.on("end", () => {
        const activity = JSON.parse(Buffer.concat(pieces).toString()) as Json & { readonly type: string }
        if (activity.type === "Follow") this.followed = activity
        this.taken.set(activity.type, (this.taken.get(activity.type) ?? 0) + 1)
        answer.writeHead(204).end()
      })
    })
  }

  static async listen(): Promise<OtherInstance> {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    return new OtherInstance(server, new Map())
  }

  private webfinger(asked: URL): Json | undefined {
    const subject = asked.searchParams.get("resource") ?? ""
    const name = /^acct:(\w+)@/.exec(subject)?.[1]
    const path = [...this.documents.keys()].find((it) => it.split("/").at(-1) === name)
    return path === undefined
      ? undefined
      : { subject, links: [{ rel: "self", type: activityJson, href: `${this.origin}${path}` }] }
  }

  /** An actor of it: its address. */
  actor(name: string, more: Json = {}): string {
    const path = more["type"] === "Group" ? `/video-channels/${name}` : `/accounts/${name}`
    const url = `${this.origin}${path}`
    this.serve(`${url}/outbox`, { id: `${url}/outbox`, type: "OrderedCollection", totalItems: 0, orderedItems: [] })
    this.serve(url, {
      "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
      type: "Person",
      id: url,
      preferredUsername: name,
      name,
      url,
      inbox: `${url}/inbox`,
      outbox: `${url}/outbox`,
      followers: `${url}/followers`,
      endpoints: { sharedInbox: `${this.origin}/inbox` },
      publicKey: { id: `${url}#main-key`, owner: url, publicKeyPem },
      ...more
    })
    return url
  }

  /** Gives out an object at its address from now on; none: forgets it. */
  serve(url: string, document?: Json): void {
    const path = url.slice(this.origin.length)
    if (document === undefined) this.documents.delete(path)
    else this.documents.set(path, document)
  }

  /** An address of its own that nothing had before. */
  address(actor: string, kind: string): string {
    return `${actor}/${kind}/${++this.serial}`
  }

  /** Sends an activity of an actor to the shared inbox; fails when it is not taken. Gives the activity. */
  async send({ host, node }: Instance, type: string, actor: string, object: unknown): Promise<Json> {
    const activity = {
      "@context": "https://www.w3.org/ns/activitystreams",
      id: this.address(actor, "activities"),
      type,
      actor,
      object,
      to: [publicly]
    }
    const body = Buffer.from(JSON.stringify(activity))
    const headers = {
      ...signedHeaders(actor, host, body),
      "content-type": activityJson,
      "content-length": body.length
    }
    const url = `${node.url}/inbox`
    const status = await new Promise<number>((done, fail) => {
      const sent = request(url, { method: "POST", headers, agent: this.agent }, (answer) => {
        answer.resume()
        answer.once("end", () => done(answer.statusCode ?? 0))
      })
      sent.once("error", fail)
      sent.end(body)
    })
    if (status !== 204) throw new Error(`${type}: ${status}`)
    return activity
  }

  async close(): Promise<void> {
    this.agent.destroy()
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}
