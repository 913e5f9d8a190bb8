import { assert, layer } from "@effect/vitest"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { VideoList } from "@kinora/domain/wire/Video"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../../instance/about/Client.ts"
import { follow, remoteVideo } from "../../federation/outbox/Recorded.ts"
import { peopledNode } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"

const node = ReadModelRefresher.layer.pipe(Layer.provideMerge(peopledNode))
const decodeVideos = Schema.decodeUnknownSync(Schema.fromJsonString(VideoList), { onExcessProperty: "error" })

/** A video of the owner of this name. */
const named = Effect.fn("named")(function* (
  name: string,
  { language, privacy = 1 }: { readonly language?: string; readonly privacy?: number }
) {
  const sql = yield* SqlClient
  const video = yield* addVideo({ owner: "owner", privacy })
  yield* sql`update video set name = ${name}, language = ${language ?? null} where id = ${video.id}`
  return video
})

const found = Effect.fn("found")(function* (query: Record<string, string> | string) {
  const asked = new URLSearchParams(typeof query === "string" ? { search: query } : query)
  const answer = yield* send(`/api/v1/search/videos?${asked}`)
  assert.strictEqual(answer.status, 200, answer.text)
  const list = decodeVideos(answer.text)
  assert.isAtLeast(list.total, list.data.length)
  return list.data.map((one) => one.name)
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("searches by address, filters and short words", (it) => {
  it.effect("finds what is not listed by its address alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, uuid } = yield* named("Unlisted tapir", { privacy: 2 })
      const short = toShortUuid(uuid)
      for (const search of ["tapir", uuid, short]) assert.deepStrictEqual([search, yield* found(search)], [search, []])
      for (const search of [`http://localhost:9000/w/${short}`, `http://localhost:9000/videos/watch/${uuid}`]) {
        assert.deepStrictEqual([search, yield* found(search)], [search, ["Unlisted tapir"]])
      }
      yield* sql`update video set url = ${`https://far.example/videos/watch/${uuid}`} where id = ${id}`
      assert.deepStrictEqual(yield* found(`https://far.example/w/${short}`), ["Unlisted tapir"])
      yield* sql`insert into video_blacklist (video_id) values (${id})`
      assert.deepStrictEqual(yield* found(`https://far.example/w/${short}`), [])
    })
  )

  it.effect("shows anonymous readers nothing that the instance does not follow, if they know its address or not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, group } = yield* remoteVideo("films.example")
      yield* sql`update video set privacy = 2 where id = ${id}`
      const address = "https://films.example/videos/watch/1"
      assert.deepStrictEqual(yield* found(address), [])
      const [instance] = yield* sql<{ id: number }>`select instance_actor() as id`
      yield* follow(instance!.id, group.id)
      assert.deepStrictEqual(yield* found(address), ["Elsewhere"])
    })
  )

  it.effect("finds short words by their beginning, by filters alone, and by the languages of captions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* named("Quokka", { language: "fr" })
      for (const search of ["q", "qu", "quokka"]) {
        assert.deepStrictEqual([search, yield* found(search)], [search, ["Quokka"]])
      }
      assert.deepStrictEqual(yield* found({ languageOneOf: "br" }), [])
      yield* sql`insert into video_caption (video_id, language, filename) values (${id}, 'oc', 'quokka-oc.vtt')`
      assert.deepStrictEqual(yield* found({ languageOneOf: "oc" }), ["Quokka"])
      assert.deepStrictEqual(yield* found({ search: "quokka", languageOneOf: "oc" }), ["Quokka"])
    })
  )
})
