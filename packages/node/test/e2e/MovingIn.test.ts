import { createHash, createPrivateKey, createPublicKey } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { MovingReport } from "../../src/instance/moving/MovingReport.ts"
import { ExternalDatabase } from "../support/ExternalDatabase.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"
import type { Instance } from "../support/Federating.ts"
import { peerExtras, peerKeys } from "../support/PeerExtras.ts"
import type { Peer } from "../support/peers/Peer.ts"
import { PeerActors } from "../support/peers/PeerActors.ts"
import { derivedChecks } from "../video/list/DerivedChecks.ts"
import { atPeerAddress, change, peerDatabase, peerOrigin, peerStorage, rowsOf } from "../support/PeerInstance.ts"

const first = "de296f71-fe74-4c3e-b75f-a9e5abff1fcd"
const second = "63e33457-e844-456a-8536-5a30bbeb71a7"
const hidden = "481dfe82-b255-4894-bfc8-f19114c94b04"
const activity = { accept: "application/activity+json" }

interface Listed<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

interface Details {
  readonly files: ReadonlyArray<{ readonly fileUrl: string; readonly size: number; readonly magnetUri: string }>
  readonly streamingPlaylists: ReadonlyArray<{
    readonly playlistUrl: string
    readonly files: ReadonlyArray<{ readonly fileUrl: string; readonly playlistUrl: string }>
  }>
}

