import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { databaseUrl, openDatabase } from "../support/EmbeddedServer.ts"
import { type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"
import { Peer } from "../support/peers/Peer.ts"
import { PeerActors } from "../support/peers/PeerActors.ts"
import type { CreatedVideo } from "../support/Uploads.ts"

interface Taken {
  readonly type: string
  readonly id: string
  readonly name: string
}

const followers = 6

/** One instance that two processes answer for, over one database and one folder of files. */
describe("two nodes of one instance", () => {
  let one: Instance
  let two: Instance
  let peer: Peer
  let actors: PeerActors
  let video: CreatedVideo
  let channel: string
  let database: ReturnType<typeof openDatabase>

  beforeAll(async () => {
    ;[one, peer] = await Promise.all([startInstance(), Peer.start("HostilePeer")])
    const second = await KinoraProcess.create({
      ...one.node.env,
      DATABASE_URL: databaseUrl(one.node.dataDir),
      KINORA_DATA_DIR: one.node.dataDir,
      KINORA_STORAGE_TMP: "tmp-of-two",
      KINORA_WEBSERVER_PORT: String(one.node.port)
    })
    await second.start()
    two = { node: second, auth: one.auth, host: one.host }
    actors = await PeerActors.of(peer)
    database = openDatabase(one.node.dataDir)
    video = await publish(one, { name: "Of both" })
    const seen = await until("the video to be public", 60, async () => {
      const answer = await one.node.get(`/api/v1/videos/${video.uuid}`)
      return answer.status === 200 ? ((await answer.json()) as { channel: { url: string } }) : undefined
    })
    channel = seen.channel.url
  })
  afterAll(async () => {
    await database?.dispose()
    await two?.node.stop()
    await Promise.all([one?.node.remove(), two?.node.remove(), peer?.stop()])
  })

  const person = (nth: number) => `http://127.66.${nth}.1:${peer.port}/people/p${nth}`
  const everybody = Array.from({ length: followers }, (_, nth) => nth)
  const taken = async (type: string) => (await peer.ask<ReadonlyArray<Taken>>("taken")).filter((it) => it.type === type)
  const rows = <A extends object>(query: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
    database.runPromise(Effect.flatMap(SqlClient, query))
  const comment = (by: Instance, text: string) =>
    send<{ comment: { id: number } }>(by, "POST", `/api/v1/videos/${video.uuid}/comment-threads`, { text })

  /** Everybody was told everything of a type, in this number, and nothing of it twice. */
  const toldOnce = async (type: string, number: number, seconds: number) => {
    await until(`${number} of ${type} for each`, seconds, async () => {
      const all = await taken(type)
      return new Set(all.map(({ id, name }) => `${name} ${id}`)).size >= number * followers ? true : undefined
    })
    const all = await taken(type)
    expect(all.length).toBe(number * followers)
  }

  it("answer a follow once, whichever it came to, and send what either is told once", async () => {
    for (const nth of everybody) {
      const at = (nth % 2 === 0 ? one : two).node
      expect(await actors.post(one, person(nth), "Follow", channel, { at: `http://127.0.0.1:${at.port}` })).toBe(204)
    }
    await toldOnce("Accept", 1, 10)
    for (let nth = 0; nth < 20; nth++) await comment(nth % 2 === 0 ? one : two, `Number ${nth}`)
    await toldOnce("Create", 20, 20)

    // What goes to many hosts waits as one row, of which both nodes hear.
    await rows(
      (sql) => sql`
        with told as (
          insert into activity (uri, type, actor_id, sender, body)
          select url || '/many/' || n, 'Announce', id, url, jsonb_build_object('type', 'Announce', 'id', url || '/many/' || n)
          from actor, generate_series(1, 5) n where url = ${channel} returning id, actor_id
        ), queued as (
          insert into delivery_fanout (activity_id, lane, inboxes)
          select t.id, 1, array(
            select coalesce(a.shared_inbox_url, a.inbox_url) from actor_follow f join actor a on a.id = f.actor_id
            where f.target_actor_id = t.actor_id
          ) from told t
        )
        select pg_notify('delivery', 'many')`
    )
    await toldOnce("Announce", 5, 10)
  })

  it("apply what comes to both once, and in its order", async () => {
    const videoUrl = `${one.node.url}/videos/watch/${video.uuid}`
    const kinds = Array.from({ length: 40 }, (_, nth) => (nth % 3 === 2 ? "Dislike" : "Like"))
    for (const [nth, type] of kinds.entries()) {
      const at = `http://127.0.0.1:${(nth % 2 === 0 ? two : one).node.port}`
      expect(await actors.post(one, person(0), type, videoUrl, { at })).toBe(204)
    }
    const open = await until("all to be applied", 60, async () => {
      const waiting = await rows((sql) => sql`select from inbox_activity where state = 'waiting'`)
      return waiting.length === 0 ? waiting : undefined
    })
    expect(open).toEqual([])
    const counts = await rows((sql) => sql`select likes, dislikes from video where uuid = ${video.uuid}`)
    expect(counts).toEqual([{ likes: kinds.at(-1) === "Like" ? 1 : 0, dislikes: kinds.at(-1) === "Like" ? 0 : 1 }])
  })

  it("hold to settings that an administrator changes on either, and after a restart", async () => {
    const name = async ({ node }: Instance) =>
      ((await (await node.get("/api/v1/config")).json()) as { instance: { name: string } }).instance.name
    const custom = "/api/v1/config/custom"
    await send(one, "PUT", custom, { instance: { name: "Of one" }, transcoding: { concurrency: 2 } })
    expect(await name(one)).toBe("Of one")
    await until("the other node to hear of it", 10, async () => ((await name(two)) === "Of one" ? true : undefined))
    await send(two, "PUT", custom, { instance: { name: "Of two" } })
    await until("the first node to hear of it", 10, async () => ((await name(one)) === "Of two" ? true : undefined))
    const page = await (await one.node.get("/")).text()
    expect(page).toContain("Of two")
    await two.node.stop()
    await two.node.start()
    expect(await name(two)).toBe("Of two")
    const debug = await send<{ tasks?: ReadonlyArray<{ name: string }> }>(two, "GET", "/api/v1/server/debug")
    expect(JSON.stringify(debug)).toContain("transcoding 2")
    await send(two, "DELETE", custom)
    await until("both to have the name of the start", 10, async () =>
      (await name(one)) === (await name(two)) && (await name(one)) !== "Of two" ? true : undefined
    )
  })

  it("end what a video file token opens on both, wherever that was decided", async () => {
    const user = { username: "ada", password: "correct-horse-ada", email: "ada@example.com", role: 2 }
    await send(one, "POST", "/api/v1/users", { ...user, videoQuota: -1, videoQuotaDaily: -1 })
    const internal = await publish(one, { name: "For users", privacy: "4" })
    const [ada, again] = [await one.node.login("ada", user.password), await two.node.login("ada", user.password)]
    const path = await until("its file", 120, async () => {
      const details = await one.node.json<{ files: ReadonlyArray<{ fileUrl: string }> }>(
        `/api/v1/videos/${internal.uuid}`,
        one.auth
      )
      return details.files[0] === undefined ? undefined : new URL(details.files[0].fileUrl).pathname
    })
    const tokenOf = async (at: Instance, auth: Record<string, string>) => {
      const answer = await fetch(`${at.node.url}/api/v1/videos/${internal.uuid}/token`, {
        method: "POST",
        headers: auth
      })
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { files: { token: string } }).files.token
    }
    const opens = async (at: Instance, token: string) =>
      (await at.node.get(`${path}?videoFileToken=${token}`, { range: "bytes=0-9" })).status
    const [first, second] = [await tokenOf(one, ada), await tokenOf(two, again)]
    for (const at of [one, two]) for (const token of [first, second]) expect(await opens(at, token)).toBe(206)
    // A session ends on one node: the other hears of it by a notification.
    expect((await fetch(`${one.node.url}/api/v1/users/revoke-token`, { method: "POST", headers: ada })).status).toBe(
      200
    )
    expect(await opens(one, first)).toBe(403)
    await until("the notification", 20, async () => ((await opens(two, first)) === 403 ? true : undefined))
    expect(await opens(two, second)).toBe(206)
    // The video is for its owner alone: the next request to either node is refused.
    const body = new URLSearchParams({ privacy: "3" })
    const updated = await fetch(`${two.node.url}/api/v1/videos/${internal.uuid}`, {
      method: "PUT",
      headers: one.auth,
      body
    })
    expect(updated.status).toBe(204)
    for (const at of [one, two]) expect(await opens(at, second)).toBe(403)
  })

  it("go on alone when one is killed in the middle", async () => {
    for (let nth = 0; nth < 10; nth++) await comment(one, `Before the end ${nth}`)
    await one.node.stop("SIGKILL")
    await comment(two, "After it")
    // The turns of who is dead are over after fifteen seconds, and looked for every five.
    await until("everybody to be told", 60, async () => {
      const all = await taken("Create")
      return new Set(all.map(({ id, name }) => `${name} ${id}`)).size === 31 * followers ? true : undefined
    })
    expect(
      await actors.post(one, person(1), "Like", `${one.node.url}/videos/watch/${video.uuid}`, {
        at: `http://127.0.0.1:${two.node.port}`
      })
    ).toBe(204)
    await until("what comes to be applied", 60, async () => {
      const waiting = await rows((sql) => sql`select from inbox_activity where state = 'waiting'`)
      return waiting.length === 0 ? true : undefined
    })
  })
})
