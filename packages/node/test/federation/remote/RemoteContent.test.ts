import { assert, layer } from "@effect/vitest"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { verifyRequest } from "@kinora/federation/signatures/VerifyRequest"
import { normaliseResult } from "@kinora/federation/vocabulary/Normalise"
import { RemoteActorRows } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createPublicKey } from "node:crypto"
import { makeFetchSignatures } from "../../../src/federation/remote/FetchSignatures.ts"
import { ObjectRefused } from "../../../src/federation/remote/RemoteErrors.ts"
import { RemoteActors } from "../../../src/federation/remote/RemoteActors.ts"
import { RemoteComments } from "../../../src/federation/remote/RemoteComments.ts"
import { RemoteObjects } from "../../../src/federation/remote/RemoteObjects.ts"
import { RemotePlaylists } from "../../../src/federation/remote/RemotePlaylists.ts"
import { RemoteVideos } from "../../../src/federation/remote/RemoteVideos.ts"
import { smallTorrent } from "../../support/SmallTorrent.ts"
import { send } from "../../instance/about/Client.ts"
import { addVideo } from "../../video/list/Videos.ts"
import {
  followed,
  mastodonActor,
  mastodonNote,
  peertubeVideo,
  readingNode,
  startOrigin,
  startPeertube,
  until
} from "./Origin.ts"

