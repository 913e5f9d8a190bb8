import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDatabase } from "../support/EmbeddedServer.ts"
import { type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"
import { Peer } from "../support/peers/Peer.ts"
import { PeerActors } from "../support/peers/PeerActors.ts"
import type { CreatedVideo } from "../support/Uploads.ts"

/** What the process may grow by meanwhile. */
const mebibytes = 150

/** What a document can be that is asked for, in whatever way. */
const lies = [
  ...["drip", "silent", "endless", "headers", "gzip", "brotli", "nested", "loop", "hops", "private", "metadata"],
  ...["mapped", "file", "data", "gopher", "elsewhere", "html", "plain", "untyped", "short", "huge", "reset"],
  ...["garbage", "deep", "wide", "empty", "broken", "utf16", "alternate", "patience", "past", "other"]
]
const keyLies = ["changing", "small", "bomb", "theirs"]

/**
 * A node in a process of its own, among servers that mean ill: of whatever they send or answer nothing is kept, everybody
 * else is answered meanwhile, and memory stays within bounds.
 */
describe("a node among hostile peers", { timeout: 120_000 }, () => {
  let instance: Instance
  let peer: Peer
  let actors: PeerActors
  let video: CreatedVideo
  let database: ReturnType<typeof openDatabase>

  beforeAll(async () => {
    ;[instance, peer] = await Promise.all([startInstance(), Peer.start("HostilePeer")])
    actors = await PeerActors.of(peer)
    video = await publish(instance, { name: "In the open" })
    await until("the video to be public", 60, async () =>
      (await instance.node.get(`/api/v1/videos/${video.uuid}`)).status === 200 ? true : undefined
    )
    database = openDatabase(instance.node.dataDir)
  }, 120_000)
  afterAll(async () => {
    await database?.dispose()
    await Promise.all([instance?.node.remove(), peer?.stop()])
  })

  const rows = <A extends object>(query: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
    database.runPromise(Effect.flatMap(SqlClient, query))

  /** A host of the peer's own for each lie; the honest one has another network. */
  const hostOf = (nth: number) => `http://127.66.${nth}.1:${peer.port}`
  const honest = () => `http://127.77.0.1:${peer.port}/people/honest`
  const videoUrl = () => `${instance.node.url}/videos/watch/${video.uuid}`

  const post = (actor: string, type: string, object: unknown, keyId?: string) =>
    actors.post(instance, actor, type, object, keyId === undefined ? {} : { keyId })

  const memory = (): number => {
    const status = readFileSync(`/proc/${instance.node.child!.pid}/status`, "utf8")
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
  }

  /** Does it while others read lists and somebody honest likes a video, who are all answered before it is over. */
  const meanwhile = async (attack: () => Promise<unknown>) => {
    const before = memory()
    const over = new AbortController()
    let most = 0
    let answered = 0
    const watch = async () => {
      while (!over.signal.aborted) {
        const answer = await instance.node.get("/api/v1/videos?count=15")
        await answer.arrayBuffer()
        expect(answer.status).toBe(200)
        if (!over.signal.aborted) answered += 1
        most = Math.max(most, memory())
        await new Promise((next) => setTimeout(next, 100))
      }
    }
    const watched = watch()
    const attacked = attack().finally(() => over.abort())
    const type = actors.count % 2 === 0 ? "Like" : "Dislike"
    await until("somebody honest to be heard", 60, async () =>
      (await post(honest(), type, videoUrl())) === 204 ? true : undefined
    )
    await until("their rating to count", 60, async () => {
      const [rate] = await rows<{ type: string }>(
        (sql) => sql`
          select r.type from account_video_rate r join account a on a.id = r.account_id
            join actor t on t.id = a.actor_id where t.url = ${honest()}`
      )
      return rate?.type === type.toLowerCase() ? true : undefined
    })
    await attacked
    await watched
    expect(answered).toBeGreaterThan(0)
    expect(most - before).toBeLessThan(mebibytes)
  }

  /** What became of what was sent, by the path of what it was about. */
  const outcomes = async () => {
    const found = await rows<{ object: string; state: string; error: string | null }>(
      (sql) => sql`select object, state, error from inbox_activity where object like ${"http://127.66.%"}`
    )
    return new Map(found.map((it) => [new URL(it.object).pathname, it]))
  }

  it("is told what cannot be had or believed (AP-14, AP-21, AP-24, AP-29, FET-01, -02, -05, -06, -07, -09, -16, -17)", async () => {
    await meanwhile(async () => {
      const told = await Promise.all(
        lies.map((lie, nth) => post(`${hostOf(nth)}/people/eve`, "Create", `${hostOf(nth)}/lie/${lie}`))
      )
      expect(told.every((status) => status === 204 || status === 503)).toBe(true)
      await until("all to be looked at", 60, async () => {
        const seen = await outcomes()
        const open = [...seen.values()].filter((it) => it.state === "waiting" && it.error === null)
        return open.length === 0 ? true : undefined
      })
    })
    const seen = await outcomes()
    expect([...seen.keys()].toSorted()).toEqual(lies.map((lie) => `/lie/${lie}`).toSorted())
    // What may be otherwise later is asked for again; the rest is over.
    const later = ["drip", "silent", "headers", "reset", "garbage", "patience", "past"].map((lie) => `/lie/${lie}`)
    for (const [path, { error, state }] of seen) {
      expect([path, state, typeof error]).toEqual([path, later.includes(path) ? "waiting" : "refused", "string"])
    }
    const [longest] = await rows<{ hours: number }>(
      (sql) => sql`
        select ceil(extract(epoch from max(not_before) - now()) / 3600)::integer as hours from inbox_activity`
    )
    expect(longest!.hours).toBeLessThanOrEqual(1)
    expect((await peer.ask<Record<string, number>>("asked"))["people/honest"]).toBeLessThanOrEqual(3)
  })

  it("believes none of their keys, and asks for few (AP-09, AP-14, AP-16, AP-17)", async () => {
    await meanwhile(async () => {
      const kinds = [...lies, ...keyLies]
      const statuses = await Promise.all(kinds.map((lie, nth) => post(`${hostOf(nth)}/lie/${lie}`, "Like", videoUrl())))
      for (const [nth, status] of statuses.entries())
        expect([kinds[nth], status]).toEqual([kinds[nth], expect.toBeOneOf([401, 403, 503])])
      // A key of somebody else's, under one's own name.
      expect(await post(`${hostOf(40)}/people/eve`, "Like", videoUrl(), `${hostOf(41)}/people/eve#main-key`)).toBe(403)
    })
    const kept = await rows((sql) => sql`select url from actor where url like ${"%/lie/%"}`)
    expect(kept).toEqual([])
  })

  it("follows no chain, circle or collection for long (AP-05, AP-30)", async () => {
    const eve = `${hostOf(42)}/people/eve`
    const about = ["/chain/1", "/circle/0", "/playlist/1"]
    await meanwhile(async () => {
      for (const path of about) expect(await post(eve, "Create", hostOf(42) + path)).toBe(204)
      await until("all to be looked at", 60, async () => {
        const seen = await outcomes()
        return about.every((path) => typeof seen.get(path)?.error === "string" || seen.get(path)?.state === "applied")
          ? true
          : undefined
      })
    })
    const seen = await outcomes()
    expect(seen.get("/circle/0")?.state).toBe("refused")
    const comments = await rows((sql) => sql`select url from video_comment`)
    expect(comments).toEqual([])
  })

  it("takes no handle that only one side knows of (WF-03, WF-05, FET-11)", async () => {
    await meanwhile(async () => {
      const found = await Promise.all(
        ["elsewhere", "links", "big", "html", "private", "scheme"].map(async (name, nth) => {
          const search = encodeURIComponent(`${name}@${new URL(hostOf(nth)).host}`)
          const path = `/api/v1/search/video-channels?search=${search}`
          return [name, (await instance.node.json<{ total: number }>(path, instance.auth)).total]
        })
      )
      for (const one of found) expect(one).toEqual([one[0], 0])
      await send(instance, "POST", "/api/v1/server/following", { hosts: [new URL(hostOf(43)).host], handles: [] })
    })
    const { data } = await instance.node.json<{ data: ReadonlyArray<{ state: string }> }>("/api/v1/server/following")
    expect(data.filter(({ state }) => state === "accepted")).toEqual([])
  })

  it("delivers to those that are well, whatever others do at their inboxes (AP-19, AP-41, FET-09, FET-16)", async () => {
    const inboxes = ["drip", "silent", "endless", "headers", "gzip", "loop", "private", "huge", "short", "reset"]
    const names = [...inboxes, "garbage", "patience"]
    const { channel } = await instance.node.json<{ channel: { url: string } }>(`/api/v1/videos/${video.uuid}`)
    const taken = async (wanted: string) => {
      const all = await peer.ask<ReadonlyArray<{ type: string; name: string }>>("taken")
      return all.some(({ name, type }) => name === "honest" && type === wanted) ? true : undefined
    }
    await meanwhile(async () => {
      for (const [nth, name] of names.entries()) {
        expect(await post(`${hostOf(nth)}/people/${name}`, "Follow", channel.url)).toBe(204)
      }
      expect(await post(honest(), "Follow", channel.url)).toBe(204)
      await until("the follow to be accepted", 60, () => taken("Accept"))
      await send(instance, "PUT", `/api/v1/videos/${video.uuid}`, { name: "Renamed" })
      await until("the change to be told", 60, () => taken("Update"))
    })
    const [rest] = await rows<{ hours: number }>(
      (sql) => sql`select ceil(extract(epoch from max(rest_until) - now()) / 3600)::integer as hours from delivery_host`
    )
    expect(rest!.hours).toBeLessThanOrEqual(6)
    const asked = await peer.ask<Record<string, number>>("asked")
    expect(asked["chain"]).toBeLessThanOrEqual(102)
    // What actors name as their terms is read by nobody.
    expect(asked["context"]).toBeUndefined()
    expect(asked["pages"] ?? 0).toBeLessThanOrEqual(60)
    expect(asked["elements"] ?? 0).toBeLessThanOrEqual(400)
  })
})
