import { assert, layer } from "@effect/vitest"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { normaliseResult } from "@kinora/federation/vocabulary/Normalise"
import { makeActorTexts } from "@kinora/storage/people/actor/ActorTexts"
import { playlistTexts } from "@kinora/storage/video/playlist/PlaylistTexts"
import { makeVideoTexts } from "@kinora/storage/video/read/VideoTexts"
import { Cause, Effect, Exit, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { RemoteActors } from "../../../src/federation/remote/RemoteActors.ts"
import { RemoteComments } from "../../../src/federation/remote/RemoteComments.ts"
import { RemotePlaylists } from "../../../src/federation/remote/RemotePlaylists.ts"
import { RemoteVideos } from "../../../src/federation/remote/RemoteVideos.ts"
import { addVideo } from "../../video/list/Videos.ts"
import {
  type Document,
  mastodonActor,
  mastodonNote,
  peertubeActor,
  peertubeVideo,
  readingNode,
  startPeertube
} from "./Origin.ts"

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    ...["", " ", "\0", "\ud800", "'", "https://x/' ; drop table actor --", "x".repeat(20_000), "é".repeat(3_000)],
    ...[
      -1,
      0,
      1.5,
      2 ** 31,
      2 ** 53,
      1e308,
      5e-300,
      -0,
      "1e999",
      "PT1e9S",
      "9999-12-31T23:59:59.999Z",
      "-000001-01-01T00:00:00Z"
    ],
    ...[
      null,
      true,
      [],
      {},
      [[[[]]]],
      [null, 5, "x"],
      { id: 5 },
      { "@value": {} },
      { type: "Link", href: 5, mediaType: "video/mp4" }
    ]
  ),
  fc.jsonValue({ maxDepth: 3 })
)

/** A document with a few members, at any depth, that are something else. */
const changed = (document: Document) =>
  fc.array(fc.tuple(fc.nat(), fc.nat(), strange), { minLength: 1, maxLength: 6 }).map((changes) => {
    const copy = structuredClone(document)
    for (const [at, below, value] of changes) {
      const names = Object.keys(copy).filter((it) => it !== "id" && it !== "type" && it !== "attributedTo")
      const name = names[at % names.length]!
      const member = copy[name]
      const list = Array.isArray(member) ? member : [member]
      const inner: unknown = list[below % Math.max(1, list.length)]
      if (below % 3 > 0 && typeof inner === "object" && inner !== null) {
        const keys = Object.keys(inner)
        ;(inner as Document)[keys[at % keys.length] ?? "x"] = value
      } else copy[name] = value
    }
    return copy
  })

layer(readingNode, { excludeTestServices: true, timeout: 60_000 })(
  "documents that are not what they should be",
  (it) => {
    it.effect(
      "are taken as far as they can be, or refused, and are no mistake of ours",
      () =>
        Effect.gen(function* () {
          const peer = yield* startPeertube
          const sql = yield* SqlClient
          const videos = yield* RemoteVideos
          const own = yield* addVideo({ owner: "root" })
          yield* videos.byUrl(peer.video)
          const before = yield* sql`select * from video where id = ${own.id}`
          const address = `http://localhost:9000/videos/watch/${own.uuid}`
          peer.put(mastodonActor(peer.origin, "max"))
          const actors = yield* RemoteActors
          const comments = yield* RemoteComments
          const playlists = yield* RemotePlaylists
          const playlist = {
            id: `${peer.origin}/video-playlists/1`,
            ...{ type: "Playlist", name: "x", content: "y", uuid: crypto.randomUUID(), attributedTo: [peer.channel] },
            ...{
              to: "as:Public",
              published: "2026-11-20T09:25:54.265Z",
              icon: { type: "Image", url: `${peer.origin}/i.jpg` }
            }
          }
          const kinds: ReadonlyArray<readonly [Document, (object: JsonObject) => Effect.Effect<unknown, unknown>]> = [
            [peertubeVideo(peer.origin, crypto.randomUUID()), videos.upsert],
            [peertubeVideo(peer.origin, peer.uuid, { updated: undefined }), videos.upsert],
            [peertubeActor(peer.origin, "ann"), actors.applyUpdate],
            [peertubeActor(peer.origin, "new", peer.account), actors.applyUpdate],
            [mastodonNote(peer.origin, "max", 1, address), comments.upsert],
            [playlist, playlists.upsert]
          ]
          let taken = 0
          for (const [kind, [document, take]] of kinds.entries()) {
            for (const given of fc.sample(changed(document), { numRuns: 20, seed: 2026 + kind })) {
              const object = normaliseResult(JSON.parse(JSON.stringify(given)))
              if (Result.isFailure(object)) continue
              const exit = yield* Effect.exit(take(object.success))
              if (Exit.isSuccess(exit)) taken++
              else
                assert.isFalse(
                  Cause.hasDies(exit.cause),
                  `${Cause.pretty(exit.cause)}\n${JSON.stringify(given).slice(0, 4_000)}`
                )
            }
          }
          assert.isAbove(taken, 30)
          assert.deepStrictEqual(
            (yield* sql`select * from video where id = ${own.id}`)[0]?.["name"],
            before[0]?.["name"]
          )
          // Whatever was written can be told.
          const remote = yield* sql<{ id: number }>`select id from video where remote`
          assert.isAbove(remote.length, 0)
          const texts = yield* makeVideoTexts(
            sql,
            remote.map(({ id }) => id)
          )
          assert.lengthOf(texts, remote.length)
          for (const { details, id, summary } of texts) {
            for (const text of [summary, details]) assert.strictEqual(JSON.parse(`${text}}`).id, id)
          }
          yield* makeActorTexts(
            sql,
            (yield* sql<{ id: number }>`select actor_id as id from account`).map(({ id }) => id)
          )
          yield* playlistTexts(
            sql,
            (yield* sql<{ id: number }>`select id from video_playlist`).map(({ id }) => id)
          )
        }),
      { timeout: 60_000 }
    )
  }
)
