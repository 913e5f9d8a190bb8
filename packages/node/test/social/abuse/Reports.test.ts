import { assert, layer } from "@effect/vitest"
import { AdminAbuses, UserAbuses } from "@kinora/domain/wire/Abuse"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/people/user/Users.ts"
import { login, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, drop, say } from "../comment/Talk.ts"
import { abuses, accountOf, idsOf, myAbuses, noReports, report } from "./AbuseClient.ts"

const areAdmins = Schema.decodeUnknownSync(AdminAbuses)
const areMine = Schema.decodeUnknownSync(UserAbuses)

layer(peopledNode, { excludeTestServices: true, timeout: 120_000 })("reports", (it) => {
  it.effect("of a video, a comment and an account are shown to moderators, and to who made them", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const video = yield* addVideo({ owner: "owner" })
      const said = yield* say(owner, video.uuid, "Rude words")
      const accountId = yield* accountOf("owner")
      const ofVideo = yield* report(other, {
        predefinedReasons: ["violentOrAbusive", "captions", "violentOrRepulsive"],
        video: { id: video.uuid, startAt: 2, endAt: 5 }
      })
      const ofComment = yield* report(other, { reason: "Look at this", comment: { id: said.id } })
      const ofAccount = yield* report(owner, { account: { id: accountId } })

      const list = yield* abuses(moderator)
      areAdmins(list)
      assert.deepStrictEqual(idsOf(list), [ofAccount, ofComment, ofVideo])
      assert.strictEqual(list.total, 3)
      const [account, comment, first] = list.data
      const { channel, thumbnails, ...rest } = first.video
      assert.deepStrictEqual(rest, {
        ...{ id: video.id, uuid: video.uuid, shortUUID: toShortUuid(video.uuid), name: "Video of owner", nsfw: false },
        ...{ deleted: false, blacklisted: false, startAt: 2, endAt: 5, countReports: 1, nthReport: 1 },
        thumbnailPath: `/lazy-static/thumbnails/${video.token}.jpg`
      })
      assert.deepStrictEqual([channel.name, channel.ownerAccount.name], ["owner_channel", "owner"])
      assert.strictEqual(thumbnails.length, 2)
      assert.deepStrictEqual(first.predefinedReasons, ["violentOrRepulsive", "captions"])
      assert.deepStrictEqual(first.state, { id: 1, label: "Pending" })
      assert.deepStrictEqual(
        [first.reporterAccount.name, first.flaggedAccount.name, first.reason, first.countMessages],
        ["other", "owner", "Not nice", 0]
      )
      assert.deepStrictEqual([first.countReportsForReporter, first.countReportsForReportee], [2, 3])
      assert.deepStrictEqual(comment.comment, {
        ...{ id: said.id, threadId: said.threadId, text: "Rude words", deleted: false },
        video: { id: video.id, name: "Video of owner", uuid: video.uuid }
      })
      assert.deepStrictEqual(
        [comment.reason, comment.video, comment.flaggedAccount.name],
        ["Look at this", undefined, "owner"]
      )
      assert.deepStrictEqual(
        [account.video, account.comment, account.flaggedAccount.id],
        [undefined, undefined, accountId]
      )

      // Its reporter sees what they said, and nothing of what moderators know.
      const mine = yield* myAbuses(other)
      areMine(mine)
      assert.deepStrictEqual([mine.total, idsOf(mine)], [2, [ofComment, ofVideo]])
      const [, own] = mine.data
      assert.deepStrictEqual(Object.keys(own).toSorted(), [
        ...["countMessages", "createdAt", "flaggedAccount", "id", "predefinedReasons", "reason", "state", "updatedAt"],
        "video"
      ])
      assert.deepStrictEqual(own.video, first.video)
      assert.deepStrictEqual(idsOf(yield* myAbuses(owner)), [ofAccount])
      assert.deepStrictEqual(idsOf(yield* myAbuses(moderator)), [])
      // Whoever was reported learns nothing of it.
      assert.notInclude(JSON.stringify(yield* myAbuses(owner)), "other")
      yield* noReports
    })
  )

  it.effect("count how often a thing was reported; reporters are shown only their own", () =>
    Effect.gen(function* () {
      const { administrator, moderator, other, owner } = yield* People
      const { uuid } = yield* addVideo({ owner: "owner" })
      for (const token of [other, moderator, other, owner]) yield* report(token, { video: { id: uuid } })
      yield* report(other, { video: { id: (yield* addVideo({ owner: "owner" })).uuid } })
      const counts = ({ data }: { readonly data: ReadonlyArray<{ readonly video: Record<string, unknown> }> }) =>
        data.map(({ video }) => [video["nthReport"], video["countReports"]])
      assert.deepStrictEqual(counts(yield* abuses(administrator, "?sort=id")), [
        [1, 4],
        [2, 4],
        [3, 4],
        [4, 4],
        [1, 1]
      ])
      assert.deepStrictEqual(counts(yield* myAbuses(other, "?sort=id")), [
        [1, 2],
        [2, 2],
        [1, 1]
      ])
      const { data } = yield* abuses(administrator, "?sort=id&count=1")
      assert.deepStrictEqual([data[0].countReportsForReporter, data[0].countReportsForReportee], [3, 5])

      const [{ id }] = (yield* ask("GET", "/users?search=owner", administrator)).json.data
      const user = (yield* ask("GET", `/users/${id}?withStats=true`, administrator)).json
      yield* ask("PUT", `/abuses/${data[0].id}`, administrator, { state: 3 })
      const after = (yield* ask("GET", `/users/${id}?withStats=true`, administrator)).json
      assert.deepStrictEqual([user.abusesCount, user.abusesAcceptedCount, user.abusesCreatedCount], [5, 0, 1])
      assert.deepStrictEqual([after.abusesCount, after.abusesAcceptedCount], [5, 1])
      yield* noReports
    })
  )

  it.effect("stay when what they are about is gone, or who made them", () =>
    Effect.gen(function* () {
      const { administrator, owner } = yield* People
      const users = yield* Users
      const { userId } = yield* users.create({
        ...{ username: "leaver", email: "leaver@example.com", password: "password1", role: 2 }
      })
      const leaver = (yield* login("leaver", "password1")).access_token
      const video = yield* addVideo({ owner: "owner" })
      const said = yield* say(owner, video.uuid, "Words to be deleted")
      const ofVideo = yield* report(leaver, { video: { id: video.id } })
      const ofComment = yield* report(leaver, { comment: { id: said.id } })
      const ofAccount = yield* report(owner, { account: { id: yield* accountOf("leaver") } })
      yield* ask("POST", `/abuses/${ofVideo}/messages`, leaver, { message: "Please hurry" })

      assert.strictEqual((yield* drop(video.uuid, said.id, owner)).status, 204)
      const [deleted] = (yield* abuses(administrator, `?id=${ofComment}`)).data
      assert.deepInclude(deleted.comment, { id: said.id, text: "Words to be deleted", deleted: true })
      assert.strictEqual((yield* ask("DELETE", `/videos/${video.uuid}`, owner)).status, 204)
      const own = yield* myAbuses(leaver, "?sort=id")
      areMine(own)
      assert.deepInclude(own.data[0].video, { id: video.id, name: "Video of owner", deleted: true, thumbnails: [] })
      assert.deepInclude(own.data[1].comment, { text: "Words to be deleted", deleted: true })

      assert.strictEqual((yield* ask("DELETE", `/users/${userId}`, administrator)).status, 204)
      const list = yield* abuses(administrator, "?sort=id")
      areAdmins(list)
      assert.deepStrictEqual(idsOf(list), [ofVideo, ofComment, ofAccount])
      const [first, second, third] = list.data
      assert.deepInclude(first.video, { uuid: video.uuid, name: "Video of owner", deleted: true, countReports: 1 })
      assert.strictEqual(first.video.channel.name, "owner_channel")
      assert.deepStrictEqual([first.reporterAccount, first.countReportsForReporter], [undefined, undefined])
      assert.deepInclude(second.comment.video, { name: "Video of owner", uuid: video.uuid })
      assert.deepStrictEqual([third.flaggedAccount, third.countReportsForReportee], [undefined, undefined])
      assert.deepStrictEqual(idsOf(yield* abuses(administrator, "?searchReportee=leaver")), [ofAccount])
      const left = (yield* ask("GET", `/abuses/${ofVideo}/messages`, administrator)).json
      assert.deepStrictEqual([left.total, left.data[0].message, left.data[0].account], [1, "Please hurry", null])
      assert.strictEqual(
        (yield* ask("POST", `/abuses/${ofVideo}/messages`, administrator, { message: "Too late" })).status,
        400
      )
      yield* noReports
    })
  )

  it.effect("name what their reporter may know of; row ids open nothing else", () =>
    Effect.gen(function* () {
      const { administrator, other, owner } = yield* People
      const sql = yield* SqlClient
      const status = (body: object, headers: Record<string, string> = {}) =>
        Effect.map(
          send("/api/v1/abuses", {
            method: "POST",
            headers: { authorization: `Bearer ${other}`, "content-type": "application/json", ...headers },
            body: JSON.stringify({ reason: "Not nice", ...body })
          }),
          ({ status }) => status
        )
      const [unlisted, closed, secret, blocked] = [
        yield* addVideo({ owner: "owner", privacy: 2 }),
        yield* addVideo({ owner: "owner", privacy: 3 }),
        yield* addVideo({ owner: "owner", privacy: 5, passwords: ["open sesame"] }),
        yield* addVideo({ owner: "owner", blacklisted: true })
      ]
      const comment = (video: { readonly id: number }, held = false) =>
        Effect.map(
          sql<{ id: number }>`
            insert into video_comment (video_id, account_id, url, text, held_for_review)
            select ${video.id}, a.id, 'http://localhost:9000/c/' || gen_random_uuid(), 'Hidden words', ${held}
            from account a join app_user u on u.id = a.user_id where u.username = 'owner' returning id`,
          ([row]) => ({ id: row!.id })
        )
      const shown = yield* addVideo({ owner: "owner" })
      for (const [body, expected] of [
        [{ video: { id: closed.id } }, 404],
        [{ video: { id: closed.uuid } }, 403],
        [{ video: { id: blocked.id } }, 404],
        [{ video: { id: 2_000_000_000 } }, 404],
        [{ comment: yield* comment(closed) }, 404],
        [{ comment: yield* comment(shown, true) }, 404],
        [{ comment: { id: 2_000_000_000 } }, 404],
        [{ account: { id: 2_000_000_000 } }, 404],
        [{ account: { id: yield* instanceAccount } }, 404]
      ] as const) {
        assert.deepStrictEqual([body, yield* status(body)], [body, expected])
      }
      assert.strictEqual((yield* abuses(administrator)).total, 0)

      // Their clients name videos by row ids: the report is taken, and gives nothing away.
      assert.strictEqual(yield* status({ video: { id: unlisted.id } }), 200)
      assert.strictEqual(yield* status({ video: { id: secret.id } }), 200)
      assert.strictEqual(yield* status({ comment: yield* comment(unlisted) }), 200)
      const mine = yield* myAbuses(other)
      areMine(mine)
      assert.strictEqual(mine.total, 3)
      for (const one of mine.data) {
        assert.deepStrictEqual([one.video, one.comment, one.flaggedAccount], [undefined, undefined, undefined])
      }
      assert.deepStrictEqual(
        (yield* abuses(administrator, "?sort=id")).data.map((it) => it.video?.uuid ?? it.comment.text),
        [unlisted.uuid, secret.uuid, "Hidden words"]
      )
      yield* noReports
      assert.strictEqual(yield* status({ video: { id: unlisted.uuid } }), 200)
      const password = { "x-peertube-video-password": "open sesame" }
      assert.strictEqual(yield* status({ video: { id: secret.id } }, password), 200)
      assert.strictEqual(yield* status({ video: { id: secret.id } }, { "x-peertube-video-password": "no" }), 403)
      const known = (yield* myAbuses(other, "?sort=id")).data
      assert.deepStrictEqual(
        known.map(({ video }) => video.uuid),
        [unlisted.uuid, secret.uuid]
      )

      // What becomes of it later is not for the reporter.
      yield* ask("PUT", `/videos/${unlisted.uuid}`, owner, { name: "My secret plans", privacy: 3 })
      const [first] = (yield* myAbuses(other, "?sort=id")).data
      assert.deepStrictEqual([first.video.name, first.video.thumbnails], ["Video of owner", []])
      assert.strictEqual((yield* abuses(administrator, "?sort=id")).data[0].video.name, "My secret plans")
      yield* noReports
    })
  )

  it.effect("are refused when they say nothing, too much, or nonsense", () =>
    Effect.gen(function* () {
      const { administrator, other } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const video = { id: uuid }
      const failing = Effect.fnUntraced(function* (body: object) {
        const answer = yield* ask("POST", "/abuses", other, body)
        assert.strictEqual(answer.status, 400, answer.text)
        return Object.keys(answer.json["invalid-params"])
      })
      const reason = "Not nice"
      for (const [body, ...fields] of [
        [{ video }, "reason"],
        [{ reason: "x", video }, "reason"],
        [{ reason: "   ", video }, "reason"],
        [{ reason: "x".repeat(3001), video }, "reason"],
        [{ reason: ["a", "b"], video }, "reason"],
        [{ reason: "a\u0000b", video }, "reason"],
        [{ reason }, "video"],
        [{ reason, video, account: { id: 1 } }, "video"],
        [{ reason, video: 3 }, "video"],
        [{ reason, video: {} }, "video.id"],
        [{ reason, video: { id: "x' or 1=1" } }, "video.id"],
        [{ reason, video: { id: { $gt: 0 } } }, "video.id"],
        [{ reason, video: { ...video, startAt: -1, endAt: 1.5 } }, "video.startAt", "video.endAt"],
        [{ reason, video: { ...video, startAt: 5, endAt: 5 } }, "video.endAt"],
        [{ reason, video: { ...video, startAt: 2 ** 53 } }, "video.startAt"],
        [{ reason, comment: { id: 0 } }, "comment.id"],
        [{ reason, comment: { id: 2 ** 31 } }, "comment.id"],
        [{ reason, account: { id: "me" } }, "account.id"],
        [{ reason, video, predefinedReasons: ["nonsense"] }, "predefinedReasons"],
        [{ reason, video, predefinedReasons: ["constructor"] }, "predefinedReasons"],
        [{ reason, video, predefinedReasons: Array.from({ length: 9 }, () => "privacy") }, "predefinedReasons"]
      ] as const) {
        assert.deepStrictEqual(yield* failing(body), fields, JSON.stringify(body))
      }
      assert.strictEqual((yield* ask("POST", "/abuses", undefined, { reason, video })).status, 401)
      assert.strictEqual((yield* abuses(administrator)).total, 0)

      // A form is taken as well, unknown fields are passed by, null names no time.
      const form = new URLSearchParams({ reason, "video[id]": String(id), "video[startAt]": "3" })
      form.append("predefinedReasons[]", "privacy")
      const headers = { authorization: `Bearer ${other}` }
      const sent = yield* send("/api/v1/abuses", { method: "POST", headers, body: form })
      assert.strictEqual(sent.status, 200, sent.text)
      yield* report(other, { video: { ...video, startAt: null, endAt: null, more: 1 }, __proto__: { x: 1 }, more: 1 })
      const { data } = yield* abuses(administrator, "?sort=id")
      assert.deepStrictEqual(
        data.map((it) => [it.video.startAt, it.video.endAt, it.predefinedReasons]),
        [
          [3, null, ["privacy"]],
          [null, null, []]
        ]
      )
      yield* noReports
    })
  )
})

const instanceAccount = Effect.flatMap(
  SqlClient,
  (sql) =>
    sql<{ id: number }>`select o.id from account o join actor a on a.id = o.actor_id where a.type = 'Application'`
).pipe(
  Effect.map(([row]) => row!.id),
  Effect.orDie
)
