import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith"
import { bearer, send } from "../../instance/about/Client.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { actorsOf, addComment, feedNode } from "./FeedNode.ts"
import { readFeeds } from "./Validators.ts"

const origin = "http://localhost:9000"

const textsOf = (path: string, init?: RequestInit) =>
  Effect.map(send(path, init), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return (parseRssFeed(answer.text).items ?? []).map(({ content }) => content?.encoded)
  })

layer(feedNode(), { excludeTestServices: true })("feeds of comments", (it) => {
  it.effect("have what readers need, in every format", () =>
    Effect.gen(function* () {
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const { json } = yield* send(`/api/v1/videos/${uuid}`)
      const first = yield* addComment(id, "other", "Hello **there** ]]> & <b>bye</b>")
      const reply = yield* addComment(id, "owner", "[a link](javascript:alert(1)) https://a.example", first)
      const path = (format: string) => `/feeds/video-comments.${format}?videoId=${uuid}`
      const answer = yield* send(path("xml"))
      assert.strictEqual(answer.headers.get("content-type"), "application/xml; charset=utf-8")
      const feed = parseRssFeed(answer.text)
      assert.strictEqual(feed.title, json.name)
      assert.strictEqual(feed.link, `${origin}/w/${json.shortUUID}`)
      const [newest, oldest] = feed.items!
      assert.strictEqual(oldest!.title, `${json.name} - other`)
      assert.strictEqual(oldest!.link, `${origin}/w/${json.shortUUID};threadId=${first}`)
      assert.strictEqual(newest!.link, oldest!.link, "a reply is read in its thread")
      assert.strictEqual(newest!.guid?.value, `${origin}/videos/watch/${uuid}/comments/${reply}`)
      assert.include(oldest!.content?.encoded, "<strong>there</strong>")
      assert.notInclude(oldest!.content?.encoded, "<b>")
      assert.notInclude(newest!.content?.encoded, 'javascript:alert(1)"')
      const all = yield* Effect.forEach(["xml", "rss", "rss2", "atom", "atom1"], (format) =>
        Effect.map(send(path(format)), ({ text }) => text)
      )
      for (const read of readFeeds(all)) {
        assert.isNull(read.bozo)
        assert.lengthOf(read.entries, 2)
      }
      assert.lengthOf(parseAtomFeed(all[3]!).entries ?? [], 2)
      const other = parseJsonFeed((yield* send(path("json"))).json)
      assert.strictEqual(other.items?.[1]?.title, `${json.name} - other`)
    })
  )

  it.effect("are narrowed down by whose comments and whose videos", () =>
    Effect.gen(function* () {
      const mine = yield* addVideo({ owner: "owner" })
      const theirs = yield* addVideo({ owner: "moderator" })
      const owner = yield* actorsOf("owner")
      const other = yield* actorsOf("other")
      yield* addComment(mine.id, "other", "on mine")
      yield* addComment(theirs.id, "other", "on theirs")
      yield* addComment(theirs.id, "owner", "by owner")
      const path = "/feeds/video-comments.rss"
      assert.includeMembers((yield* textsOf(path)).slice(), ["<p>on mine</p>", "<p>on theirs</p>", "<p>by owner</p>"])
      const onOwner = yield* textsOf(`${path}?videoChannelId=${owner.channelId}`)
      assert.include(onOwner, "<p>on mine</p>")
      assert.notInclude(onOwner, "<p>on theirs</p>")
      assert.notInclude(yield* textsOf(`${path}?accountName=owner`), "<p>on theirs</p>")
      const byOther = yield* textsOf(`${path}?accountId=${other.accountId}&videoChannelName=owner_channel`)
      assert.include(byOther, "<p>on mine</p>")
      assert.notInclude(byOther, "<p>on theirs</p>")
      assert.lengthOf(yield* textsOf(`${path}?isLocal=false`), 0)
      assert.lengthOf(yield* textsOf(`${path}?onLocalVideo=false`), 0)
      assert.include(yield* textsOf(`${path}?isLocal=true&onLocalVideo=true`), "<p>by owner</p>")
      const mixed = yield* send(`${path}?videoId=${mine.uuid}&accountName=owner&videoChannelId=1`)
      assert.strictEqual(mixed.status, 400)
      assert.deepStrictEqual(Object.keys(mixed.json["invalid-params"]), ["accountName", "videoChannelId"])
      assert.strictEqual((yield* send(`${path}?accountName=nobody`)).status, 404)
      assert.strictEqual((yield* send(`${path}?videoChannelId=99999`)).status, 404)
    })
  )

  it.effect("hold nothing of what may not be seen", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { owner } = yield* People
      const path = "/feeds/video-comments.rss"
      const shut = yield* Effect.forEach([3, 4, 5], (privacy) =>
        addVideo({ owner: "owner", privacy, ...(privacy === 5 ? { passwords: ["sesame"] } : {}) })
      )
      for (const { id } of shut) yield* addComment(id, "other", `secret ${id}`)
      const unlisted = yield* addVideo({ owner: "owner", privacy: 2 })
      yield* addComment(unlisted.id, "other", "unlisted words")
      const blocked = yield* addVideo({ owner: "owner", blacklisted: true })
      yield* addComment(blocked.id, "other", "blocked words")
      const { text } = yield* send(path)
      for (const words of ["secret", "unlisted words", "blocked words"]) assert.notInclude(text, words)

      const [hidden, internal, locked] = shut
      for (const [uuid, status] of [
        [hidden!.uuid, 401],
        [internal!.uuid, 401],
        [locked!.uuid, 401],
        [blocked.uuid, 401]
      ] as const) {
        assert.strictEqual((yield* send(`${path}?videoId=${uuid}`)).status, status)
      }
      assert.strictEqual((yield* send(`${path}?videoId=${hidden!.id}`)).status, 404)
      assert.strictEqual((yield* send(`${path}?videoId=${unlisted.id}`)).status, 404)
      assert.lengthOf(yield* textsOf(`${path}?videoId=${unlisted.uuid}`), 1)
      assert.lengthOf(yield* textsOf(`${path}?videoId=${hidden!.uuid}`, bearer(owner)), 1)
      assert.strictEqual((yield* send(`${path}?videoId=${hidden!.uuid}`)).status, 401, "nothing of it was kept")
      const password = (value: string) => ({ headers: { "x-peertube-video-password": value } })
      assert.lengthOf(yield* textsOf(`${path}?videoId=${locked!.uuid}`, password("sesame")), 1)
      assert.strictEqual((yield* send(`${path}?videoId=${locked!.uuid}`, password("no"))).status, 403)

      const open = yield* addVideo({ owner: "owner" })
      yield* addComment(open.id, "other", "by somebody blocked")
      const held = yield* addComment(open.id, "other", "held back")
      yield* sql`update video_comment set held_for_review = true where id = ${held}`
      assert.deepStrictEqual(yield* textsOf(`${path}?videoId=${open.uuid}`), ["<p>by somebody blocked</p>"])
      yield* sql`
        insert into account_block (account_id, target_account_id)
        select i.id, t.id from account i join actor n on n.id = i.actor_id and n.type = 'Application', account t
          join app_user u on u.id = t.user_id and u.username = 'other'`
      assert.lengthOf(yield* textsOf(`${path}?videoId=${open.uuid}`), 0)
      assert.notInclude((yield* send(path)).text, "by somebody blocked")
    })
  )
})
