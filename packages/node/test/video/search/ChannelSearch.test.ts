import { assert, layer } from "@effect/vitest"
import { VideoChannelList } from "@kinora/domain/wire/VideoChannelAnswers"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Person } from "../list/People.ts"
import { asked, node, owned } from "./Searching.ts"

const decodeChannels = Schema.decodeUnknownSync(Schema.fromJsonString(VideoChannelList), { onExcessProperty: "error" })

layer(node, { excludeTestServices: true, timeout: 120_000 })("search for channels", (it) => {
  const channels = Effect.fnUntraced(function* (query: Record<string, string>, who: Person = "anonymous") {
    const answer = yield* asked("video-channels", query, who)
    assert.strictEqual(answer.status, 200, answer.text)
    const list = decodeChannels(answer.text)
    assert.strictEqual(list.total, list.data.length)
    return list.data.map((channel) => channel.name)
  })

  it.effect("finds names, descriptions, owners, handles and addresses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { account_id: account, channel_id: channel } = yield* owned
      yield* sql`update video_channel set display_name = 'Café Élan', description = 'Knitting tutorials' where id = ${channel}`
      yield* (yield* ReadModelRefresher).refresh(1000)
      for (const search of [
        "cafe",
        "elan café",
        "knitting",
        "elna",
        "@owner_channel",
        "owner_channel@localhost:9000",
        "http://localhost:9000/c/owner_channel/videos",
        "http://localhost:9000/video-channels/owner_channel",
        "http://localhost:9000/@owner_channel"
      ]) {
        assert.deepStrictEqual([search, yield* channels({ search })], [search, ["owner_channel"]])
      }
      assert.deepStrictEqual(yield* channels({ search: "@nobody@far.example" }), [])
      assert.deepStrictEqual(yield* channels({ search: "https://far.example/c/nobody" }), [])
      assert.deepStrictEqual(yield* channels({ handles: "owner_channel@localhost:9000" }), ["owner_channel"])
      assert.sameMembers(
        yield* channels({ search: "channel", sort: "displayName" }),
        yield* channels({ search: "channel", sort: "-createdAt" })
      )
      assert.deepStrictEqual(yield* channels({ search: "cafe", host: "far.example" }), [])
      yield* sql`insert into account_block (account_id, target_account_id)
        select a.id, ${account} from app_user u join account a on a.user_id = u.id where u.username = 'other'`
      assert.deepStrictEqual(yield* channels({ search: "cafe" }, "other"), [])
      assert.deepStrictEqual(yield* channels({ search: "cafe" }), ["owner_channel"])
    })
  )
})
