import { fromPem } from "@kinora/federation/signatures/PublicKeys"
import { type Verified, verifyRequest } from "@kinora/federation/signatures/VerifyRequest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"

/** What a peer was sent. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any -- activities are compared member by member
  readonly json: any
}

export interface Peer {
  readonly port: number
  /** As hosts are named. */
  readonly host: string
  readonly received: Array<Received>
  /** What it answers; without a status it stays silent. */
  answer: (received: Received) => { readonly status?: number; readonly headers?: Record<string, string> }
}

/** A server of its own on the loopback that takes what it is sent, as `answer` says. */
export const startPeer = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<Peer & { readonly close: () => void }>((resolve) => {
        const received: Array<Received> = []
        const silent = new Set<ServerResponse>()
        const server = createServer((request, response) => {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => chunks.push(chunk))
          request.on("end", () => {
            const body = Buffer.concat(chunks)
            const it = { path: request.url ?? "", headers: request.headers, body, json: JSON.parse(body.toString()) }
            received.push(it)
            const { headers = {}, status } = peer.answer(it)
            if (status === undefined) silent.add(response)
            else response.writeHead(status, headers).end()
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as { readonly port: number }
          Object.assign(peer, { port, host: `127.0.0.1:${port}` })
          resolve(peer)
        })
        const peer: Peer & { readonly close: () => void } = {
          port: 0,
          host: "",
          received,
          answer: () => ({ status: 204 }),
          close: () => {
            server.close()
            server.closeAllConnections()
          }
        }
      })
  ),
  (peer) => Effect.sync(peer.close)
)

/** Says whose a request is, by the rules of the inbox and the keys of the node's own actors. */
export const verifiedBy = Effect.fn("verifiedBy")(function* (peer: Peer, received: Received) {
  const sql = yield* SqlClient
  return yield* verifyRequest(
    {
      method: "POST",
      target: received.path,
      headers: received.headers as Readonly<Record<string, string | undefined>>,
      body: received.body,
      host: peer.host,
      origin: `http://${peer.host}`
    },
    (keyId) =>
      Effect.gen(function* () {
        const rows = yield* sql<{ url: string; key: string }>`
          select url, public_key as key from actor where url = ${keyId.replace(/#.*$/, "")} and server_id is null`
        const key = Result.getOrThrow(fromPem(rows[0]!.key))
        return { id: keyId, owner: rows[0]!.url, key }
      }).pipe(Effect.orDie)
  ) as Effect.Effect<Verified, unknown>
})

/** An actor of a peer that follows an actor of ours, as rows. Gives its id. */
export const addFollower = Effect.fn("addFollower")(function* (
  peer: Peer,
  name: string,
  target: string,
  type: "Person" | "Application" = "Person"
) {
  const sql = yield* SqlClient
  yield* sql`insert into server (host) values (${peer.host}) on conflict do nothing`
  const url = `http://${peer.host}/accounts/${name}`
  const [actor] = yield* sql<{ id: number }>`
    insert into actor (type, preferred_username, server_id, url, inbox_url, shared_inbox_url, public_key)
    select ${type}, ${name}, id, ${url}, ${`${url}/inbox`}, ${`http://${peer.host}/inbox`}, 'none'
    from server where host = ${peer.host} returning id`
  yield* sql`insert into account (actor_id, display_name) values (${actor!.id}, ${name})`
  yield* sql`
    insert into actor_follow (actor_id, target_actor_id, state, url)
    select ${actor!.id}, id, 'accepted', ${`${url}/follows/1`} from actor
    where preferred_username = ${target} and server_id is null`
  return actor!.id
})

/** Waits until the database says so; dies after 20 s. */
export const until = Effect.fn("until")(function* <E, R>(what: string, condition: Effect.Effect<boolean, E, R>) {
  for (let i = 0; i < 400; i++) {
    if (yield* condition) return
    yield* Effect.sleep("50 millis")
  }
  return yield* Effect.die(new Error(`never: ${what}`))
})
