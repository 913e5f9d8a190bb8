import { assert, layer } from "@effect/vitest"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { CommentReplies, CommentThreads, CommentTree, ManagedComments } from "@kinora/domain/wire/Comment"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { type Answer, login, send } from "../../instance/about/Client.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { approve, ask, counted, drop, replies, say, texts, threads, tree } from "./Talk.ts"
import { localComment } from "../../../../storage/test/support/LocalComments.ts"

const isThreads = Schema.decodeUnknownSync(CommentThreads)
const isTree = Schema.decodeUnknownSync(CommentTree)
const isReplies = Schema.decodeUnknownSync(CommentReplies)
const isManaged = Schema.decodeUnknownSync(ManagedComments)

const code = (answer: Answer) => [answer.status, String(answer.json?.type).split("/").pop()]

const policy = Effect.fnUntraced(function* (video: number, value: number) {
  const sql = yield* SqlClient
  yield* sql`update video set comments_policy = ${value} where id = ${video}`
})

const channelIdOf = Effect.fnUntraced(function* (video: number) {
  const sql = yield* SqlClient
  return (yield* sql<{ id: number }>`select channel_id as id from video where id = ${video}`)[0]!.id
})

/** Reads a thread to its end the way a client does that follows `totalChildren`; answers the texts. */
const readWhole = Effect.fnUntraced(function* (video: string, thread: number, query: string) {
  const read: Array<string> = []
  const visit = (node: CommentTree): Effect.Effect<void, never, Effect.Services<ReturnType<typeof replies>>> =>
    Effect.gen(function* () {
      read.push(node.comment.text)
      let children = [...node.children]
      while (children.length < node.totalChildren) {
        const page = isReplies(
          (yield* replies(video, node.comment.id, undefined, `?start=${children.length}&count=5&maxDepth=2`)).json
        )
        assert.strictEqual(page.total, node.totalChildren)
        if (page.data.length === 0) return yield* Effect.die("nothing follows")
        children = [...children, ...page.data]
      }
      for (const child of children) yield* visit(child)
    })
  yield* visit(isTree((yield* tree(video, thread, undefined, query)).json))
  return read
})

