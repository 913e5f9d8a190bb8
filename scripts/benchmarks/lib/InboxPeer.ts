import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer } from "node:http"
import { connect } from "node:net"
import process from "node:process"

/**
 * Another instance, or several, in a process of its own (`fork`): it gives out its actors, signs activities before anything is
 * measured, and then sends them over kept-alive connections.
 */

/** What it is to do. */
export type PeerOrder =
  /** At so many addresses of the loopback network (1), each an instance with its share of the actors. */
  | { readonly _tag: "Listen"; readonly port: number; readonly actors: number; readonly hosts?: number }
  /** Signs `count` Likes of these videos: each actor likes each video once. Or as many comments below them. */
  | {
      readonly _tag: "Sign"
      readonly count: number
      readonly host: string
      readonly videos: ReadonlyArray<string>
      readonly type?: Signed
    }
  /** Sends so many of those signed; with `rate`, that many a second, else as fast as they are answered. Ports take turns. */
  | {
      readonly _tag: "Send"
      readonly count: number
      readonly ports: ReadonlyArray<number>
      readonly connections: number
      readonly rate?: number
    }

export type Signed = "Like" | "Create"

/** What sending came to. Milliseconds; cpu is the seconds of a core the sender itself took. */
export interface Sent {
  readonly seconds: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
  readonly statuses: Readonly<Record<string, number>>
  /** Sent, or not any more, when the connections broke. */
  readonly unanswered: number
  readonly cpu: number
}

interface Actor {
  readonly url: string
  readonly key: KeyObject
}

let actors: ReadonlyArray<Actor> = []
const signed: Array<Buffer> = []
let serial = 0

const listen = async (port: number, count: number, hosts: number) => {
  const addresses = Array.from({ length: hosts }, (_, n) => `127.0.0.${n + 1}`)
  const pairs = Array.from({ length: Math.min(count, 8) }, () => generateKeyPairSync("rsa", { modulusLength: 2048 }))
  const documents = new Map<string, string>()
  actors = Array.from({ length: count }, (_, n) => {
    const origin = `http://${addresses[n % hosts]}:${port}`
    const url = `${origin}/accounts/p${n}`
    const pair = pairs[n % pairs.length]!
    const publicKeyPem = pair.publicKey.export({ type: "spki", format: "pem" })
    documents.set(
      `/accounts/p${n}`,
      JSON.stringify({
        "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
        type: "Person",
        id: url,
        preferredUsername: `p${n}`,
        name: `Person ${n}`,
        url,
        inbox: `${url}/inbox`,
        outbox: `${url}/outbox`,
        endpoints: { sharedInbox: `${origin}/inbox` },
        publicKey: { id: `${url}#main-key`, owner: url, publicKeyPem }
      })
    )
    return { url, key: pair.privateKey }
  })
  for (const address of addresses)
    await new Promise<void>((ready) =>
      createServer((req, res) => {
        const document = documents.get(req.url ?? "")
        res.writeHead(document === undefined ? 404 : 200, { "content-type": "application/activity+json" })
        res.end(document ?? "{}")
      }).listen(port, address, () => ready())
    )
}

const audience = (actor: Actor) => ({
  to: ["https://www.w3.org/ns/activitystreams#Public"],
  cc: [`${actor.url}/followers`]
})

const note = (actor: Actor, video: string) => ({
  type: "Note",
  id: `${actor.url}/comments/${serial}`,
  attributedTo: actor.url,
  inReplyTo: video,
  content: `<p>Words number ${serial} about a video, as people write them below it.</p>`,
  published: new Date().toISOString(),
  ...audience(actor)
})

const signedRequest = (type: Signed, actor: Actor, video: string, host: string): Buffer => {
  serial += 1
  const body = JSON.stringify({
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
    type,
    id: `${actor.url}/activities/${serial}`,
    actor: actor.url,
    object: type === "Like" ? video : note(actor, video),
    ...audience(actor)
  })
  const date = new Date().toUTCString()
  const digest = `SHA-256=${createHash("sha256").update(body).digest("base64")}`
  const text = `(request-target): post /inbox\nhost: ${host}\ndate: ${date}\ndigest: ${digest}`
  const signature = sign("sha256", Buffer.from(text), actor.key).toString("base64")
  return Buffer.from(
    [
      "POST /inbox HTTP/1.1",
      `host: ${host}`,
      `date: ${date}`,
      `digest: ${digest}`,
      "content-type: application/activity+json",
      `content-length: ${Buffer.byteLength(body)}`,
      `signature: keyId="${actor.url}#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest",signature="${signature}"`,
      "",
      body
    ].join("\r\n")
  )
}

const send = async ({ connections, count, ports, rate }: Extract<PeerOrder, { _tag: "Send" }>): Promise<Sent> => {
  const requests = signed.splice(0, count)
  const times: Array<number> = []
  const statuses: Record<string, number> = {}
  const cpu = process.cpuUsage()
  const from = performance.now()
  let next = 0
  await Promise.all(
    Array.from(
      { length: connections },
      (_, nthConnection) =>
        new Promise<void>((done) => {
          const socket = connect(ports[nthConnection % ports.length]!, "127.0.0.1")
          let sentAt = 0
          let answer = ""
          const step = () => {
            const nth = next++
            if (nth >= requests.length) {
              socket.end()
              return done()
            }
            const wait = rate === undefined ? 0 : from + (nth / rate) * 1000 - performance.now()
            const go = () => {
              sentAt = performance.now()
              socket.write(requests[nth]!)
            }
            if (wait > 1) setTimeout(go, wait)
            else go()
          }
          socket.setNoDelay()
          socket.on("connect", step)
          socket.on("error", () => done())
          socket.on("close", () => done())
          socket.on("data", (chunk) => {
            answer += chunk.toString("latin1")
            const end = answer.indexOf("\r\n\r\n")
            if (end < 0) return
            const length = Number(/content-length: (\d+)/i.exec(answer.slice(0, end))?.[1] ?? 0)
            if (answer.length < end + 4 + length) return
            times.push(performance.now() - sentAt)
            const status = answer.slice(9, 12)
            statuses[status] = (statuses[status] ?? 0) + 1
            answer = ""
            step()
          })
        })
    )
  )
  const seconds = (performance.now() - from) / 1000
  const { system, user } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return {
    seconds,
    perSecond: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    worst: at(1),
    statuses,
    unanswered: requests.length - times.length,
    cpu: (user + system) / 1e6
  }
}

const obey = async (order: PeerOrder): Promise<unknown> => {
  switch (order._tag) {
    case "Listen":
      return listen(order.port, order.actors, order.hosts ?? 1)
    case "Sign": {
      // All actors are at one video after the other; at as many as there are activities for.
      for (let n = 0; n < order.count; n++) {
        const actor = actors[n % actors.length]!
        const video = order.videos[Math.floor(serial / actors.length) % order.videos.length]!
        signed.push(signedRequest(order.type ?? "Like", actor, video, order.host))
      }
      return undefined
    }
    case "Send":
      return send(order)
  }
}

if (process.send !== undefined) {
  process.on("message", (order: PeerOrder) => {
    void obey(order).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) })
    )
  })
}