/** A PNG of one pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

layer(readingNode, { excludeTestServices: true, timeout: 60_000 })("content of other instances", (it) => {
  it.effect("a video of PeerTube is listed, watched and played from its origin", () =>
    Effect.gen(function* () {
      const peer = yield* startPeertube
      const videos = yield* RemoteVideos
      const { channelActorId, id } = yield* videos.byUrl(peer.video)
      assert.strictEqual((yield* videos.byUrl(peer.video)).id, id)
      assert.strictEqual(peer.asked.get(`/videos/watch/${peer.uuid}`), 1)
      assert.match(String(peer.headers.get(`/videos/watch/${peer.uuid}`)?.["signature"]), /accounts\/peertube/)
      const actor = yield* (yield* RemoteActors).known(peer.channel)
      assert.strictEqual(actor?.id, channelActorId)

      yield* followed(peer.channel)
      const { json, status } = yield* send(`/api/v1/videos/${peer.uuid}`)
      assert.strictEqual(status, 200)
      assert.strictEqual(json.url, peer.video)
      assert.strictEqual(json.isLocal, false)
      assert.strictEqual(json.name, "A video from afar")
      assert.strictEqual(json.duration, 65)
      assert.strictEqual(json.views, 12)
      assert.deepStrictEqual([json.category.label, json.licence.id, json.language.id], ["Films", 1, "fr"])
      assert.deepStrictEqual(json.tags, ["one", "two"])
      assert.strictEqual(json.publishedAt, "2026-11-20T09:25:54.265Z")
      assert.strictEqual(json.account.host, peer.host)
      assert.strictEqual(json.channel.name, "ann_channel")
      assert.deepStrictEqual(json.trackerUrls, [`${peer.origin}/tracker/announce`])
      const [file] = json.files
      assert.strictEqual(file.fileUrl, `${peer.origin}/static/web-videos/w-360.mp4`)
      assert.strictEqual(file.fileDownloadUrl, file.fileUrl)
      const torrent = `49cd630fb0964ccaa162247533c92c3cdc016344-${file.id}.torrent`
      assert.deepStrictEqual(
        [file.torrentUrl, file.torrentDownloadUrl].map((url) => new URL(url).pathname),
        [`/lazy-static/torrents/${torrent}`, `/download/torrents/${torrent}`]
      )
      assert.include(file.magnetUri, "urn:btih:49cd630fb0964ccaa162247533c92c3cdc016344")
      assert.strictEqual(file.metadataUrl, `${peer.origin}/api/v1/videos/${peer.uuid}/metadata/1`)
      const [hls] = json.streamingPlaylists
      assert.strictEqual(hls.playlistUrl, `${peer.origin}/static/streaming-playlists/hls/${peer.uuid}/master.m3u8`)
      assert.strictEqual(
        hls.segmentsSha256Url,
        `${peer.origin}/static/streaming-playlists/hls/${peer.uuid}/segments-sha256.json`
      )
      assert.strictEqual(hls.files[0].resolution.id, 720)
      assert.isFalse("metadataUrl" in hls.files[0])

      // Listings follow behind.
      const listed = yield* until(
        Effect.map(send("/api/v1/videos?isLocal=false"), ({ json: list }) => list),
        ({ data }) => data.length > 0
      )
      assert.deepStrictEqual([listed.total, listed.data[0].uuid], [1, peer.uuid])
      const bare = peertubeVideo(peer.origin, crypto.randomUUID(), { name: "Untagged", tag: [] })
      yield* videos.upsert(bare as never)
      for (const [search, uuid] of [
        ["afar", peer.uuid],
        ["untagged", bare["uuid"]]
      ]) {
        const found = (yield* send(`/api/v1/search/videos?search=${search}`)).json
        assert.include(
          found.data.map((it: { uuid: string }) => it.uuid),
          uuid
        )
      }
      assert.isTrue(yield* videos.remove(String(bare["id"])))
      const captions = (yield* send(`/api/v1/videos/${peer.uuid}/captions`)).json
      assert.strictEqual(captions.data[0].fileUrl, `${peer.origin}/lazy-static/video-captions/fr.vtt`)
      const account = (yield* send(`/api/v1/accounts/ann@${peer.host}`)).json
      assert.deepStrictEqual([account.displayName, account.description], ["ann of afar", "About **me**"])
      const channel = (yield* send(`/api/v1/video-channels/ann_channel@${peer.host}`)).json
      assert.deepStrictEqual([channel.isLocal, channel.ownerAccount.name], [false, "ann"])
      const chapters = yield* until(
        Effect.map(send(`/api/v1/videos/${peer.uuid}/chapters`), (it) => it.json.chapters),
        (it) => it.length > 0
      )
      assert.deepStrictEqual(chapters, [
        { timecode: 0, title: "Begin" },
        { timecode: 30, title: "End" }
      ])
      const liked = yield* until(send(`/api/v1/videos/${peer.uuid}`), (it) => it.json.likes > 0)
      assert.strictEqual(liked.json.likes, 7)

      yield* videos.upsert(
        peertubeVideo(peer.origin, peer.uuid, {
          name: "Renamed",
          updated: "2026-11-22T00:00:00.000Z",
          views: 20,
          tag: [{ type: "Hashtag", name: "#three" }],
          to: [],
          cc: []
        }) as never
      )
      const changed = (yield* send(`/api/v1/videos/${peer.uuid}`)).json
      assert.deepStrictEqual(
        [changed.name, changed.tags, changed.views, changed.privacy.id],
        ["Renamed", ["three"], 20, 2]
      )
      assert.strictEqual(changed.files[0].id, file.id)
      assert.strictEqual((yield* send("/api/v1/videos?isLocal=false")).json.total, 0)
      // What comes late changes nothing, and one that is not published is for nobody.
      yield* videos.upsert(peertubeVideo(peer.origin, peer.uuid, { name: "Older" }) as never)
      assert.strictEqual((yield* send(`/api/v1/videos/${peer.uuid}`)).json.name, "Renamed")
      yield* videos.upsert(
        peertubeVideo(peer.origin, peer.uuid, { state: 2, updated: "2026-11-22T00:00:01.000Z" }) as never
      )
      assert.notStrictEqual((yield* send(`/api/v1/videos/${peer.uuid}`)).status, 200)
      assert.strictEqual((yield* send("/api/v1/videos?isLocal=false")).json.total, 0)

      // An old one that is watched is asked for again; what is gone there is gone here.
      const sql = yield* SqlClient
      yield* videos.upsert(peertubeVideo(peer.origin, peer.uuid, { updated: "2026-11-22T00:00:02.000Z" }) as never)
      yield* sql`update remote_video set fetched_at = now() - interval '3 days'`
      peer.drop(`/videos/watch/${peer.uuid}`)
      const view = { method: "POST", headers: { "content-type": "application/json" }, body: `{"currentTime":3}` }
      assert.strictEqual((yield* send(`/api/v1/videos/${peer.uuid}/views`, view)).status, 204)
      yield* until(send(`/api/v1/videos/${peer.uuid}`), ({ status }) => status === 404)
      assert.isFalse(yield* videos.remove(peer.video))
    })
  )

  it.effect("is asked for under the instance's signature, in the form its host takes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const peer = yield* startOrigin
      const objects = yield* RemoteObjects
      const forms: Array<string> = []
      for (const path of ["/notes/1", "/notes/2"]) {
        const note = { "@context": "https://www.w3.org/ns/activitystreams", id: peer.origin + path, type: "Note" }
        peer.answer(path, ({ headers }, response) => {
          const form = headers["signature-input"] === undefined ? "cavage" : "rfc9421"
          forms.push(form)
          if (form === "cavage") response.writeHead(401).end()
          else response.writeHead(200, { "content-type": "application/activity+json" }).end(JSON.stringify(note))
        })
        assert.strictEqual((yield* objects.fetch(note.id, { types: ["Note"] })).id, note.id)
      }
      assert.deepStrictEqual(forms, ["cavage", "rfc9421", "rfc9421"], "the other one is tried once, and remembered")
      const [instance] = yield* sql<{ url: string; pem: string }>`
        select url, public_key as pem from actor where type = 'Application' and server_id is null`
      const headers = peer.headers.get("/notes/2") as Readonly<Record<string, string>>
      const request = {
        method: "GET",
        target: "/notes/2",
        headers,
        body: undefined,
        host: peer.host,
        origin: peer.origin
      }
      const { actor } = yield* verifyRequest(request, (id) =>
        Effect.succeed({ id, owner: instance!.url, key: createPublicKey(instance!.pem) })
      )
      assert.strictEqual(actor, instance!.url)

      const rows = yield* RemoteActorRows
      const unsigned = makeFetchSignatures(rows, false).knock(peer.origin, (sign) => Effect.succeed(sign))
      assert.isUndefined(yield* unsigned, "federation.sign_federated_fetches: false")
    })
  )

  it.effect("a person of Mastodon comments below a video of ours, in a thread", () =>
    Effect.gen(function* () {
      const peer = yield* startOrigin
      const sql = yield* SqlClient
      const ann = peer.put(mastodonActor(peer.origin, "ann"))
      const video = yield* addVideo({ owner: "root" })
      const address = `http://localhost:9000/videos/watch/${video.uuid}`
      const first = peer.put(mastodonNote(peer.origin, "ann", 1, address))
      const second = peer.put(mastodonNote(peer.origin, "ann", 2, first))
      const third = mastodonNote(peer.origin, "ann", 3, second)
      const comments = yield* RemoteComments
      const { added, held, videoId } = yield* comments.upsert({
        ...third,
        to: ["https://www.w3.org/ns/activitystreams#Public"]
      } as never)
      assert.deepStrictEqual([added, held, videoId], [true, false, video.id])
      assert.isFalse((yield* comments.byUrl(third["id"] as string)).added)

      const threads = (yield* send(`/api/v1/videos/${video.uuid}/comment-threads`)).json
      assert.deepStrictEqual(
        [threads.total, threads.data[0].text, threads.data[0].totalReplies],
        [1, "@ann@far.example reply 1", 2]
      )
      assert.deepStrictEqual([threads.data[0].url, threads.data[0].account.host], [first, peer.host])
      assert.strictEqual((yield* send(`/api/v1/videos/${video.uuid}`)).json.comments, 3)
      const account = (yield* send(`/api/v1/accounts/ann@${peer.host}`)).json
      assert.deepStrictEqual(
        [account.displayName, account.description],
        ["ann", "Hello & welcome\nto https://far.example/me"]
      )
      assert.strictEqual(account.avatars.length, 1)
      assert.deepStrictEqual((yield* sql`select indexable, discoverable from actor where url = ${ann}`)[0], {
        indexable: false,
        discoverable: true
      })

      yield* comments
        .upsert({ ...third, content: "<p>changed</p>", to: ["as:Public"], type: "Note" } as never)
        .pipe(Effect.flip)
      const edited = { ...third, content: "<p>changed</p>", to: ["https://www.w3.org/ns/activitystreams#Public"] }
      yield* comments.upsert(edited as never)
      const thread = (yield* send(`/api/v1/videos/${video.uuid}/comment-threads/${threads.data[0].id}`)).json
      assert.strictEqual(thread.children[0].children[0].comment.text, "changed")

      assert.isTrue(yield* comments.remove(third["id"] as string))
      assert.strictEqual((yield* send(`/api/v1/videos/${video.uuid}`)).json.comments, 2)
      // What is deleted does not come again: not sent, not asked for, and not below a reply to it.
      const refused = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.map(Effect.flip(effect), (error) => (error instanceof ObjectRefused ? error.why : error))
      assert.strictEqual(yield* refused(comments.upsert(edited as never)), "gone")
      assert.strictEqual(yield* refused(comments.byUrl(peer.put(third))), "gone")
      const below = peer.put(mastodonNote(peer.origin, "ann", 30, third["id"] as string))
      assert.strictEqual(yield* refused(comments.byUrl(below)), "document")
      assert.isUndefined(peer.asked.get("/users/ann/statuses/3"))

      // Whom the owner or the instance has muted says nothing, and changes nothing.
      for (const by of ["root", "peertube"]) {
        const block = sql`
          insert into account_block (account_id, target_account_id) select o.id, t.id
          from account o join actor a on a.id = o.actor_id and a.preferred_username = ${by}::text and a.server_id is null,
            account t join actor b on b.id = t.actor_id where b.url = ${ann}`
        yield* block
        assert.strictEqual(
          yield* refused(comments.byUrl(peer.put(mastodonNote(peer.origin, "ann", 31, address)))),
          "document"
        )
        const muted = mastodonNote(peer.origin, "ann", 1, address, {
          to: ["https://www.w3.org/ns/activitystreams#Public"]
        })
        yield* comments.upsert({ ...muted, content: "<p>worse</p>" } as never)
        const [kept] = yield* sql<{ text: string }>`select text from video_comment where url = ${first}`
        assert.strictEqual(kept?.text, "@ann@far.example reply 1")
        yield* sql`delete from account_block`
      }
      yield* sql`
        insert into server_block (account_id, server_id) select v.account_id, a.server_id from video v, actor a
        where v.id = ${video.id} and a.url = ${ann}`
      assert.strictEqual(yield* refused(comments.byUrl(`${peer.origin}/users/ann/statuses/31`)), "document")
      yield* sql`delete from server_block`

      yield* sql`update video set comments_policy = 3 where id = ${video.id}`
      const fourth = peer.put(mastodonNote(peer.origin, "ann", 4, address))
      assert.isTrue((yield* comments.byUrl(fourth)).held)
      yield* sql`update video set comments_policy = 2 where id = ${video.id}`
      const fifth = peer.put(mastodonNote(peer.origin, "ann", 5, address))
      assert.strictEqual((yield* Effect.flip(comments.byUrl(fifth)))._tag, "ObjectRefused")
      const internal = yield* addVideo({ owner: "root", privacy: 4 })
      const sixth = peer.put(mastodonNote(peer.origin, "ann", 6, `http://localhost:9000/videos/watch/${internal.uuid}`))
      assert.strictEqual((yield* Effect.flip(comments.byUrl(sixth)))._tag, "ObjectRefused")
      assert.isTrue(yield* (yield* RemoteActors).remove(ann))
      assert.strictEqual((yield* send(`/api/v1/accounts/ann@${peer.host}`)).status, 404)
      assert.strictEqual((yield* send(`/api/v1/videos/${video.uuid}`)).json.comments, 0)
    })
  )

  it.effect("a playlist has its elements, a bounded number, of its origin", () =>
    Effect.gen(function* () {
      const peer = yield* startPeertube
      const uuid = crypto.randomUUID()
      const id = `${peer.origin}/video-playlists/${uuid}`
      const element = peer.put({
        id: `${id}/videos/1`,
        type: "PlaylistElement",
        url: peer.video,
        position: 1,
        startTimestamp: 3
      })
      const playlist = {
        id,
        type: "Playlist",
        name: "Of afar",
        content: "What I like",
        mediaType: "text/markdown",
        uuid,
        totalItems: 1,
        attributedTo: [peer.channel],
        to: ["https://www.w3.org/ns/activitystreams#Public"],
        cc: [],
        published: "2026-11-20T09:25:54.265Z",
        first: `${id}?page=1`
      }
      peer.put(playlist)
      // Pages that lead to themselves, and elements elsewhere (AP-05).
      peer.put({
        ...playlist,
        id: `${id}?page=1`,
        first: undefined,
        next: `${id}?page=1`,
        orderedItems: [element, "http://127.0.0.1:1/e"]
      })
      const playlists = yield* RemotePlaylists
      const kept = yield* playlists.byUrl(id)
      yield* followed(peer.channel)
      assert.strictEqual(kept.uuid, uuid)
      const shown = (yield* send(`/api/v1/video-playlists/${uuid}`)).json
      assert.deepStrictEqual(
        [shown.displayName, shown.isLocal, shown.privacy.id, shown.videosLength],
        ["Of afar", false, 1, 1]
      )
      assert.strictEqual(shown.videoChannel.host, peer.host)
      const inside = (yield* send(`/api/v1/video-playlists/${uuid}/videos`)).json
      assert.deepStrictEqual([inside.data[0].video.uuid, inside.data[0].startTimestamp], [peer.uuid, 3])
      assert.strictEqual(peer.asked.get(`/video-playlists/${uuid}?page=1`), 1)
      // However often it is sent, it is read once in a while.
      for (let times = 0; times < 3; times++) yield* playlists.upsert(playlist as never)
      yield* until(Effect.succeed(peer.asked.get(`/video-playlists/${uuid}?page=1`)), (it) => it === 2)
      for (let times = 0; times < 3; times++) yield* playlists.upsert({ ...playlist, name: "Again" } as never)
      assert.isBelow(peer.asked.get(`/video-playlists/${uuid}?page=1`)!, 7)
      // Its uuid stays that of who had it first.
      const second = { ...playlist, id: `${peer.origin}/video-playlists/second` }
      assert.notStrictEqual((yield* playlists.upsert(second as never)).uuid, uuid)
      assert.isTrue(yield* playlists.remove(id))
    })
  )

  it.effect("pictures and captions are copied when somebody looks, made anew, and go with what they show", () =>
    Effect.gen(function* () {
      const peer = yield* startPeertube
      const store = yield* ObjectStore
      const sql = yield* SqlClient
      const file = (path: string, type: string, body: Buffer | string) =>
        peer.answer(path, (_request, response) => response.writeHead(200, { "content-type": type }).end(body))
      file("/lazy-static/thumbnails/t.jpg", "image/png", pixel)
      file("/lazy-static/avatars/a.png", "image/png", pixel)
      file("/lazy-static/storyboards/s.jpg", "image/png", "<svg onload=alert(1)>")
      file("/lazy-static/video-captions/fr.vtt", "text/vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nBonjour\n")
      yield* (yield* RemoteVideos).byUrl(peer.video)
      yield* followed(peer.channel)
      const video = (yield* send(`/api/v1/videos/${peer.uuid}`)).json
      const [first, second] = yield* Effect.all([send(video.thumbnailPath), send(video.thumbnailPath)], {
        concurrency: 2
      })
      assert.deepStrictEqual([first.status, second.status], [200, 200])
      assert.strictEqual(first.headers.get("content-type"), "image/jpeg")
      assert.strictEqual(peer.asked.get("/lazy-static/thumbnails/t.jpg"), 1)
      assert.strictEqual((yield* send(video.account.avatars[0].path)).status, 200)
      const [caption] = (yield* send(`/api/v1/videos/${peer.uuid}/captions`)).json.data
      assert.include((yield* send(caption.captionPath)).text, "Bonjour")
      const [board] = (yield* send(`/api/v1/videos/${peer.uuid}/storyboards`)).json.storyboards
      for (let times = 0; times < 2; times++) assert.strictEqual((yield* send(board.storyboardPath)).status, 404)
      assert.strictEqual(peer.asked.get("/lazy-static/storyboards/s.jpg"), 1)

      const name = video.thumbnailPath.split("/").at(-1)
      assert.isAbove((yield* store.stat({ bucket: "thumbnails", name })).size, 100)
      assert.strictEqual((yield* sql`select 1 from object_removal where name = ${name}`).length, 0)
      assert.isTrue(yield* (yield* RemoteVideos).remove(peer.video))
      assert.strictEqual((yield* sql`select 1 from object_removal where name = ${name}`).length, 1)
      assert.strictEqual((yield* sql`select 1 from remote_copy where name = ${name}`).length, 0)
    })
  )

  it.effect("torrents are handed out here when they are those of their file", () =>
    Effect.gen(function* () {
      const peer = yield* startPeertube
      const sql = yield* SqlClient
      const { bytes, infoHash } = smallTorrent()
      const path = "/lazy-static/torrents/w-360.torrent"
      peer.answer(path, (_request, response) =>
        response.writeHead(200, { "content-type": "application/x-bittorrent" }).end(bytes)
      )
      yield* (yield* RemoteVideos).byUrl(peer.video)
      yield* followed(peer.channel)
      const named = Effect.map(
        send(`/api/v1/videos/${peer.uuid}`),
        ({ json }) => new URL(json.files[0].torrentUrl).pathname
      )
      assert.strictEqual((yield* send(yield* named)).status, 404)
      assert.strictEqual(peer.asked.get(path), 1)
      yield* sql`
        update video_file set info_hash = ${infoHash}
        where video_id = (select id from video where uuid = ${peer.uuid})`
      const open = yield* named
      const answer = yield* send(open)
      assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "application/x-bittorrent"])
      assert.strictEqual((yield* send(open)).status, 200)
      assert.strictEqual(peer.asked.get(path), 2)
      const name = open.split("/").at(-1)
      assert.strictEqual((yield* sql`select 1 from remote_copy where name = ${name}`).length, 1)
      assert.isTrue(yield* (yield* RemoteVideos).remove(peer.video))
      assert.strictEqual((yield* sql`select 1 from remote_copy where name = ${name}`).length, 0)
      assert.strictEqual((yield* sql`select 1 from object_removal where name = ${name}`).length, 1)
    })
  )

  it.effect("what was said below a video elsewhere is read when somebody watches it, within bounds", () =>
    Effect.gen(function* () {
      const peer = yield* startPeertube
      yield* (yield* RemoteVideos).byUrl(peer.video)
      yield* followed(peer.channel)
      const others = yield* startOrigin
      others.put(mastodonActor(others.origin, "max"))
      const said = (id: number, at: string) => others.put(mastodonNote(others.origin, "max", id, at))
      const first = said(1, peer.video)
      const items = [first, said(2, first), `${others.origin}/users/max/statuses/404`, peer.video]
      const url = `${peer.video}/comments`
      peer.put({ id: url, type: "OrderedCollection", totalItems: 3, first: `${url}?page=1` })
      peer.put({ id: `${url}?page=1`, type: "OrderedCollectionPage", next: `${url}?page=1`, orderedItems: items })
      const view = { method: "POST", headers: { "content-type": "application/json" }, body: `{"currentTime":3}` }
      for (let times = 0; times < 3; times++) yield* send(`/api/v1/videos/${peer.uuid}/views`, view)
      const threads = yield* until(
        send(`/api/v1/videos/${peer.uuid}/comment-threads`),
        ({ json }) => json.data[0]?.totalReplies === 1
      )
      assert.strictEqual(threads.json.data[0].account.host, others.host)
      assert.strictEqual(peer.asked.get(`/videos/watch/${peer.uuid}/comments`), 1)

      // Where comments wait for approval there, it must be the owner's own word, found with the owner's origin.
      const updated = "2026-11-22T00:00:03.000Z"
      yield* (yield* RemoteVideos).upsert(
        peertubeVideo(peer.origin, peer.uuid, { commentsPolicy: 3, updated }) as never
      )
      const approval = (id: string, actor: string, at: number) => ({
        ...{
          id,
          type: "ApproveReply",
          actor,
          object: `${others.origin}/users/max/statuses/${at}`,
          inReplyTo: peer.video
        }
      })
      const elsewhere = others.put(approval(`${others.origin}/approval`, peer.account, 11))
      peer.answer("/away", (_request, response) => response.writeHead(302, { location: elsewhere }).end())
      const ways: ReadonlyArray<readonly [string | undefined, boolean]> = [
        [undefined, true],
        [`${peer.origin}/away`, true],
        [peer.put(approval(`${peer.origin}/approval/12`, `${peer.origin}/accounts/eve`, 12)), true],
        [peer.put(approval(`${peer.origin}/approval/13`, peer.account, 10)), true],
        [peer.put(approval(`${peer.origin}/approval/14`, peer.account, 14)), false]
      ]
      for (const [at, [replyApproval, held]] of ways.entries()) {
        const note = others.put(mastodonNote(others.origin, "max", 10 + at, peer.video, { replyApproval }))
        assert.strictEqual((yield* (yield* RemoteComments).byUrl(note)).held, held, String(at))
      }
      // One that waited is shown when it comes again with the approval, and with nobody else's.
      const comments = yield* RemoteComments
      const again = (replyApproval: string) =>
        Effect.flatMap(
          Effect.fromResult(normaliseResult(mastodonNote(others.origin, "max", 10, peer.video, { replyApproval }))),
          comments.upsert
        )
      assert.isTrue((yield* again(`${peer.origin}/approval/14`)).held)
      const given = peer.put(approval(`${peer.origin}/approval/15`, peer.account, 10))
      assert.isFalse((yield* again(given)).held)
      const shown = yield* send(`/api/v1/videos/${peer.uuid}/comment-threads`)
      const urls = shown.json.data.map(({ url }: { readonly url: string }) => url)
      assert.includeMembers(
        urls,
        [10, 14].map((at) => `${others.origin}/users/max/statuses/${at}`)
      )
      assert.isFalse((yield* again(given)).held)
    })
  )
})
