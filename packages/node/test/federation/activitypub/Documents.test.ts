import { assert, layer } from "@effect/vitest"
import { OutgoingActivity } from "@kinora/federation/activities/OutgoingActivity"
import { CacheFileDocument } from "@kinora/federation/activities/CacheFile"
import { ActorDocument } from "@kinora/federation/documents/ActorDocument"
import { NoteDocument, TombstoneDocument } from "@kinora/federation/documents/NoteDocument"
import {
  PlaylistDocument,
  PlaylistElementDocument,
  PlaylistPageDocument
} from "@kinora/federation/documents/PlaylistDocument"
import { VideoDocument } from "@kinora/federation/documents/VideoDocument"
import { ChaptersDocument, PlayerSettingsDocument } from "@kinora/federation/documents/VideoPartDocuments"
import { decodeActor } from "@kinora/federation/objects/ActorObject"
import { decodeVideo } from "@kinora/federation/objects/VideoObject"
import { normaliseResult } from "@kinora/federation/vocabulary/Normalise"
import { KeptVideoObjects } from "@kinora/storage/federation/activitypub/KeptVideoObjects"
import { VideoObjects } from "@kinora/storage/federation/activitypub/VideoObjects"
import { fillReadModels } from "@kinora/storage/video/read/ReadModels"
import { Deferred, Effect, Fiber, Result, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { rateByAll } from "../../../../storage/test/support/Ratings.ts"
import { addVideo, type TestVideo } from "../../video/list/Videos.ts"
import { readableNode } from "./FederatedNode.ts"
import { addComment, addStranger, origin, pathOf, read } from "./Reading.ts"

const watch = ({ uuid }: TestVideo): string => `/videos/watch/${uuid}`

/** Reads an object without its context, and has it decode by its schema, which knows every member. */
const readAs = Effect.fnUntraced(function* <A>(path: string, schema: Schema.Codec<A, unknown>) {
  const { json, status } = yield* read(path)
  assert.strictEqual(status, 200, path)
  const { "@context": _, ...object } = json as Record<string, unknown>
  const decoded = Schema.decodeUnknownResult(schema)(object, { onExcessProperty: "error" })
  return Result.isSuccess(decoded) ? decoded.success : assert.fail(`${path}: ${decoded.failure}`)
})

/** A video with something of everything that its object shows. */
const addFullVideo = Effect.fn("addFullVideo")(function* () {
  const sql = yield* SqlClient
  const video = yield* addVideo({ owner: "root" })
  yield* sql`
    update video set name = 'It''s (a) "title"! *', category = 2, licence = 1, language = 'fr', nsfw = true, nsfw_flags = 3,
      nsfw_summary = 'Loud', support = 'Give', aspect_ratio = 1.33335, input_file_updated_at = now(),
      originally_published_at = '2001-02-03T04:05:06.789Z'
    where id = ${video.id}`
  yield* sql`insert into tag (name) values ('one') on conflict do nothing`
  yield* sql`insert into video_tag (video_id, tag_id) select ${video.id}, id from tag where name = 'one'`
  yield* sql`insert into video_chapter (video_id, timecode, title) values (${video.id}, 0, 'A'), (${video.id}, 9, 'B')`
  yield* sql`
    insert into video_caption (video_id, language, filename, playlist_filename)
    values (${video.id}, 'zz', ${`${video.token}-zz.vtt`}, 'zz.m3u8')`
  yield* sql`
    insert into video_file (video_id, resolution, fps, size, extname, filename, width, height, has_audio, has_video)
    values (${video.id}, 0, 0, 5000000000, '.m4a', ${randomUUID()}, null, null, true, false),
      (${video.id}, 1080, 29.97, 1, '.webm', ${randomUUID()}, 1920, 1080, false, true)`
  return video
}, Effect.orDie)

const publicList = Effect.fn("publicList")(function* (videos: ReadonlyArray<number>) {
  const sql = yield* SqlClient
  const uuid = randomUUID()
  yield* sql`
    insert into video_playlist (uuid, url, name, description, privacy, owner_account_id, channel_id, channel_position)
    select ${uuid}, ${`${origin}/video-playlists/${uuid}`}, 'List', 'Of videos', 1, account_id, id, 1 from video_channel`
  yield* sql`
    insert into video_playlist_element (playlist_id, video_id, position, start_timestamp, stop_timestamp)
    select p.id, v.id, v.n, 3, 4 from video_playlist p, unnest(${videos}::int[]) with ordinality v (id, n)
    where p.uuid = ${uuid}`
  return `/video-playlists/${uuid}`
}, Effect.orDie)

layer(readableNode(), { excludeTestServices: true })("Objects of this instance", (it) => {
  it.effect("are what the schemas of federation say, and nothing more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addFullVideo()
      const object = yield* readAs(watch(video), VideoDocument)
      assert.strictEqual(object.aspectRatio, 1.3334, "rounded as it was when rows were rounded by PostgreSQL alone")
      assert.strictEqual(object.originallyPublishedAt, "2001-02-03T04:05:06.789Z")
      const magnet = object.url.find(({ href }) => href.startsWith("magnet:"))
      assert.include(magnet?.href, "&dn=It%27s+%28a%29+%22title%22%21+%2A&tr=http%3A%2F%2Flocalhost%3A9000%2Ftracker")
      assert.deepInclude(object.subtitleLanguage[1], { identifier: "zz", name: "Unknown" })
      assert.deepStrictEqual((yield* readAs(`${watch(video)}/chapters`, ChaptersDocument)).hasPart, [
        { name: "A", startOffset: 0, endOffset: 9 },
        { name: "B", startOffset: 9, endOffset: 9 }
      ])
      yield* readAs(`${watch(video)}/player-settings`, PlayerSettingsDocument)
      const created = yield* readAs(`${watch(video)}/activity`, OutgoingActivity)
      assert.deepStrictEqual<unknown>(created.object, object)

      yield* sql`
        insert into actor_image (actor_id, type, filename, width, height)
        select id, n, n || preferred_username || '.png', 120, 120 from actor, unnest(array[1, 2]::smallint[]) n
        where preferred_username in ('root', 'root_channel')`
      yield* sql`update video_channel set public_email = 'us@example.org', support = 'Give', description = 'Us'`
      const paths = { "/accounts/root": "Person", "/c/root_channel": "Group", "/accounts/peertube": "Application" }
      for (const [path, type] of Object.entries(paths)) {
        const actor = yield* readAs(path, ActorDocument)
        assert.strictEqual(actor.type, type)
        assert.deepStrictEqual(actor.attributionDomains, ["localhost"])
        assert.isTrue(Result.isSuccess(decodeActor(Result.getOrThrow(normaliseResult(actor)))), path)
      }
      // In the order by which it is known what was sent last.
      const { json: channel } = yield* read("/c/root_channel")
      assert.strictEqual(
        Object.keys(channel).join(" "),
        "@context type id following followers playlists inbox outbox preferredUsername url name endpoints publicKey " +
          "assertionMethod published icon image summary indexable discoverable support postingRestrictedToMods attributedTo " +
          "playerSettings email attributionDomains"
      )
      yield* readAs("/video-channels/root_channel/player-settings", PlayerSettingsDocument)

      const stranger = yield* addStranger("friend")
      const top = yield* addComment(video.id, "Hello", { account: stranger.account })
      const reply = yield* addComment(video.id, "Hi", { parent: top })
      const note = yield* readAs(`${watch(video)}/comments/${reply}`, NoteDocument)
      assert.deepStrictEqual(note.tag, [
        { type: "Mention", href: "https://elsewhere.example/users/friend", name: "@friend@elsewhere.example" }
      ])
      yield* readAs(`${watch(video)}/comments/${reply}/activity`, OutgoingActivity)
      yield* readAs(`${watch(video)}/comments/${top}/approve-reply`, OutgoingActivity)
      yield* addComment(video.id, "Below", { parent: reply })
      yield* sql`update video_comment set deleted_at = now() where id = ${reply}`
      yield* readAs(`${watch(video)}/comments/${reply}`, TombstoneDocument)

      // Sensitive videos give their playlist no picture.
      const list = yield* publicList([video.id, (yield* addVideo({ owner: "root" })).id])
      assert.isDefined((yield* readAs(list, PlaylistDocument)).icon)
      const page = yield* readAs(`${list}?page=1`, PlaylistPageDocument)
      yield* readAs(pathOf(page.orderedItems[0]!), PlaylistElementDocument)

      yield* rateByAll(video.id, "like")
      assert.strictEqual((yield* readAs(`/accounts/root/likes/${video.uuid}`, OutgoingActivity)).type, "Like")
      const actors = yield* sql<{ id: number }>`select actor_id as id from video_channel`
      yield* readAs(`${watch(video)}/announces/${actors[0]!.id}`, OutgoingActivity)
      yield* sql`
        insert into video_redundancy (video_id, streaming_playlist_id, url, base_url, expires_at, strategy, actor_id, files)
        select ${video.id}, s.id, 'https://a.example/r', 'https://a.example/b', '2030-01-01T00:00:00.123Z', 'most-views', a.id, '{}'
        from streaming_playlist s, actor a where s.video_id = ${video.id} and a.preferred_username = 'peertube'`
      const copy = yield* readAs(`/redundancy/streaming-playlists/hls/${video.uuid}`, CacheFileDocument)
      assert.strictEqual(copy.expires, "2030-01-01T00:00:00.123Z")
    })
  )

  it.effect("are read by this program when another instance has them", () =>
    Effect.gen(function* () {
      const video = yield* addFullVideo()
      const read = decodeVideo(Result.getOrThrow(normaliseResult(yield* readAs(watch(video), VideoDocument))))
      if (Result.isFailure(read)) return assert.fail(read.failure.why)
      const { captions, category, files, hls, nsfwFlags, storyboard, tags } = read.success
      assert.deepStrictEqual([category, nsfwFlags, tags, captions.length], [2, 3, ["one"], 2])
      assert.deepStrictEqual(files.map(({ resolution }) => resolution).toSorted(), [0, 1080, 720].toSorted())
      assert.isNotNull(hls)
      assert.isNotNull(storyboard)
    })
  )

  it.effect("of pages of outboxes are those that are read alone, kept or not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const videos = yield* Effect.forEach([1, 2, 3], addFullVideo)
      yield* fillReadModels(sql, 100)
      yield* read(watch(videos[1]!))
      const { orderedItems } = (yield* read("/accounts/root/outbox?page=1&size=3")).json
      const expected = yield* Effect.forEach(videos.toReversed(), (video) =>
        readAs(`${watch(video)}/activity`, OutgoingActivity)
      )
      assert.deepStrictEqual(orderedItems, expected)
    })
  )

  it.effect("are kept unless their video changes meanwhile, and whoever reads waits for nobody", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const objects = yield* Effect.provide(VideoObjects, VideoObjects.layer)
      const texts = yield* Effect.provide(KeptVideoObjects, KeptVideoObjects.layer)
      const { id } = yield* addFullVideo()
      const rowOf = Effect.map(objects.rows([id]), (rows) => rows[0]!)
      const kept = Effect.map(
        sql<{ text: string | null }>`select object as text from video_read_model where video_id = ${id}`,
        (rows) => rows[0]!.text
      )
      assert.isNull((yield* rowOf).version, "no text is kept beside others that are to be made")
      yield* texts.keep(yield* rowOf, "early")
      assert.isNull(yield* kept)
      yield* fillReadModels(sql, 100)

      const changes = [
        sql`update video set name = 'Another' where id = ${id}`,
        sql`delete from video_caption where video_id = ${id} and language = 'zz'`,
        sql`delete from storyboard where video_id = ${id}`,
        sql`update thumbnail set width = width + 1 where video_id = ${id}`,
        sql`delete from video_tag where video_id = ${id}`,
        sql`update video_file set size = size + 1 where video_id = ${id}`,
        sql`update streaming_playlist set segments_sha256_filename = null where video_id = ${id}`,
        sql`update video set views = views + 1 where id = ${id}`
      ]
      for (const change of changes) {
        const before = yield* rowOf
        yield* change
        yield* texts.keep(before, "old")
        assert.isNull(yield* kept, "a text of before a change")
        yield* fillReadModels(sql, 100)
        yield* texts.keep(yield* rowOf, "new")
        assert.strictEqual(yield* kept, "new")
      }

      // A change that is not committed holds the row: the text is given up, not waited for.
      yield* sql`update video_read_model set object = null where video_id = ${id}`
      const row = yield* rowOf
      const changed = yield* Deferred.make<void>()
      const read = yield* Deferred.make<void>()
      const change = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update video set name = 'Once more' where id = ${id}`
            yield* Deferred.succeed(changed, undefined)
            yield* Deferred.await(read)
          })
        )
      )
      yield* Deferred.await(changed)
      yield* texts.keep(row, "old")
      yield* Deferred.succeed(read, undefined)
      yield* Fiber.join(change)
      assert.isNull(yield* kept)
    })
  )

  it.effect("of videos have their members in the order by which it is known what was sent last", () =>
    Effect.gen(function* () {
      const { json: video } = yield* read(watch(yield* addFullVideo()))
      assert.strictEqual(
        Object.keys(video).join(" "),
        "@context to cc type id name duration uuid category licence language views downloads sensitive summary waitTranscoding " +
          "state canReply commentsPolicy downloadEnabled embedUrl published originallyPublishedAt updated uploadDate tag " +
          "mediaType content support subtitleLanguage icon preview aspectRatio url likes dislikes shares comments hasParts " +
          "playerSettings attributedTo audience isLiveBroadcast liveSaveReplay permanentLive latencyMode dvrWindow"
      )
      assert.deepStrictEqual(
        video.url.slice(2, 6).map((link: object) => Object.keys(link).join(" ")),
        [
          "type mediaType href height width size fps attachment",
          "type rel mediaType href height width fps",
          "type mediaType href height width size fps attachment",
          "type rel mediaType href height width fps"
        ]
      )
    })
  )
})