describe("an instance that moved in", () => {
  let source: ExternalDatabase
  let target: ExternalDatabase
  let node: KinoraProcess
  let storage: string
  let report: MovingReport
  let bucket: Server
  let bucketFile: Buffer

  const old = <A extends object>(statement: string) => rowsOf<A>(source, statement)
  const now = <A extends object>(statement: string) => rowsOf<A>(target, statement)
  const pathOf = (url: string) => url.replace(peerOrigin, "")
  const bytes = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await node.get(pathOf(url), headers)
    expect([url, answer.status]).toEqual([url, headers["range"] === undefined ? 200 : 206])
    return Buffer.from(await answer.arrayBuffer())
  }
  /** Details as this node has them, which listens at another address than the public one. */
  const details = (uuid: string, headers: Record<string, string> = {}) =>
    node.json<Details>(`/api/v1/videos/${uuid}`, headers)

  beforeAll(async () => {
    source = await peerDatabase()
    await change(source, ...peerExtras)
    target = await ExternalDatabase.create()
    storage = peerStorage()
    // One file is in an object store.
    const [inBucket] = await old<{ filename: string }>(
      `select filename from "videoFile" where "videoId" = 2 and resolution = 360`
    )
    const path = join(storage, "web-videos", inBucket!.filename)
    bucketFile = readFileSync(path)
    rmSync(path)
    let busy = 2
    bucket = createServer((request, answer) => {
      // A service that is busy loses no file.
      if (busy-- > 0) answer.writeHead(503).end()
      else if (request.url === `/videos/${inBucket!.filename}`) answer.end(bucketFile)
      else answer.writeHead(404).end()
    }).listen(0, "127.0.0.1")
    await new Promise((listening) => bucket.once("listening", listening))
    const { port } = bucket.address() as AddressInfo
    await change(
      source,
      `update "videoFile" set storage = 1, "fileUrl" = 'http://127.0.0.1:${port}/videos/' || filename
       where "videoId" = 2 and resolution = 360`
    )
    const config = join(storage, "production.yaml")
    writeFileSync(
      config,
      "instance:\n  name: Old and new\nsignup:\n  enabled: true\ndatabase:\n  hostname: localhost\nplugins:\n  index: {}\n"
    )
    node = await KinoraProcess.create({ ...atPeerAddress, DATABASE_URL: target.url })
    const result = await node.command(
      ["import-peertube", "--json", "--storage", storage, "--peertube-config", config],
      "",
      { PEERTUBE_DATABASE_URL: source.url }
    )
    expect(result.code, result.err).toBe(0)
    report = JSON.parse(result.out) as MovingReport
    await node.startAsItIs()
  })

  afterAll(async () => {
    await node.remove()
    bucket.close()
    rmSync(storage, { recursive: true })
    for (const database of [source, target]) await database.drop()
  })

  it("has every row, and reports those that have no meaning here", () => {
    const left = report.tables
      .filter(({ rows, written }) => rows !== written)
      .map(({ table, rows, written }) => ({ table, rows, written }))
    expect(left).toEqual([{ table: "userNotification", rows: 41, written: 40 }])
    expect(report.tables.flatMap(({ refused }) => refused)).toEqual([])
    for (const { present, table, written } of report.tables)
      if (present !== null) expect([table, present]).toEqual([table, written])
    expect(report.unknownTables).toEqual([])
    expect(report.missingTables).toEqual([])
    expect(report.leftBehind.find(({ table }) => table === "oAuthToken")?.rows).toBe(7)
    expect(report.settings?.carried).toEqual(["instance.name", "signup.enabled"])
    expect(report.settings?.leftBehind).toContain("database.hostname")
  })

  it("has every file, the one of an object store too, with its bytes", async () => {
    expect(report.files).toMatchObject({ files: 61, verified: 61, missingCount: 0, damaged: [] })
    const files = await old<{ filename: string; video: string; hls: boolean }>(`
      select f.filename, v.uuid as video, f."videoStreamingPlaylistId" is not null as hls from "videoFile" f
        left join "videoStreamingPlaylist" p on p.id = f."videoStreamingPlaylistId" join video v on v.id = coalesce(p."videoId", f."videoId")
      where not v.remote and v.privacy = 1`)
    expect(files).toHaveLength(12)
    for (const { filename, hls, video } of files) {
      const folder = hls ? `streaming-playlists/hls/${video}` : "web-videos"
      const path = join(storage, folder, filename)
      const expected = existsSync(path) ? readFileSync(path) : bucketFile
      expect(await bytes(`/static/${folder}/${filename}`)).toEqual(expected)
      expect(await bytes(`/static/${folder}/${filename}`, { range: "bytes=1000-1999" })).toEqual(
        expected.subarray(1000, 2000)
      )
    }
  })

  it("logs in with old passwords, and replaces their hashes", async () => {
    const hashes = () =>
      now<{ username: string; hash: string }>(
        "select username, left(password_hash, 4) as hash from app_user order by id"
      )
    expect(new Set((await hashes()).map(({ hash }) => hash))).toEqual(new Set(["$2b$"]))
    for (const [name, password] of [
      ["root", "root-password-1"],
      ["user1", "password1"]
    ] as const) {
      await expect(node.login(name, `${password}x`)).rejects.toThrow("invalid_grant")
      await node.login(name, password)
    }
    // Once more, by the new hash; and those who did not log in keep the old one.
    await node.login("user1", "password1")
    expect((await hashes()).map(({ hash }) => hash)).toEqual(["$arg", "$arg", "$2b$", "$2b$"])
    const me = await node.json<{ role: { id: number }; nsfwPolicy: string; videoQuota: number }>(
      "/api/v1/users/me",
      await node.login("root", "root-password-1")
    )
    expect(me).toMatchObject({ role: { id: 0 }, nsfwPolicy: "do_not_list", videoQuota: -1 })
  })

  it("plays videos: playlists lead to their renditions, and private ones ask for their owner", async () => {
    const video = await details(first)
    expect(video.files).toHaveLength(2)
    const [hls] = video.streamingPlaylists
    const master = (await bytes(hls!.playlistUrl)).toString()
    for (const { fileUrl, playlistUrl } of hls!.files) {
      expect(master).toContain(playlistUrl.split("/").at(-1))
      expect((await bytes(playlistUrl)).toString()).toContain(fileUrl.split("/").at(-1))
    }
    const owner = await node.login("user3", "password1")
    expect((await node.get(`/api/v1/videos/${hidden}`)).status).toBe(401)
    const [file] = (await details(hidden, owner)).files
    expect(file!.fileUrl).toContain("/private/")
    expect((await node.get(pathOf(file!.fileUrl))).status).toBe(403)
    expect((await bytes(file!.fileUrl, owner)).length).toBe(file!.size)
  })

  it("answers old addresses", async () => {
    const short = "vupzG95b99QEtZuGDequE4"
    for (const path of [
      `/w/${first}`,
      `/w/${short}`,
      `/videos/watch/${first}`,
      "/a/user1",
      "/c/user1_chan",
      "/feeds/videos.xml"
    ]) {
      const answer = await node.get(path)
      expect([path, answer.status < 400]).toEqual([path, true])
    }
    for (const [folder, table, condition] of [
      ["thumbnails", "thumbnail", `type = 1 and "videoId" in (1, 2, 4)`],
      ["previews", "thumbnail", `type = 2 and "videoId" in (1, 2, 4)`],
      ["storyboards", "storyboard", `"videoId" in (1, 2, 4)`]
    ] as const) {
      for (const { filename } of await old<{ filename: string }>(`select filename from ${table} where ${condition}`)) {
        expect(await bytes(`/lazy-static/${folder}/${filename}`)).toEqual(readFileSync(join(storage, folder, filename)))
      }
    }
    const [torrent] = await old<{ torrentFilename: string; infoHash: string }>(
      `select * from "videoFile" where "videoId" = 1`
    )
    expect((await bytes(`/lazy-static/torrents/${torrent!.torrentFilename}`)).length).toBeGreaterThan(100)
    expect((await details(first)).files.map(({ magnetUri }) => magnetUri).join()).toContain(torrent!.infoHash)
    const [caption] = await old<{ filename: string }>(`select filename from "videoCaption"`)
    expect(await bytes(`/lazy-static/video-captions/${caption!.filename}`)).toEqual(
      readFileSync(join(storage, "captions", caption!.filename))
    )
  })

  it("is to other instances who it was: same addresses, same keys", async () => {
    const actors = await old<{ url: string; publicKey: string }>(
      `select url, "publicKey" from actor where "serverId" is null`
    )
    expect(actors).toHaveLength(9)
    for (const { publicKey, url } of actors) {
      const actor = await node.json<{ id: string; publicKey: { publicKeyPem: string } }>(pathOf(url), activity)
      expect([actor.id, actor.publicKey.publicKeyPem.trim()]).toEqual([url, publicKey.trim()])
    }
    const video = await node.json<{ id: string; attributedTo: unknown }>(`/videos/watch/${first}`, activity)
    expect(video.id).toBe(`${peerOrigin}/videos/watch/${first}`)
    const followers = await node.json<{ totalItems: number }>("/video-channels/user1_chan/followers", activity)
    expect(followers.totalItems).toBe(2)
    const comments = await old<{ url: string }>(`select url from "videoComment" where "accountId" = 3 limit 1`)
    expect((await node.json<{ id: string }>(pathOf(comments[0]!.url), activity)).id).toBe(comments[0]!.url)
  })

  it("signs with the old keys, and hears those who know it", async () => {
    const keys = await now<{ privateKey: string; publicKey: string }>(
      `select private_key as "privateKey", public_key as "publicKey" from actor where server_id is null`
    )
    for (const { privateKey, publicKey } of keys) {
      const made = createPublicKey(createPrivateKey(privateKey)).export({ type: "spki", format: "pem" })
      expect(made).toBe(publicKey)
    }
    const ann = await PeerActors.of({ ask: () => Promise.resolve({ pem: peerKeys.privateKey }) } as unknown as Peer)
    const here = { node: { url: peerOrigin } } as unknown as Instance
    const post = (actor: string) =>
      ann.post(
        here,
        `https://peer.example/accounts/${actor}`,
        "Like",
        `${peerOrigin}/videos/watch/eed06102-7b13-407e-9056-023abf7ba53f`,
        {
          at: node.url
        }
      )
    expect(await post("ann")).toBe(204)
    await until("the like", 20, async () => {
      const { likes } = await node.json<{ likes: number }>("/api/v1/videos/eed06102-7b13-407e-9056-023abf7ba53f")
      return likes === 1 ? true : undefined
    })
  })

  it("has the conversation, with what was deleted and what waits", async () => {
    const threads = await node.json<Listed<{ id: number; totalReplies: number }> & { totalNotDeletedComments: number }>(
      `/api/v1/videos/${first}/comment-threads`
    )
    const [counted] = await old<{ all: number; threads: number }>(
      `select count(*)::int as all, (count(*) filter (where "originCommentId" is null))::int as threads from "videoComment" where "videoId" = 1`
    )
    expect([threads.total, threads.totalNotDeletedComments]).toEqual([counted!.threads, counted!.all])
    const tree = await node.json<{
      comment: { totalReplies: number }
      children: ReadonlyArray<{ comment: { isDeleted: boolean }; children: ReadonlyArray<unknown> }>
    }>("/api/v1/videos/eed06102-7b13-407e-9056-023abf7ba53f/comment-threads/101")
    expect(tree.comment.totalReplies).toBe(1)
    expect(tree.children[0]?.comment.isDeleted).toBe(true)
    expect(tree.children[0]?.children).toHaveLength(1)
    const rated = await node.json<{ likes: number; dislikes: number }>(`/api/v1/videos/${second}`)
    expect(rated).toMatchObject({ likes: 2, dislikes: 1 })
  })

  it("has what users have made and chosen", async () => {
    const user = await node.login("user2", "password1")
    const subscriptions = await node.json<Listed<{ name: string }>>("/api/v1/users/me/subscriptions", user)
    expect(subscriptions.data.map(({ name }) => name)).toContain("user1_chan")
    expect((await node.json<Listed<unknown>>("/api/v1/users/me/blocklist/accounts", user)).total).toBe(1)
    const [playlist] = await old<{ uuid: string }>(`select uuid from "videoPlaylist" where type = 1`)
    const elements = await node.json<Listed<{ position: number; video: { uuid: string } | null }>>(
      `/api/v1/video-playlists/${playlist!.uuid}/videos`
    )
    expect(elements.data.map(({ position, video }) => [position, video?.uuid])).toEqual([
      [1, first],
      [2, second],
      [3, undefined]
    ])
    const chapters = await node.json<{ chapters: ReadonlyArray<unknown> }>(`/api/v1/videos/${first}/chapters`)
    expect(chapters.chapters).toHaveLength(2)
    const reports = await node.json<Listed<{ reason: string }>>(
      "/api/v1/abuses",
      await node.login("root", "root-password-1")
    )
    expect(reports.total).toBe(4)
    expect((await node.json<{ content: string }>("/api/v1/custom-pages/homepage/instance")).content).toBe("# Welcome")
    expect((await node.json<{ instance: { name: string } }>("/api/v1/config")).instance.name).toBe("Old and new")
    // Private feeds keep their addresses.
    const [{ feedToken }] = (await old<{ feedToken: string }>(
      `select "feedToken" from "user" where username = 'user2'`
    )) as [{ feedToken: string }]
    const [{ id }] = (await old<{ id: number }>(`select id from account where name = 'user2'`)) as [{ id: number }]
    expect((await node.get(`/feeds/subscriptions.xml?accountId=${id}&token=${feedToken}`)).status).toBe(200)
  })

  it("leaves nothing half done: states, lives, ids", async () => {
    const states = await now<{ id: number; state: number }>(
      "select id, state from video where id in (102, 103) order by id"
    )
    expect(states).toEqual([
      { id: 102, state: 4 },
      { id: 103, state: 7 }
    ])
    expect(await now("select state from video_import order by id")).toEqual([{ state: 2 }, { state: 5 }])
    const [live] = await now<{ digest: string }>("select encode(key_digest, 'hex') as digest from live_video")
    expect(live!.digest).toBe(createHash("sha256").update("a-key-of-the-live").digest("hex"))
    expect(await now("select watched::text from video_viewing")).toEqual([{ watched: "{[0,3)}" }])
    expect(await now("select day::text, views from video_view_day")).toEqual([{ day: "2026-11-20", views: 7 }])
    expect(await now("select count(*)::int as lists from video_playlist where type = 2")).toEqual([{ lists: 4 }])
  })

  it("has derived what it would have made of it", async () => {
    await until("the listing of videos of the instance that is followed", 30, async () => {
      const { data } = await node.json<Listed<{ name: string }>>("/api/v1/videos")
      return data.some(({ name }) => name === "From afar") ? true : undefined
    })
    const { "scores and trends": _, ...checks } = derivedChecks
    for (const [what, statement] of Object.entries(checks)) expect([what, await now(statement)]).toEqual([what, []])
    const counted = `select c.id from video_comment c where (c.children, c.replies) is distinct from (
        (select count(*)::integer from video_comment r where r.in_reply_to_comment_id = c.id and r.shown),
        (select count(*)::integer from video_comment r where r.origin_comment_id = c.id and r.deleted_at is null and not r.held_for_review))`
    expect(await now(counted)).toEqual([])
    expect(
      await now(`select a.preferred_username::text as name from actor a where server_id is null and (followers_count, following_count)
      is distinct from ((select count(*)::integer from actor_follow where target_actor_id = a.id and state = 'accepted'),
        (select count(*)::integer from actor_follow where actor_id = a.id and state = 'accepted'))`)
    ).toEqual([])
  })

  it("tells others nothing of what they have, and of later changes as before", async () => {
    expect(await now("select id from outbox_change")).toEqual([])
    const sent = () => now<{ type: string; thing: string }>("select type, thing from activity order by id")
    // The instance has another name.
    expect((await sent()).filter(({ thing }) => thing !== `${peerOrigin}/accounts/peertube`)).toEqual([])
    const owner = await node.login("user1", "password1")
    const changed = await fetch(`${node.url}/api/v1/videos/${first}`, {
      method: "PUT",
      headers: { ...owner, "content-type": "application/json" },
      body: JSON.stringify({ name: "Another name" })
    })
    expect(changed.status).toBe(204)
    const update = await until("the update of the video", 20, async () =>
      (await sent()).find(({ thing }) => thing === `${peerOrigin}/videos/watch/${first}`)
    )
    expect(update.type).toBe("Update")
    const [delivery] = await now<{
      inbox: string
    }>(`select d.inbox_url as inbox from delivery d join activity a on a.id = d.activity_id
      where a.thing = '${peerOrigin}/videos/watch/${first}'`)
    expect(delivery?.inbox).toBe("https://peer.example/inbox")
  })
})
