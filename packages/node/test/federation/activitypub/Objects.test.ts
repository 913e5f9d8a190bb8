import { assert, layer } from "@effect/vitest"
import { Application, Create, Group, Link, Note, Person, Tombstone, Video } from "@fedify/vocab"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { decodeActor } from "@kinora/federation/objects/ActorObject"
import { normaliseResult } from "@kinora/federation/vocabulary/Normalise"
import { fromMultibase } from "@kinora/federation/signatures/PublicKeys"
import { signRequest } from "@kinora/federation/signatures/SignRequest"
import { verifyRequest } from "@kinora/federation/signatures/VerifyRequest"
import { ActorMultikeys } from "@kinora/storage/federation/activitypub/ActorMultikeys"
import { fillReadModels } from "@kinora/storage/video/read/ReadModels"
import { Clock, Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createPrivateKey, sign, verify } from "node:crypto"
import { makeMissingKeys } from "../../../src/federation/activitypub/MissingKeys.ts"
import { addVideo, type TestVideo } from "../../video/list/Videos.ts"
import { readableNode } from "./FederatedNode.ts"
import { activityJson, addComment, addStranger, origin, parsed, pathOf, read } from "./Reading.ts"
import { rateByAll } from "../../../../storage/test/support/Ratings.ts"

const publicId = "https://www.w3.org/ns/activitystreams#Public"
const channelUrl = `${origin}/video-channels/root_channel`
const accountUrl = `${origin}/accounts/root`
const watch = ({ uuid }: TestVideo): string => `/videos/watch/${uuid}`

interface Linked {
  readonly type: string
  readonly mediaType?: string
  readonly href: string
  readonly rel?: ReadonlyArray<string>
  readonly tag?: ReadonlyArray<Linked>
}
const kindsOf = (links: ReadonlyArray<Linked>) => links.map(({ mediaType, rel }) => mediaType ?? rel?.[0])

