import { assert, layer } from "@effect/vitest"
import { VideosOverview } from "@kinora/domain/wire/VideosOverview"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { addVideo } from "../list/Videos.ts"
import { peopledNode, People } from "../list/People.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(VideosOverview), { onExcessProperty: "error" })

const overview = Effect.fn("overview")(function* (page: number, token?: string) {
  const answer = yield* send(`/api/v1/overviews/videos?page=${page}`, token === undefined ? {} : bearer(token))
  assert.strictEqual(answer.status, 200, answer.text)
  return decode(answer.text)
})

layer(peopledNode, { excludeTestServices: true, timeout: 120_000 })("overview of videos", (it) => {
  it.effect("is empty as long as there is nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* overview(1), { categories: [], channels: [], tags: [] })
    })
  )

  it.effect("shows on each page another category, channel and tag with its videos, the same for a while", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const all = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (n) =>
        addVideo({ owner: n % 2 === 0 ? "owner" : "other", privacy: n === 8 ? 3 : 1 })
      )
      for (const [n, { id }] of all.entries()) {
        yield* sql`update video set category = ${1 + (n % 3)} where id = ${id}`
        yield* sql`insert into tag (name) values (${`tag${n % 4}`}) on conflict do nothing`
        yield* sql`insert into video_tag (video_id, tag_id) select ${id}, t.id from tag t where t.name = ${`tag${n % 4}`}`
      }
      const pages = yield* Effect.forEach([1, 2, 3, 4, 5], (page) => overview(page))
      const categories = pages.flatMap((page) => page.categories.map(({ category }) => category.id))
      const tags = pages.flatMap((page) => page.tags.map(({ tag }) => tag))
      const channels = pages.flatMap((page) => page.channels.map(({ channel }) => channel.name))
      assert.deepStrictEqual(categories.toSorted(), [1, 2, 3])
      assert.deepStrictEqual(tags.toSorted(), ["tag0", "tag1", "tag2", "tag3"])
      assert.deepStrictEqual(channels.toSorted(), ["other_channel", "owner_channel"])
      for (const {
        categories: [first]
      } of pages) {
        for (const video of first?.videos ?? []) assert.strictEqual(video.category.id, first?.category.id)
      }
      const shown = pages.flatMap((page) => page.channels.flatMap(({ videos }) => videos.map(({ id }) => id)))
      assert.deepStrictEqual(
        shown.toSorted(),
        all
          .slice(0, 7)
          .map(({ id }) => id)
          .toSorted()
      )
      assert.deepStrictEqual(yield* overview(1), pages[0])
      assert.deepStrictEqual(pages[4], { categories: [], channels: [], tags: [] })
    })
  )

  it.effect("leaves out whom the reader blocks, and refuses pages there are none of", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { moderator } = yield* People
      yield* sql`insert into account_block (account_id, target_account_id)
        select m.id, t.id from account m join app_user mu on mu.id = m.user_id, account t join app_user tu on tu.id = t.user_id
        where mu.username = 'moderator' and tu.username = 'owner'`
      const pages = yield* Effect.forEach([1, 2], (page) => overview(page, moderator))
      assert.deepStrictEqual(
        pages.flatMap((page) => page.channels.map(({ channel }) => channel.name)),
        ["other_channel"]
      )
      for (const page of ["0", "11", "x", "1.5", ""]) {
        const answer = yield* send(`/api/v1/overviews/videos?page=${page}`)
        assert.deepStrictEqual([answer.status, Object.keys(answer.json["invalid-params"])], [400, ["page"]])
      }
      assert.strictEqual((yield* send("/api/v1/overviews/videos")).status, 200)
    })
  )
})
