import { assert, layer } from "@effect/vitest"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fillAbout, known, operations } from "./Operations.ts"
import { addVideo, ask, people, runningNode } from "./RunningNode.ts"
import { localComment } from "../../../storage/test/support/LocalComments.ts"

/**
 * Every list of the API: what has a parameter `count`. An `id` is that of a video with a comment, one with
 * passwords where those are listed, or of the first user. A webhook has sent nothing.
 */
const lists = Effect.gen(function* () {
  const video = yield* addVideo()
  const sql = yield* SqlClient
  const videoId = Number(video.id)
  const [owner] = yield* sql<{ accountId: number }>`select account_id as "accountId" from video where id = ${videoId}`
  const comment = yield* localComment({ videoId, accountId: owner!.accountId, text: "x", trusted: true })
  const [webhook] = yield* sql<{ id: number }>`
    insert into webhook (url, events, sealed_secret) values ('https://receiver.example/', '{}', 'x') returning id`
  const values = { ...known, ...video, commentId: String(comment), webhookId: String(webhook!.id) }
  const locked = { ...known, ...(yield* addVideo(VideoPrivacy.passwordProtected)) }
  return (yield* operations)
    .filter(({ method, parameters }) => method === "GET" && parameters.some(({ name }) => name === "count"))
    .map(({ id, parameters, path }) => {
      // A search looks for something, and copies are somebody's.
      const needed = parameters.flatMap(({ name }) =>
        name === "search" && path.startsWith("/api/v1/search/")
          ? ["search=x&"]
          : name === "target"
            ? ["target=my-videos&"]
            : []
      )
      return {
        id,
        /** With what is needed besides; a parameter may follow. */
        address: `${fillAbout(path, /passwords?$/i.test(path) ? locked : values)}?${needed.join("")}`,
        parameters
      }
    })
})

interface Page {
  readonly total: number
  readonly data: ReadonlyArray<unknown>
}

const badSorts = [
  "nothing",
  "-",
  "--name",
  "-password_hash",
  "name;drop table video",
  "name desc",
  "(select 1)",
  "createdAt,name",
  "__proto__",
  "constructor",
  "toString",
  "\0",
  "%",
  "NAME"
]

layer(runningNode, { excludeTestServices: true, timeout: 120_000 })("lists", (it) => {
  it.effect("API-05: are sorted by keys that are known, and nothing else", () =>
    Effect.gen(function* () {
      const { administrator } = yield* people
      const all = (yield* lists).filter(({ parameters }) => parameters.some(({ name }) => name === "sort"))
      assert.isAtLeast(all.length, 4)
      for (const { id, address } of all) {
        for (const sort of badSorts) {
          const answer = yield* ask("GET", `${address}sort=${encodeURIComponent(sort)}`, administrator)
          assert.strictEqual(answer.status, 400, `${id} ${sort}`)
          assert.include(answer.type, "application/problem+json")
          assert.deepStrictEqual(Object.keys(JSON.parse(answer.text)["invalid-params"]), ["sort"], `${id} ${sort}`)
        }
        const good = id === "getMirroredVideos" ? "-name" : "-createdAt"
        assert.strictEqual((yield* ask("GET", `${address}sort=${good}`, administrator)).status, 200, id)
      }
    })
  )

  it.effect("API-06: are paged within bounds", () =>
    Effect.gen(function* () {
      const { administrator } = yield* people
      for (const { id, address } of yield* lists) {
        const empty = yield* ask("GET", `${address}count=0`, administrator)
        assert.strictEqual(empty.status, 200, id)
        const page = JSON.parse(empty.text) as Page | ReadonlyArray<unknown>
        // The ratings of an account are a bare array.
        if (Array.isArray(page)) assert.deepStrictEqual([id, page], ["getAccountsRatings", []])
        else assert.deepStrictEqual([(page as Page).data, typeof (page as Page).total], [[], "number"], id)
        assert.strictEqual((yield* ask("GET", `${address}count=100&start=0`, administrator)).status, 200, id)
        for (const query of [
          "count=-1",
          "count=101",
          "count=1e9",
          "count=1e1",
          "count=0x10",
          "count=1.5",
          "count=NaN",
          "count=Infinity",
          "count=",
          "start=-1",
          "start=9007199254740992",
          "start=1e400",
          "start=abc"
        ]) {
          const answer = yield* ask("GET", `${address}${query}`, administrator)
          assert.strictEqual(answer.status, 400, `${id} ${query}`)
          const named = Object.keys((JSON.parse(answer.text) as Record<string, object>)["invalid-params"] ?? {})
          assert.deepStrictEqual(named, [query.split("=")[0]], `${id} ${query}`)
        }
      }
    })
  )

  it.effect("API-07: take no flood of filters", () =>
    Effect.gen(function* () {
      const { administrator } = yield* people
      const arrays = ["tagsOneOf", "tagsAllOf", "categoryOneOf", "licenceOneOf", "languageOneOf", "privacyOneOf"]
      for (const { id, parameters, address } of yield* lists) {
        for (const name of arrays) {
          if (!parameters.some((parameter) => parameter.name === name)) continue
          // As many as the longest request line that is read lets through.
          const answer = yield* ask("GET", `${address}${`${name}=1&`.repeat(800)}`, administrator)
          assert.strictEqual(answer.status, 400, `${id} ${name}`)
          const tooLong = yield* ask("GET", `${address}${`${name}=1&`.repeat(10_000)}`, administrator)
          assert.include([400, 414, 431], tooLong.status, `${id} ${name}`)
        }
      }
    })
  )
})