layer(peopledNode, { excludeTestServices: true, timeout: 120_000 })("comments", (it) => {
  it.effect("a thread is read to its end by who follows totalChildren", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const thread = yield* say(other, uuid, "first")
      const said = ["first"]
      for (let n = 1; n <= 12; n++) said.push((yield* say(owner, id, `reply ${n}`, thread.id), `reply ${n}`))
      let above = thread.id
      for (let n = 1; n <= 7; n++) {
        const text = `level ${n}`
        above = (yield* say(n % 2 === 0 ? other : owner, id, text, above)).id
        said.push(text)
      }
      for (const query of ["", "?maxDepth=1&repliesPerLevel=1", "?maxDepth=3&repliesPerLevel=2"]) {
        assert.deepStrictEqual([...(yield* readWhole(uuid, thread.id, query))].sort(), [...said].sort(), query)
      }
      const whole = isTree((yield* tree(uuid, thread.id)).json)
      assert.deepStrictEqual([whole.children.length, whole.totalChildren], [10, 13])
      assert.deepStrictEqual(
        whole.children.map((it) => it.comment.text),
        Array.from({ length: 10 }, (_, n) => `reply ${n + 1}`)
      )
      assert.strictEqual(whole.comment.totalReplies, 19)
      assert.strictEqual(whole.comment.totalRepliesFromVideoAuthor, 16)
      const deep = isReplies((yield* replies(uuid, thread.id, undefined, "?start=12&sort=createdAt")).json)
      let [node] = deep.data
      for (let n = 1; n <= 5; n++) {
        assert.strictEqual(node?.comment.text, `level ${n}`)
        assert.strictEqual(node?.totalChildren, 1)
        node = node?.children[0]
      }
      assert.isUndefined(node)
      const newest = isReplies((yield* replies(uuid, thread.id, undefined, "?sort=-createdAt&count=1")).json)
      assert.strictEqual(newest.data[0]?.comment.text, "level 1")

      const list = isThreads((yield* threads(uuid)).json)
      assert.deepStrictEqual([list.total, list.totalNotDeletedComments], [1, 20])
      assert.strictEqual(list.data[0]?.totalReplies, 19)
      assert.strictEqual(list.data[0]?.account?.name, "other")
      assert.strictEqual((yield* counted(uuid)).comments, 20)
      assert.strictEqual((yield* threads(uuid, undefined, "?count=0")).json.data.length, 0)
      assert.strictEqual((yield* tree(uuid, thread.id, undefined, "?maxDepth=9")).status, 400)
      assert.strictEqual((yield* tree(uuid, thread.id, undefined, "?maxDepth=0&repliesPerLevel=x")).status, 400)
    })
  )

  it.effect("an answer tells no more text than fits, and says what it leaves out", () =>
    Effect.gen(function* () {
      const { moderator } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const thread = yield* say(moderator, uuid, "first")
      const sql = yield* SqlClient
      const [author] = yield* sql<{ id: number }>`select account_id as id from video_comment where id = ${thread.id}`
      const text = "\u{1f600}".repeat(10_000)
      const add = (parent: number, count: number) =>
        sql.withTransaction(
          Effect.forEach(Array.from({ length: count }), () =>
            localComment({ videoId: id, accountId: author!.id, inReplyTo: parent, text, trusted: true })
          )
        )
      const [oldest] = yield* add(thread.id, 100)
      yield* add(oldest!, 20)
      const query = "?maxDepth=2&repliesPerLevel=100"
      const told = isTree((yield* tree(uuid, thread.id, undefined, query)).json)
      assert.deepStrictEqual([told.children.length, told.totalChildren], [100, 100])
      const [first] = told.children
      assert.strictEqual(first?.totalChildren, 20)
      assert.isBelow(first?.children.length ?? 20, 20)
      const rest = isReplies((yield* replies(uuid, oldest!, undefined, "?count=100")).json)
      assert.strictEqual(rest.data.length, 20)
    })
  )

  it.effect("threads are listed in every order, page by page", () =>
    Effect.gen(function* () {
      const { other } = yield* People
      const { uuid } = yield* addVideo({ owner: "owner" })
      const a = yield* say(other, uuid, "a")
      const b = yield* say(other, uuid, "b")
      yield* say(other, uuid, "c")
      yield* say(other, uuid, "to a", a.id)
      yield* say(other, uuid, "to a again", a.id)
      yield* say(other, uuid, "to b", b.id)
      assert.deepStrictEqual(texts(yield* threads(uuid)), ["c", "b", "a"])
      assert.deepStrictEqual(texts(yield* threads(uuid, other, "?sort=createdAt&count=2&start=1")), ["b", "c"])
      assert.deepStrictEqual(texts(yield* threads(uuid, undefined, "?sort=-totalReplies")), ["a", "b", "c"])
      assert.deepStrictEqual(texts(yield* threads(uuid, other, "?sort=totalReplies")), ["c", "b", "a"])
      assert.strictEqual((yield* threads(uuid, undefined, "?sort=text")).status, 400)
    })
  )

  it.effect("what cannot be is told apart", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const here = yield* addVideo({ owner: "owner" })
      const there = yield* addVideo({ owner: "owner" })
      const a = yield* say(other, here.uuid, "a")
      const b = yield* say(other, here.uuid, "b", a.id)
      // Who has said something somewhere does not find out by counting which private videos there are.
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      assert.strictEqual((yield* drop(hidden.id, a.id, other)).status, 404)
      const wrong = [400, "comment_not_associated_to_video"]
      assert.deepStrictEqual(
        code(yield* ask("POST", `/videos/${there.id}/comments/${a.id}`, other, { text: "x" })),
        wrong
      )
      assert.deepStrictEqual(code(yield* drop(there.uuid, a.id, other)), wrong)
      assert.deepStrictEqual(code(yield* approve(there.uuid, a.id, moderator)), wrong)
      assert.deepStrictEqual(code(yield* tree(there.uuid, a.id)), wrong)
      assert.deepStrictEqual(code(yield* replies(there.uuid, a.id)), wrong)
      assert.strictEqual((yield* tree(here.uuid, b.id)).status, 400)
      assert.strictEqual((yield* tree(here.uuid, 999_999)).status, 404)
      assert.strictEqual((yield* replies(here.uuid, 999_999)).status, 404)
      assert.strictEqual((yield* ask("POST", `/videos/${here.id}/comments/999999`, other, { text: "x" })).status, 404)
      assert.strictEqual((yield* threads("999999")).status, 404)
      assert.strictEqual((yield* threads("999999", other)).status, 404)
      const path = `/videos/${here.uuid}/comment-threads`
      for (const text of ["", "  \n ", "x".repeat(10_001), "a\u0000b", 5, undefined]) {
        assert.strictEqual((yield* ask("POST", path, other, { text })).status, 400)
      }
      assert.strictEqual((yield* ask("POST", path, other, { text: "\u{1f600}".repeat(10_000) })).status, 200)
      assert.strictEqual((yield* ask("POST", path, undefined, { text: "x" })).status, 401)
      assert.strictEqual((yield* drop(here.uuid, b.id, (yield* People).owner)).status, 204)
      assert.strictEqual((yield* drop(here.uuid, b.id, owner)).status, 409)
    })
  )

  it.effect("a deleted comment keeps its place, and goes when its time is over and nobody answers it", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const { uuid } = yield* addVideo({ owner: "moderator" })
      const a = yield* say(other, uuid, "a")
      const b = yield* say(owner, uuid, "b", a.id)
      const c = yield* say(other, uuid, "c", b.id)
      assert.strictEqual((yield* drop(uuid, a.id, owner)).status, 403)
      assert.strictEqual((yield* drop(uuid, a.id, other)).status, 204)
      assert.strictEqual((yield* drop(uuid, b.id, moderator)).status, 204)
      assert.strictEqual((yield* drop(uuid, b.id, owner)).status, 409)
      assert.strictEqual((yield* ask("POST", `/videos/${uuid}/comments/${b.id}`, owner, { text: "x" })).status, 409)
      const list = isThreads((yield* threads(uuid)).json)
      assert.deepStrictEqual([list.total, list.totalNotDeletedComments], [1, 1])
      const [stone] = list.data
      assert.deepStrictEqual([stone?.isDeleted, stone?.text, stone?.account], [true, "", null])
      assert.isString(stone?.deletedAt)
      assert.strictEqual(stone?.totalReplies, 1)
      const left = isTree((yield* tree(uuid, a.id)).json)
      assert.isTrue(left.children[0]?.comment.isDeleted)
      assert.strictEqual(left.children[0]?.children[0]?.comment.text, "c")
      assert.strictEqual((yield* counted(uuid)).comments, 1)
      const sql = yield* SqlClient
      const kept = sql<{
        id: number
      }>`select id from video_comment where id in ${sql.in([a.id, b.id, c.id])} order by id`
      const sweep = (before: string) => sql`select * from remove_tombstones(${before}::timestamptz, 100)`
      // Its time is over, and somebody answers below.
      yield* sweep("infinity")
      assert.lengthOf(yield* kept, 3)
      assert.strictEqual((yield* drop(uuid, c.id, other)).status, 204)
      const gone = isThreads((yield* threads(uuid)).json)
      assert.deepStrictEqual(
        [gone.total, gone.totalNotDeletedComments, gone.data[0]?.isDeleted, gone.data[0]?.totalReplies],
        [1, 0, true, 0]
      )
      const nobody = isTree((yield* tree(uuid, a.id)).json)
      assert.strictEqual(nobody.totalChildren, 1)
      const last = nobody.children[0]?.children[0]?.comment
      assert.deepStrictEqual([last?.isDeleted, last?.text, last?.account], [true, "", null])
      assert.strictEqual((yield* counted(uuid)).comments, 0)
      // Nobody answers, and its time is not over.
      yield* sql`select * from remove_tombstones(now() - interval '1 day', 100)`
      assert.lengthOf(yield* kept, 3)
      yield* sweep("infinity")
      assert.lengthOf(yield* kept, 0)
      assert.deepStrictEqual((yield* threads(uuid)).json, { total: 0, totalNotDeletedComments: 0, data: [] })
      assert.strictEqual((yield* tree(uuid, a.id)).status, 404)
    })
  )

  it.effect("what waits for review is seen by those it concerns, until it is approved", () =>
    Effect.gen(function* () {
      const { administrator, moderator, other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      yield* policy(id, 3)
      const own = yield* say(owner, uuid, "mine")
      assert.isFalse(own.heldForReview)
      assert.isFalse((yield* say(moderator, uuid, "a moderator's", own.id)).heldForReview)
      const held = yield* say(other, uuid, "held")
      const reply = yield* say(other, uuid, "held reply", own.id)
      assert.isTrue(held.heldForReview && reply.heldForReview)
      assert.strictEqual((yield* counted(uuid)).comments, 2)
      const seen = Effect.fnUntraced(function* (token?: string) {
        const list = isThreads((yield* threads(uuid, token)).json)
        const below = isTree((yield* tree(uuid, own.id, token)).json)
        return [list.total, list.totalNotDeletedComments, list.data.at(-1)?.totalReplies, below.totalChildren]
      })
      assert.deepStrictEqual(yield* seen(), [1, 2, 1, 1])
      for (const token of [other, owner, moderator, administrator])
        assert.deepStrictEqual(yield* seen(token), [2, 4, 2, 2])
      const [third] = (yield* threads(uuid, owner)).json.data
      assert.strictEqual(third.heldForReview, true)
      assert.strictEqual((yield* tree(uuid, held.id)).status, 404)
      assert.strictEqual((yield* tree(uuid, held.id, other)).status, 200)
      assert.strictEqual((yield* approve(uuid, held.id, other)).status, 403)
      const answered = ask("POST", `/videos/${uuid}/comments/${reply.id}`, owner, { text: "thanks" })
      assert.strictEqual((yield* answered).status, 409)
      assert.strictEqual((yield* approve(uuid, reply.id, owner)).status, 204)
      assert.strictEqual((yield* approve(uuid, reply.id, owner)).status, 400)
      assert.strictEqual((yield* answered).status, 200)
      assert.strictEqual((yield* approve(uuid, held.id, moderator)).status, 204)
      assert.deepStrictEqual(yield* seen(), [2, 5, 3, 2])
      assert.strictEqual((yield* counted(uuid)).comments, 5)

      // What was seen stays when it is deleted, with replies that wait or without; what waited was seen by nobody and goes.
      const root = yield* say(owner, uuid, "root")
      const below = yield* say(other, uuid, "below", root.id)
      const never = yield* say(other, uuid, "never", root.id)
      assert.strictEqual((yield* drop(uuid, never.id, other)).status, 204)
      assert.strictEqual((yield* tree(uuid, never.id, other)).status, 404)
      assert.strictEqual((yield* drop(uuid, root.id, owner)).status, 204)
      assert.deepStrictEqual((yield* threads(uuid)).json.total, 3)
      assert.strictEqual((yield* tree(uuid, root.id)).json.totalChildren, 0)
      assert.strictEqual((yield* approve(uuid, below.id, owner)).status, 204)
      assert.strictEqual((yield* tree(uuid, root.id)).json.children[0].comment.text, "below")

      yield* policy(id, 2)
      assert.strictEqual((yield* ask("POST", `/videos/${uuid}/comment-threads`, owner, { text: "x" })).status, 409)
      assert.deepStrictEqual((yield* threads(uuid)).json, { total: 0, totalNotDeletedComments: 0, data: [] })
      assert.strictEqual((yield* tree(uuid, own.id)).status, 404)
      assert.strictEqual((yield* drop(uuid, held.id, other)).status, 204)
    })
  )

  it.effect("whom somebody blocks is not there for them, nor for anybody when the instance does", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const { uuid } = yield* addVideo({ owner: "moderator" })
      const a = yield* say(owner, uuid, "a")
      const b = yield* say(other, uuid, "b")
      const c = yield* say(other, uuid, "c", a.id)
      yield* say(owner, uuid, "d", c.id)
      const sql = yield* SqlClient
      const block = (name: string) => sql`
        insert into account_block (account_id, target_account_id)
        select b.id, t.id from account b join actor ba on ba.id = b.actor_id, account t join actor ta on ta.id = t.actor_id
        where ba.preferred_username = ${name} and ta.preferred_username = 'other'`
      yield* block("owner")
      const list = isThreads((yield* threads(uuid, owner)).json)
      assert.deepStrictEqual([list.total, list.totalNotDeletedComments, list.data[0]?.totalReplies], [1, 2, 1])
      assert.deepStrictEqual(isTree((yield* tree(uuid, a.id, owner)).json).children, [])
      assert.strictEqual((yield* tree(uuid, a.id, owner)).json.totalChildren, 0)
      assert.strictEqual((yield* replies(uuid, c.id, owner)).status, 404)
      assert.strictEqual((yield* ask("POST", `/videos/${uuid}/comments/${c.id}`, owner, { text: "x" })).status, 404)
      assert.strictEqual((yield* threads(uuid)).json.total, 2)
      yield* block("peertube")
      assert.strictEqual((yield* threads(uuid)).json.total, 1)
      assert.strictEqual((yield* threads(uuid, other)).json.total, 1)
      const { administrator } = yield* People
      const about = `/videos/comments?searchAccount=other&searchVideo=${encodeURIComponent("Video of moder")}`
      assert.strictEqual((yield* ask("GET", about, administrator)).json.total, 0)
      assert.strictEqual((yield* ask("GET", `${about}&includeMuted=true`, administrator)).json.total, 2)
      // What is hidden is still there for others: who may delete it does.
      assert.strictEqual((yield* drop(uuid, b.id, moderator)).status, 204)
      assert.strictEqual((yield* drop(uuid, c.id, other)).status, 204)
      yield* sql`delete from account_block`
    })
  )

  it.effect("owners and moderators list what was said, narrowed down as they like", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      yield* policy(id, 3)
      const quoted = yield* say(other, uuid, "100% d\u00e9j\u00e0_vu")
      yield* policy(id, 1)
      const plain = yield* say(other, uuid, "something else")
      const gone = yield* say(other, uuid, "gone")
      yield* say(owner, uuid, "a reply", gone.id)
      yield* drop(uuid, gone.id, other)
      const sql = yield* SqlClient
      yield* sql`insert into comment_automatic_tag
        select ${plain.id}, a.id, 'Spam' from account a join actor n on n.id = a.actor_id
        where n.preferred_username in ('owner', 'peertube')`
      const mine = (query: string, token = owner) =>
        Effect.map(ask("GET", `/users/me/videos/comments?videoId=${id}&${query}`, token), (answer) => {
          isManaged(answer.json)
          return texts(answer)
        })
      assert.deepStrictEqual(yield* mine(""), ["a reply", "something else", "100% d\u00e9j\u00e0_vu"])
      assert.deepStrictEqual(yield* mine("sort=createdAt&start=1&count=1"), ["something else"])
      assert.deepStrictEqual(yield* mine("isHeldForReview=true"), ["100% d\u00e9j\u00e0_vu"])
      assert.deepStrictEqual(yield* mine("search=DEJA_VU"), ["100% d\u00e9j\u00e0_vu"])
      assert.deepStrictEqual(yield* mine("search=0%25"), ["100% d\u00e9j\u00e0_vu"])
      assert.deepStrictEqual(yield* mine("search=e_s"), [])
      assert.deepStrictEqual(yield* mine("searchAccount=owner"), ["a reply"])
      assert.deepStrictEqual(yield* mine("searchVideo=nothing"), [])
      assert.deepStrictEqual(yield* mine("autoTagOneOf=spam&autoTagOneOf=x"), ["something else"])
      assert.strictEqual((yield* ask("GET", `/users/me/videos/comments?videoId=${id}`, other)).status, 403)
      const all = yield* ask("GET", `/videos/comments?videoId=${id}&autoTagOneOf=SPAM&isLocal=true`, moderator)
      assert.deepStrictEqual(isManaged(all.json).data[0]?.automaticTags, ["Spam"])
      assert.strictEqual(all.json.data[0].video.uuid, uuid)
      assert.strictEqual((yield* ask("GET", `/videos/comments?videoId=${id}&isLocal=false`, moderator)).json.total, 0)
      assert.strictEqual((yield* ask("GET", `/videos/comments?onLocalVideo=false`, moderator)).json.total, 0)
      assert.strictEqual((yield* ask("GET", `/videos/comments`, owner)).status, 403)
      assert.strictEqual((yield* approve(uuid, quoted.id, owner)).status, 204)
    })
  )

  it.effect("all comments of an account are removed where one may", () =>
    Effect.gen(function* () {
      const { administrator, other, owner } = yield* People
      const { uuid } = yield* addVideo({ owner: "owner" })
      const elsewhere = yield* addVideo({ owner: "moderator" })
      const a = yield* say(other, uuid, "a")
      yield* say(owner, uuid, "kept", a.id)
      yield* say(other, elsewhere.uuid, "b")
      const bulk = (token: string, scope: string, accountName = "other") =>
        ask("POST", "/bulk/remove-comments-of", token, { accountName, scope })
      assert.strictEqual((yield* bulk(owner, "instance")).status, 403)
      assert.strictEqual((yield* bulk(owner, "everywhere")).status, 400)
      assert.strictEqual((yield* bulk(owner, "my-videos", "nobody")).status, 404)
      assert.strictEqual((yield* bulk(owner, "my-videos")).status, 204)
      assert.strictEqual((yield* counted(uuid)).comments, 1)
      assert.strictEqual((yield* counted(elsewhere.uuid)).comments, 1)
      assert.strictEqual((yield* bulk(administrator, "instance")).status, 204)
      assert.strictEqual((yield* counted(elsewhere.uuid)).comments, 0)
      const sql = yield* SqlClient
      const left = sql`select 1 from video_comment c join account a on a.id = c.account_id join actor n on n.id = a.actor_id
        where n.preferred_username = 'other'`
      assert.deepStrictEqual(yield* left, [])
    })
  )

  it.effect("who works on the channel looks after comments; a password opens those of a video", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["open sesame"] })
      const sql = yield* SqlClient
      const path = `/api/v1/videos/${uuid}/comment-threads`
      const asked = (password: string, token?: string, text?: string) =>
        send(path, {
          method: text === undefined ? "GET" : "POST",
          headers: {
            "x-peertube-video-password": password,
            "content-type": "application/json",
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
          },
          ...(text === undefined ? {} : { body: JSON.stringify({ text }) })
        })
      assert.strictEqual((yield* asked("wrong")).status, 403)
      assert.strictEqual((yield* asked("wrong", other, "x")).status, 403)
      const written = yield* asked("open sesame", other, "one of those who know")
      assert.strictEqual(written.status, 200)
      assert.deepStrictEqual(texts(yield* asked("open sesame")), ["one of those who know"])
      yield* policy(id, 3)
      const held = (yield* asked("open sesame", other, "held")).json.comment
      yield* sql`update video set privacy = 1 where id = ${id}`
      const { moderator } = yield* People
      assert.strictEqual((yield* threads(uuid)).json.total, 1)
      yield* (yield* Users).create({
        username: "helper",
        email: "helper@example.com",
        password: "password1",
        role: 2
      })
      yield* sql`
        insert into video_channel_collaborator (channel_id, account_id, state)
        select v.channel_id, a.id, 2 from video v, account a join app_user u on u.id = a.user_id
        where v.id = ${id} and u.username = 'helper'`
      const helper = (yield* login("helper", "password1")).access_token
      assert.strictEqual((yield* threads(uuid, helper)).json.total, 2)
      assert.strictEqual((yield* approve(uuid, held.id, helper)).status, 204)
      assert.strictEqual((yield* drop(uuid, held.id, helper)).status, 204)
      const mine = (query: string) => ask("GET", `/users/me/videos/comments?videoId=${id}${query}`, helper)
      assert.strictEqual((yield* mine("")).json.total, 0)
      assert.strictEqual((yield* mine("&includeCollaborations=true")).json.total, 1)
      for (const name of [uuid, toShortUuid(uuid)]) {
        const narrowed = `comments?includeCollaborations=true&videoId=${name}`
        assert.strictEqual((yield* ask("GET", `/users/me/videos/${narrowed}`, helper)).json.total, 1)
        assert.strictEqual((yield* ask("GET", `/videos/comments?videoId=${name}`, moderator)).json.total, 1)
      }
      const elsewhere = yield* addVideo({ owner: "other" })
      for (const [narrowed, everybodys, own] of [
        ["videoId=999999", 404, 404],
        [`videoId=${randomUUID()}`, 404, 404],
        ["videoChannelId=999999", 404, 404],
        [`videoId=${elsewhere.id}`, 200, 403],
        [`videoChannelId=${yield* channelIdOf(elsewhere.id)}`, 200, 403],
        [`videoChannelId=${yield* channelIdOf(id)}`, 200, 200],
        ["videoId=x", 400, 400]
      ] as const) {
        assert.strictEqual((yield* ask("GET", `/videos/comments?${narrowed}`, moderator)).status, everybodys, narrowed)
        assert.strictEqual((yield* ask("GET", `/users/me/videos/comments?${narrowed}`, helper)).status, own, narrowed)
      }
      const bulk = (scope: string) => ask("POST", "/bulk/remove-comments-of", helper, { accountName: "other", scope })
      assert.strictEqual((yield* bulk("my-videos")).status, 204)
      assert.strictEqual((yield* counted(uuid)).comments, 1)
      assert.strictEqual((yield* bulk("my-videos-and-collaborations")).status, 204)
      assert.strictEqual((yield* counted(uuid)).comments, 0)

      // Who wrote something takes it back, whatever has become of the video since.
      yield* policy(id, 1)
      const late = yield* say(other, uuid, "mine to take back")
      yield* sql`update video set privacy = 3 where id = ${id}`
      assert.strictEqual((yield* drop(uuid, late.id, moderator)).status, 204)
      yield* sql`update video set privacy = 1 where id = ${id}`
      const again = yield* say(other, uuid, "mine to take back")
      yield* sql`update video set privacy = 3 where id = ${id}`
      assert.strictEqual((yield* threads(uuid, other)).status, 403)
      assert.strictEqual((yield* drop(uuid, again.id, other)).status, 204)
      assert.strictEqual((yield* threads(uuid, owner)).json.totalNotDeletedComments, 0)
    })
  )
})