layer(readableNode(), { excludeTestServices: true })("Objects that others read", (it) => {
  it.effect("tell all of a video", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      yield* sql`
        update video set name = 'A "title" & more', category = 2, licence = 1, language = 'fr', nsfw = true, nsfw_flags = 3,
          nsfw_summary = 'Loud', support = 'Give', comments_policy = 3, aspect_ratio = 1.7777778, download_enabled = false,
          originally_published_at = '2001-02-03T04:05:06Z', input_file_updated_at = '2020-01-01T00:00:00Z', views = 7
        where id = ${video.id}`
      yield* sql`with t as (insert into tag (name) values ('two'), ('one') returning id)
        insert into video_tag (video_id, tag_id) select ${video.id}, id from t`
      yield* sql`insert into video_chapter (video_id, timecode, title) values (${video.id}, 0, 'A'), (${video.id}, 2, 'B')`
      yield* sql`update video_caption set playlist_filename = 'captions.m3u8' where video_id = ${video.id}`

      const { headers, json } = yield* read(watch(video))
      assert.strictEqual(headers.get("content-type"), `${activityJson}; charset=utf-8`)
      const url = `${origin}${watch(video)}`
      assert.deepInclude(json, {
        type: "Video",
        id: url,
        to: [publicId],
        cc: [`${accountUrl}/followers`],
        name: 'A "title" & more',
        duration: "PT5S",
        uuid: video.uuid,
        category: { identifier: "2", name: "Films" },
        licence: { identifier: "1", name: "Attribution" },
        language: { identifier: "fr", name: "French" },
        views: 7,
        downloads: 0,
        sensitive: true,
        summary: "Loud",
        waitTranscoding: false,
        state: 1,
        canReply: publicId,
        commentsPolicy: 3,
        downloadEnabled: false,
        embedUrl: `${origin}/videos/embed/${video.uuid}`,
        originallyPublishedAt: "2001-02-03T04:05:06.000Z",
        uploadDate: "2020-01-01T00:00:00.000Z",
        mediaType: "text/markdown",
        content: "About it",
        support: "Give",
        aspectRatio: 1.7778,
        tag: [
          { type: "Hashtag", name: "one" },
          { type: "Hashtag", name: "two" },
          { type: "SensitiveTag", name: "violent" },
          { type: "SensitiveTag", name: "explicitSex" }
        ],
        likes: `${url}/likes`,
        dislikes: `${url}/dislikes`,
        shares: `${url}/announces`,
        comments: `${url}/comments`,
        hasParts: `${url}/chapters`,
        playerSettings: `${url}/player-settings`,
        attributedTo: [accountUrl, channelUrl],
        audience: channelUrl,
        isLiveBroadcast: false,
        liveSaveReplay: null,
        permanentLive: null,
        latencyMode: null,
        dvrWindow: null
      })
      assert.deepStrictEqual(
        json.icon.map(({ height, width }: { height: number; width: number }) => [width, height]),
        [
          [280, 157],
          [850, 480]
        ]
      )
      assert.deepInclude(json.preview[0].url[0], { tileWidth: 5, tileHeight: 5, tileDuration: "PT1S", width: 10 })
      assert.deepInclude(json.subtitleLanguage[0], { identifier: "en", name: "English", automaticallyGenerated: false })
      assert.match(json.subtitleLanguage[0].url, /^http:\/\/localhost:9000\/lazy-static\/video-captions\/.+\.vtt$/)

      assert.deepStrictEqual(kindsOf(json.url), [
        "text/html",
        "text/html",
        "video/mp4",
        "application/json",
        "application/x-bittorrent",
        "application/x-bittorrent;x-scheme-handler/magnet",
        "application/x-mpegURL",
        "tracker",
        "tracker"
      ])
      assert.deepStrictEqual(
        json.url.slice(0, 2).map(({ href }: Linked) => href),
        [`${origin}/w/${toShortUuid(video.uuid)}`, url]
      )
      assert.deepInclude(json.url[2], {
        href: `${origin}/static/web-videos/${video.token}-720.mp4`,
        height: 720,
        size: 100,
        fps: 25,
        attachment: [
          { type: "PropertyValue", name: "ffprobe_codec_type", value: "audio" },
          { type: "PropertyValue", name: "ffprobe_codec_type", value: "video" },
          { type: "PropertyValue", name: "peertube_format_flag", value: "web-video" }
        ]
      })
      assert.deepInclude(json.url[3], {
        rel: ["metadata", "video/mp4"],
        href: `${origin}/api/v1/videos/${video.uuid}/metadata/${video.fileId}`
      })
      assert.match(json.url[5].href, /^magnet:\?xs=http%3A%2F%2Flocalhost%3A9000%2Flazy-static.*&dn=A\+%22title%22/)
      assert.deepStrictEqual(kindsOf(json.url[6].tag).slice(0, 2), ["application/json", "video/mp4"])
      assert.deepInclude(json.url[6].tag[1].attachment[2], { value: "fragmented" })

      assert.deepStrictEqual((yield* read(`${watch(video)}/chapters`)).json.hasPart, [
        { name: "A", startOffset: 0, endOffset: 2 },
        { name: "B", startOffset: 2, endOffset: 5 }
      ])
      assert.deepInclude((yield* read(`${watch(video)}/player-settings`)).json, {
        type: "PlayerSettings",
        object: url,
        theme: "channel-default"
      })
    })
  )

  it.effect("are told anew when something of a video changes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      const told = Effect.map(read(watch(video)), ({ json }) => json)
      yield* fillReadModels(sql, 10)
      const before = yield* told
      const kept = sql<{
        kept: boolean
      }>`select object is not null as kept from video_read_model where video_id = ${video.id}`
      assert.isTrue((yield* kept)[0]!.kept, "the text is kept once somebody has asked")
      assert.deepStrictEqual(yield* told, before)
      yield* sql`insert into video_caption (video_id, language, filename) values (${video.id}, 'fr', ${video.token})`
      assert.lengthOf((yield* told).subtitleLanguage, 2)
      // Counts stand in the object alone.
      const { views } = yield* told
      yield* sql`update video set views = views + 2 where id = ${video.id}`
      assert.strictEqual((yield* told).views, views + 2)
      yield* sql`delete from storyboard where video_id = ${video.id}`
      assert.isUndefined((yield* told).preview)
      yield* sql`update video set name = 'Renamed' where id = ${video.id}`
      assert.strictEqual((yield* told).name, "Renamed")
      yield* sql`delete from video_file where id = ${video.fileId}`
      assert.notInclude(kindsOf((yield* told).url), "video/mp4")
    })
  )

  it.effect("are read by a vocabulary of others' making", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      yield* sql`update account set description = 'Who I am' where user_id is not null`
      yield* sql`
        insert into actor_image (actor_id, type, filename, width, height)
        select id, 1, 'face.png', 120, 120 from actor where preferred_username = 'root'`
      const comment = yield* addComment(video.id, "Well said")

      const person = yield* parsed((yield* read("/accounts/root")).json)
      if (!(person instanceof Person)) return assert.fail("a person")
      assert.strictEqual(person.id?.href, accountUrl)
      assert.strictEqual(person.preferredUsername, "root")
      assert.strictEqual(person.inboxId?.href, `${accountUrl}/inbox`)
      assert.strictEqual(person.endpoints?.sharedInbox?.href, `${origin}/inbox`)
      assert.deepStrictEqual([person.indexable, person.discoverable], [true, true])
      const key = yield* Effect.promise(() => person.getPublicKey())
      assert.strictEqual(key?.id?.href, `${accountUrl}#main-key`)
      assert.strictEqual(key?.ownerId?.href, accountUrl)
      assert.strictEqual(key?.publicKey?.algorithm.name, "RSASSA-PKCS1-v1_5")
      const multikeys = yield* Effect.promise(async () => {
        const all = []
        for await (const it of person.getAssertionMethods()) all.push(it)
        return all
      })
      assert.deepStrictEqual(
        multikeys.map((it) => [it.id?.href, it.controllerId?.href, it.publicKey?.algorithm.name]),
        [[`${accountUrl}#ed25519-key`, accountUrl, "Ed25519"]]
      )
      const icon = yield* Effect.promise(() => person.getIcon())
      assert.strictEqual(String(icon?.url), `${origin}/lazy-static/avatars/face.png`)

      const group = yield* parsed((yield* read("/c/root_channel")).json)
      if (!(group instanceof Group)) return assert.fail("a group")
      assert.deepStrictEqual(
        group.attributionIds.map(({ href }) => href),
        [accountUrl]
      )
      const application = yield* parsed((yield* read("/accounts/peertube")).json)
      assert.instanceOf(application, Application)

      const object = yield* parsed((yield* read(watch(video))).json)
      if (!(object instanceof Video)) return assert.fail("a video")
      assert.strictEqual(object.name, "Video of root")
      assert.deepStrictEqual(
        object.attributionIds.map(({ href }) => href),
        [accountUrl, channelUrl]
      )
      assert.strictEqual(String(object.duration), "PT5S")
      assert.strictEqual(object.content, "About it")
      assert.deepStrictEqual(
        object.toIds.map(({ href }) => href),
        [publicId]
      )
      const html = object.urls.find((url) => url instanceof Link && url.mediaType === "text/html")
      assert.strictEqual((html as Link).href?.href, `${origin}/w/${toShortUuid(video.uuid)}`)

      const note = yield* parsed((yield* read(`${watch(video)}/comments/${comment}`)).json)
      if (!(note instanceof Note)) return assert.fail("a note")
      assert.strictEqual(note.replyTargetId?.href, `${origin}${watch(video)}`)
      assert.strictEqual(note.content, "Well said")
      const created = yield* parsed((yield* read(`${watch(video)}/comments/${comment}/activity`)).json)
      if (!(created instanceof Create)) return assert.fail("an activity")
      assert.strictEqual(created.actorId?.href, accountUrl)
      assert.strictEqual(created.objectId?.href, `${origin}${watch(video)}/comments/${comment}`)
    })
  )

  it.effect("have a second key each, which verifies what it signs (FEP-521a)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const keys = yield* Effect.provide(ActorMultikeys, ActorMultikeys.layer)
      const missing = Effect.provideService(makeMissingKeys, ActorMultikeys, keys)
      const paths = ["/accounts/root", "/video-channels/root_channel", "/accounts/peertube"]
      const told = Effect.forEach(paths, (path) => Effect.map(read(path), ({ json }) => json.assertionMethod))
      const made = yield* told
      assert.strictEqual(new Set(made.map(([key]) => key.publicKeyMultibase)).size, paths.length)

      // Actors of before get theirs later, once.
      yield* sql`delete from actor_multikey where actor_id <> (select id from actor where preferred_username = 'root')`
      assert.deepStrictEqual((yield* told).slice(1), [undefined, undefined])
      yield* addStranger("keyless")
      assert.isFalse(yield* missing, "there is no more to do")
      const again = yield* told
      assert.deepStrictEqual(again[0], made[0])
      assert.notDeepEqual(again[2], made[2])
      assert.deepStrictEqual(yield* keys.missing(100), [])
      yield* missing
      assert.deepStrictEqual(yield* told, again)

      const actor = Result.getOrThrow(
        decodeActor(Result.getOrThrow(normaliseResult((yield* read("/accounts/root")).json)))
      )
      assert.deepStrictEqual(
        actor.keys.map(({ id, kind }) => [id, kind]),
        [
          [`${accountUrl}#main-key`, "pem"],
          [`${accountUrl}#ed25519-key`, "multibase"]
        ]
      )
      const { id, value } = actor.keys[1]!
      const publicKey = Result.getOrThrow(fromMultibase(value))
      const [row] = yield* sql<{ pem: string }>`
        select k.private_key as pem from actor_multikey k join actor a on a.id = k.actor_id where a.url = ${accountUrl}`
      const privateKey = createPrivateKey(row!.pem)
      const words = Buffer.from("words")
      assert.isTrue(verify(null, words, publicKey, sign(null, words, privateKey)))
      const body = Buffer.from("{}")
      for (const form of ["rfc9421", "cavage"] as const) {
        const headers = yield* signRequest({
          method: "POST",
          url: "https://peer.example/inbox",
          body,
          form,
          key: { id, privateKey, algorithm: "ed25519" },
          now: yield* Clock.currentTimeMillis
        })
        const request = { method: "POST", target: "/inbox", headers: { host: "peer.example", ...headers }, body }
        const by = yield* verifyRequest({ ...request, host: "peer.example", origin: "https://peer.example" }, () =>
          Effect.succeed({ id, owner: accountUrl, key: publicKey })
        )
        assert.deepStrictEqual([by.actor, by.keyId, by.form], [accountUrl, id, form])
      }
    })
  )

  it.effect("give Mastodon what it makes a post with preview and player of", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "root" })
      const { json } = yield* read(watch(video))
      // docs.joinmastodon.org, ActivityPub, "Payloads": a Video becomes its name and the address of its page, whose Open
      // Graph and oEmbed make the card; what has attachments gets no card.
      assert.include(["Image", "Audio", "Video", "Event"], json.type)
      assert.isString(json.name)
      const page = json.url.find((link: Linked) => link.type === "Link" && link.mediaType === "text/html")
        .href as string
      assert.strictEqual(new URL(page).origin, new URL(json.id).origin, "an address elsewhere is not believed")
      assert.isUndefined(json.attachment)
      assert.strictEqual(json.attributedTo[0], accountUrl, "the first is who posts")
      assert.include(json.to, publicId, "public, and in timelines")
      assert.match(json.published, /^\d{4}-\d\d-\d\dT/)
      assert.isBoolean(json.sensitive)
      for (const { name, type } of json.tag) assert.deepStrictEqual([type, typeof name], ["Hashtag", "string"])
      const html = (yield* read(new URL(page).pathname, "text/html")).text
      for (const property of ["og:title", "og:image", "og:video:url", "twitter:player"]) assert.include(html, property)
      assert.match(html, /<link[^>]+type="application\/json\+oembed"/)
      // Mastodon 4.3: whom the page says it is by, and whose actor lets its site say so.
      assert.include(html, `<meta name="fediverse:creator" content="@root_channel@localhost:9000" />`)
      const by = (yield* read("/video-channels/root_channel")).json
      assert.deepStrictEqual(by.attributionDomains, [new URL(page).hostname])
      assert.include(html, `<link rel="alternate" type="application/activity+json" href="${json.id}" />`)
      assert.include(html, json.icon[1].url, "the picture of the card is one of the object's")
    })
  )

  it.effect("tell of a comment, whom it answers and mentions, and what is left of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      const stranger = yield* addStranger("ann")
      const first = yield* addComment(video.id, "First", { account: stranger.account })
      yield* sql`update video_comment set url = 'https://elsewhere.example/notes/1' where id = ${first}`
      const reply = yield* addComment(video.id, "To @root_channel, @peertube@localhost:9000 and a@b.example", {
        parent: first
      })
      const path = `${watch(video)}/comments/${reply}`
      const { json } = yield* read(path)
      assert.deepInclude(json, {
        type: "Note",
        id: `${origin}${path}`,
        url: `${origin}${path}`,
        content: "To @root_channel, @peertube@localhost:9000 and a@b.example",
        mediaType: "text/markdown",
        inReplyTo: "https://elsewhere.example/notes/1",
        attributedTo: accountUrl,
        replyApproval: `${origin}${path}/approve-reply`,
        audience: channelUrl,
        to: [publicId]
      })
      const mentions = [
        { type: "Mention", href: `${origin}/accounts/peertube`, name: "@peertube@localhost:9000" },
        { type: "Mention", href: "https://elsewhere.example/users/ann", name: "@ann@elsewhere.example" }
      ]
      assert.sameDeepMembers(json.tag, mentions)
      assert.includeMembers(json.cc, [...mentions.map(({ href }) => href), `${accountUrl}/followers`])
      assert.deepInclude((yield* read(`${path}/activity`)).json, { type: "Create", id: `${origin}${path}/activity` })
      assert.deepInclude((yield* read(`${watch(video)}/comments/${first}/approve-reply`)).json, {
        type: "ApproveReply",
        actor: accountUrl,
        object: "https://elsewhere.example/notes/1",
        inReplyTo: `${origin}${watch(video)}`
      })

      const below = yield* addComment(video.id, "Below", { parent: reply })
      yield* sql`select remove_comments(array[${reply}::int])`
      const left = yield* read(path)
      assert.strictEqual(left.status, 200, "others walk through it to what is above")
      assert.hasAllKeys(left.json, [
        "@context",
        "id",
        "type",
        "formerType",
        "inReplyTo",
        "published",
        "updated",
        "deleted"
      ])
      assert.instanceOf(yield* parsed(left.json), Tombstone)
      for (const part of ["activity", "approve-reply"]) {
        assert.strictEqual((yield* read(`${path}/${part}`)).status, 404)
      }
      yield* sql`select remove_comments(array[${below}::int])`
      assert.strictEqual((yield* read(path)).status, 200, "it is kept for a while")
      yield* sql`select remove_tombstones(now() + interval '1 minute', 10)`
      assert.strictEqual((yield* read(path)).status, 404, "nothing is left")
    })
  )

  it.effect("tell of likes, announces, copies and who watched", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "root" })
      yield* rateByAll(video.id, "dislike")
      assert.deepInclude((yield* read(`/accounts/root/dislikes/${video.id}`)).json, {
        type: "Dislike",
        id: `${accountUrl}/dislikes/${video.id}`,
        actor: accountUrl,
        object: `${origin}${watch(video)}`
      })
      assert.strictEqual((yield* read(`/accounts/root/likes/${video.id}`)).status, 404)
      const { actor } = (yield* sql<{ actor: number }>`select actor_id as actor from video_channel`)[0]!
      assert.deepInclude((yield* read(`${watch(video)}/announces/${actor}`)).json, {
        type: "Announce",
        id: `${origin}${watch(video)}/announces/${actor}`,
        actor: channelUrl,
        object: `${origin}${watch(video)}`
      })
      for (const who of ["0", "999999", "x"]) {
        assert.strictEqual((yield* read(`${watch(video)}/announces/${who}`)).status, 404)
      }

      const copy = `${origin}/redundancy/streaming-playlists/hls/${video.uuid}`
      assert.strictEqual((yield* read(pathOf(copy))).status, 404)
      yield* sql`
        insert into video_redundancy
          (video_id, streaming_playlist_id, actor_id, url, base_url, strategy, expires_at)
        select ${video.id}, s.id, a.id, ${copy}, ${`${origin}/static/redundancy/hls/${video.uuid}`}, 'trending',
          '2030-01-02T03:04:05Z'
        from streaming_playlist s, actor a where s.video_id = ${video.id} and a.type = 'Application'`
      assert.deepInclude((yield* read(pathOf(copy))).json, {
        type: "CacheFile",
        id: copy,
        object: `${origin}${watch(video)}`,
        expires: "2030-01-02T03:04:05.000Z"
      })
      assert.strictEqual((yield* read(`/redundancy/streaming-playlists/other/${video.uuid}`)).status, 404)

      const viewer = crypto.randomUUID()
      const id = `${origin}/videos/local-viewer/${viewer}`
      yield* sql`
        insert into activity (uri, type, actor_id, body)
        select ${`${id}/activity`}, 'Create', id, ${JSON.stringify({ object: { id, type: "WatchAction" } })}::jsonb
        from actor where type = 'Application'`
      assert.deepInclude((yield* read(`/videos/local-viewer/${viewer}`)).json, { id, type: "WatchAction" })
      for (const other of [crypto.randomUUID(), "7"]) {
        assert.strictEqual((yield* read(`/videos/local-viewer/${other}`)).status, 404)
      }
    })
  )

  it.effect("tell of a channel what its owner says", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`update video_channel set support = 'Give', public_email = 'a@b.example', player_theme = 'lucide'`
      yield* sql`update actor set indexable = false, discoverable = false where type = 'Group'`
      const { json } = yield* read("/video-channels/root_channel")
      assert.deepInclude(json, {
        type: "Group",
        support: "Give",
        email: "a@b.example",
        postingRestrictedToMods: true,
        attributedTo: [accountUrl],
        playerSettings: `${channelUrl}/player-settings`,
        indexable: false,
        discoverable: false,
        attributionDomains: ["localhost"]
      })
      assert.strictEqual((yield* read("/video-channels/root_channel/player-settings")).json.theme, "lucide")
      assert.strictEqual((yield* read("/video-channels/root/player-settings")).status, 404)
      assert.strictEqual((yield* read("/video-channels/root")).status, 404, "an account is no channel")
      assert.strictEqual((yield* read("/accounts/root_channel")).status, 404)
    })
  )
})
