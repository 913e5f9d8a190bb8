import { assert, layer } from "@effect/vitest"
import { NotificationUpkeep } from "@kinora/storage/social/notification/NotificationUpkeep"
import { recordEvent } from "@kinora/storage/social/notification/NotificationEvents"
import { ScheduledUpdates } from "@kinora/storage/video/write/ScheduledUpdates"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../../instance/about/Client.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { allNotified, as, comment, list, notifications, notifiedNode, typesOf } from "./NotifiedNode.ts"
import { approveComment } from "../../../../storage/test/support/LocalComments.ts"
import { ReceivedReports } from "@kinora/storage/social/abuse/ReceivedReports"

const subscriptions = "/api/v1/users/me/subscriptions"

layer(notifiedNode(), { excludeTestServices: true, timeout: 60_000 })("Notifications", (it) => {
  it.effect("reach followers of a video once, whenever it first comes to be seen", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* as("other", "POST", subscriptions, { uri: "owner_channel" })
      assert.deepStrictEqual(yield* typesOf("owner"), [10])
      yield* as("owner", "POST", subscriptions, { uri: "owner_channel" })
      const video = yield* addVideo({ owner: "owner" })
      yield* allNotified
      const { data, total } = yield* list("other")
      assert.strictEqual(total, 1)
      const [{ createdAt, id, updatedAt, video: told, ...rest }] = data
      assert.deepStrictEqual(rest, { type: 1, read: false, data: {} })
      assert.isAbove(id, 0)
      assert.strictEqual(createdAt, updatedAt)
      assert.deepStrictEqual(
        [told.id, told.uuid, told.name, told.channel.name, told.channel.host, told.channel.avatars, told.state.id],
        [video.id, video.uuid, "Video of owner", "owner_channel", "localhost:9000", [], 1]
      )

      // Hidden and shown again, it is no news; while it is hidden the list does not tell its name.
      yield* sql`update video set privacy = 3 where id = ${video.id}`
      assert.strictEqual((yield* list("other")).total, 0)
      yield* sql`update video set privacy = 1 where id = ${video.id}`
      yield* sql`
        insert into account_block (account_id, target_account_id) select a.id, v.account_id
        from account a join app_user u on u.id = a.user_id, video v where u.username = 'other' and v.id = ${video.id}`
      assert.strictEqual((yield* list("other")).total, 0)
      yield* sql`delete from account_block`
      assert.deepStrictEqual(yield* typesOf("other"), [1])
      // Who made it is told nothing by following themselves.
      assert.deepStrictEqual(yield* typesOf("owner"), [])

      const later = yield* addVideo({ owner: "owner", state: 2, privacy: 3 })
      yield* sql`update video set state = 1, wait_transcoding = true where id = ${later.id}`
      assert.deepStrictEqual(yield* typesOf("other"), [])
      yield* sql`update video set privacy = 4 where id = ${later.id}`
      assert.deepStrictEqual(yield* typesOf("other"), [1])
      const unlisted = yield* addVideo({ owner: "owner", privacy: 2 })
      yield* sql`delete from video where id = ${unlisted.id}`
      assert.deepStrictEqual(yield* typesOf("other"), [])
      yield* sql`delete from video where id in (${video.id}, ${later.id})`
    })
  )

  it.effect("reach owners of what they waited for, and of what moderators do", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner", state: 2 })
      yield* sql`update video set wait_transcoding = true where id = ${video.id}`
      yield* sql`update video set state = 1 where id = ${video.id}`
      assert.deepStrictEqual(yield* typesOf("owner"), [6])

      const planned = yield* addVideo({ owner: "owner", privacy: 3 })
      yield* sql`insert into video_schedule_update (video_id, update_at, privacy) values (${planned.id}, now(), 1)`
      yield* sql`update video set privacy = 1 where id = ${planned.id}`
      yield* Effect.provide(
        Effect.flatMap(ScheduledUpdates, (it) => it.done(planned.id)),
        ScheduledUpdates.layer
      )
      assert.deepStrictEqual(yield* typesOf("owner"), [6])
      yield* typesOf("other")

      yield* sql`insert into video_blacklist (video_id, reason) values (${video.id}, 'spam')`
      yield* allNotified
      const told = (yield* list("owner")).data[0]
      assert.deepStrictEqual([told.type, told.videoBlacklist.video.id, told.video], [4, video.id, undefined])
      yield* sql`delete from video_blacklist where video_id = ${video.id}`
      // The block is gone, and with it what was told of it.
      assert.deepStrictEqual(yield* typesOf("owner"), [5])
      yield* sql`insert into video_blacklist (video_id, type) values (${video.id}, 2)`
      assert.deepStrictEqual(yield* typesOf("owner"), [])
      assert.deepStrictEqual(yield* typesOf("moderator"), [12])
      assert.deepStrictEqual(yield* typesOf("administrator"), [12])
      yield* sql`delete from video where id in (${video.id}, ${planned.id})`

      const imports = yield* sql<{ id: number }>`
        insert into video_import (user_id, target_url) select id, 'https://far.example/film' from app_user, generate_series(1, 2)
        where username = 'owner' returning id`
      yield* sql`update video_import set state = 2 where id = ${imports[0]!.id}`
      yield* sql`update video_import set state = 3 where id = ${imports[1]!.id}`
      yield* allNotified
      const { data } = yield* list("owner")
      assert.deepStrictEqual(
        data.map((it) => it.videoImport),
        [...imports]
          .reverse()
          .map(({ id }) => ({ id, torrentName: null, magnetUri: null, targetUrl: "https://far.example/film" }))
      )
      assert.deepStrictEqual(yield* typesOf("owner"), [7, 8])
    })
  )

  it.effect("are made of comments and mentions, each once, and not of what is held but to the owner", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner" })
      yield* typesOf("other")
      const first = yield* comment(
        "other",
        video.id,
        "Hello @owner, @moderator. And @other and @nobody and a@root.example"
      )
      yield* allNotified
      const [told] = (yield* list("owner")).data
      assert.deepStrictEqual(
        [told.type, told.comment.id, told.comment.threadId, told.comment.heldForReview, told.comment.video.id],
        [2, first, first, false, video.id]
      )
      assert.strictEqual(told.comment.account.name, "other")
      assert.deepStrictEqual(yield* typesOf("moderator"), [11])
      assert.deepStrictEqual(yield* typesOf("other"), [])
      assert.deepStrictEqual(yield* typesOf("administrator"), [])

      yield* sql`update video set comments_policy = 3 where id = ${video.id}`
      const held = yield* comment("other", video.id, "@moderator@localhost:9000, look", false)
      yield* allNotified
      assert.isTrue((yield* list("owner")).data[0].comment.heldForReview)
      assert.deepStrictEqual(yield* typesOf("moderator"), [])
      yield* approveComment(held)
      yield* recordEvent(sql, { _tag: "NewComment", commentId: held })
      assert.deepStrictEqual(yield* typesOf("moderator"), [11])
      assert.deepStrictEqual(yield* typesOf("owner"), [2, 2])

      // While somebody may not see the video any more, the list does not tell its name.
      yield* sql`update video set comments_policy = 1 where id = ${video.id}`
      yield* comment("owner", video.id, "look, @other")
      yield* allNotified
      assert.strictEqual((yield* list("other")).total, 1)
      yield* sql`update video set privacy = 3 where id = ${video.id}`
      assert.strictEqual((yield* list("other")).total, 0)
      yield* sql`update video set privacy = 1 where id = ${video.id}`
      assert.deepStrictEqual(yield* typesOf("other"), [11])

      // Under a video somebody may not see, they are not told its name.
      yield* sql`update video set privacy = 3, comments_policy = 1 where id = ${video.id}`
      yield* comment("owner", video.id, "a secret, @other and @moderator")
      assert.deepStrictEqual(yield* typesOf("other"), [])
      assert.deepStrictEqual(yield* typesOf("moderator"), [11])

      const gone = yield* comment("other", video.id, "gone soon")
      yield* comment("other", video.id, "gone too")
      yield* allNotified
      assert.strictEqual((yield* list("owner")).total, 2)
      yield* sql`select remove_comments(array[${gone}::integer])`
      assert.strictEqual((yield* list("owner")).total, 1)
      yield* typesOf("owner")
      yield* sql`delete from video where id = ${video.id}`
    }).pipe(Effect.orDie)
  )

  it.effect("are made of collaborations and of changes of owner", () =>
    Effect.gen(function* () {
      const channel = "/api/v1/video-channels/owner_channel"
      const { collaborator } = (yield* as("owner", "POST", `${channel}/collaborators/invite`, {
        accountHandle: "other"
      })).json
      yield* allNotified
      const [told] = (yield* list("other")).data
      assert.deepStrictEqual(
        [told.type, told.videoChannelCollaborator.id, told.videoChannelCollaborator.state.id],
        [23, collaborator.id, 1]
      )
      assert.strictEqual(told.videoChannelCollaborator.channelOwner.name, "owner")
      yield* as("other", "POST", `${channel}/collaborators/${collaborator.id}/reject`)
      assert.deepStrictEqual(yield* typesOf("owner"), [25])
      yield* as("owner", "POST", `${channel}/collaborators/invite`, { accountHandle: "other" })
      yield* as("other", "POST", `${channel}/collaborators/${collaborator.id}/accept`)
      assert.deepStrictEqual(yield* typesOf("owner"), [24])
      yield* typesOf("other")

      const video = yield* addVideo({ owner: "owner" })
      yield* typesOf("other")
      const asked = yield* as("owner", "POST", `/api/v1/videos/${video.id}/give-ownership`, { username: "other" })
      assert.strictEqual(asked.status, 204, asked.text)
      yield* allNotified
      const [change] = (yield* list("other")).data
      assert.deepStrictEqual(
        [change.type, change.changeOwnership.video.id, change.changeOwnership.channel, change.video],
        [26, video.id, undefined, undefined]
      )
      yield* as("other", "POST", `/api/v1/videos/ownership/${change.changeOwnership.id}/refuse`)
      assert.deepStrictEqual(yield* typesOf("owner"), [28])
      assert.deepStrictEqual(yield* typesOf("other"), [26])
    })
  )

  it.effect("reach moderators when users are new", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into user_registration (username, email, password_hash, registration_reason)
        values ('wisher', 'wisher@example.com', 'x', 'because')`
      yield* sql`insert into notification_event (tag, subject) select 'Registration', id from user_registration`
      yield* sql`insert into notification_event (tag, subject) select 'UserRegistered', id from app_user where username = 'other'`
      yield* allNotified
      const { data } = yield* list("moderator", "?sort=createdAt")
      assert.deepStrictEqual(
        data.map(({ account, registration, type }) => [type, registration?.username, account?.name]),
        [
          [20, "wisher", undefined],
          [9, undefined, "other"]
        ]
      )
      yield* sql`delete from user_registration`
      assert.deepStrictEqual(yield* typesOf("moderator"), [9])

      // Reports: of a video, a comment and an account; what is gone by then is only a report.
      const video = yield* addVideo({ owner: "owner" })
      const said = yield* comment("other", video.id, "rude")
      yield* allNotified
      const urls = yield* sql<{ url: string }>`
        select url from video where id = ${video.id} union all select url from video_comment where id = ${said}
        union all select a.url from actor a where a.preferred_username = 'owner_channel'`
      const [reporter] = yield* sql<{ id: number }>`
        select a.id from account a join app_user u on u.id = a.user_id where u.username = 'other'`
      const received = yield* Effect.provide(ReceivedReports, ReceivedReports.layer)
      yield* Effect.forEach(urls, ({ url }, nth) =>
        received.add({
          ...{ reporterId: reporter!.id, url: `https://far.example/${nth}`, targets: [url], reason: "because" },
          ...{ reasons: [3], startAt: null, endAt: null }
        })
      )
      yield* allNotified
      const reports = yield* list("moderator", "?sort=createdAt")
      assert.deepStrictEqual(
        reports.data.map(({ abuse, type }) => [
          ...[type, abuse.state, abuse.video?.uuid, abuse.comment?.threadId, abuse.account?.name]
        ]),
        [
          [3, 1, video.uuid, undefined, undefined],
          [3, 1, undefined, said, undefined],
          [3, 1, undefined, undefined, "owner"]
        ]
      )
      assert.deepStrictEqual(
        (yield* list("other")).data.filter(({ type }) => type === 3),
        []
      )
      yield* sql`delete from video where id = ${video.id}`
      assert.deepStrictEqual(
        (yield* list("moderator", "?sort=createdAt")).data.map(({ abuse }) => Object.keys(abuse).length),
        [2, 2, 3]
      )
      assert.deepStrictEqual(yield* typesOf("moderator"), [3, 3, 3])
      assert.deepStrictEqual(yield* typesOf("owner"), [])
    })
  )

  it.effect("are listed, filtered, sorted and read", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner" })
      for (const text of ["one", "two", "three"]) yield* comment("other", video.id, text)
      yield* as("other", "POST", subscriptions, { uri: "owner_channel" })
      yield* allNotified
      const all = yield* list("owner")
      assert.deepStrictEqual([all.total, all.data.length], [3, 3])
      const [newest, ...older] = all.data.map(({ id }) => id as number)
      const read = yield* as("owner", "POST", `${notifications}/read`, { ids: [newest, 2_000_000_000] })
      assert.strictEqual(read.status, 204)
      const unread = yield* list("owner", "?unread=true")
      assert.deepStrictEqual([unread.total, unread.data.map(({ id }) => id)], [2, older])
      assert.strictEqual((yield* list("owner", "?unread=false")).total, 1)
      assert.strictEqual((yield* list("owner", "?sort=read")).data[2].id, newest)
      assert.strictEqual((yield* list("owner", "?sort=-read&count=1")).data[0].id, newest)
      assert.strictEqual((yield* list("owner", "?typeOneOf=1&typeOneOf[]=10")).total, 0)
      assert.deepStrictEqual(yield* list("owner", "?typeOneOf=2&count=0"), { total: 3, data: [] })
      assert.strictEqual((yield* as("other", "POST", `${notifications}/read`, { ids: older })).status, 204)
      assert.strictEqual((yield* list("owner", "?unread=true")).total, 2)
      assert.strictEqual((yield* as("owner", "POST", `${notifications}/read-all`)).status, 204)
      assert.strictEqual((yield* list("owner", "?unread=true")).total, 0)

      for (const query of ["?sort=type", "?typeOneOf=99", "?unread=perhaps", "?count=101"]) {
        assert.strictEqual((yield* as("owner", "GET", notifications + query)).status, 400, query)
      }
      for (const body of [{}, { ids: "all" }, { ids: [-1] }]) {
        assert.strictEqual((yield* as("owner", "POST", `${notifications}/read`, body)).status, 400)
      }
      assert.strictEqual((yield* send(notifications)).status, 401)

      // Blocking mutes what was told as well as what would be.
      const sql = yield* SqlClient
      yield* sql`
        insert into account_block (account_id, target_account_id) select a.id, b.id
        from account a join app_user u on u.id = a.user_id, account b join app_user w on w.id = b.user_id
        where u.username = 'owner' and w.username = 'other'`
      assert.strictEqual((yield* list("owner")).total, 0)
      yield* comment("other", video.id, "unheard")
      yield* allNotified
      yield* sql`delete from account_block`
      assert.strictEqual((yield* list("owner")).total, 3)
      yield* sql`update user_notification set updated_at = now() - interval '200 days'`
      const deleteOld = Effect.provide(
        Effect.flatMap(NotificationUpkeep, (it) => it.deleteOld(180, 100)),
        NotificationUpkeep.layer
      )
      assert.isAtLeast(yield* deleteOld, 3)
      yield* comment("other", video.id, "neglected")
      yield* allNotified
      yield* sql`update user_notification set created_at = now() - interval '300 days', updated_at = now() - interval '300 days'`
      assert.strictEqual(yield* deleteOld, 0)
      yield* sql`update user_notification set created_at = now() - interval '400 days'`
      assert.isAtLeast(yield* deleteOld, 1)
      assert.strictEqual((yield* list("owner")).total, 0)
    })
  )

  it.effect("follow what each user has chosen, key by key", () =>
    Effect.gen(function* () {
      const settings = "/api/v1/users/me/notification-settings"
      const put = (body: unknown) => as("owner", "PUT", settings, body)
      const video = yield* addVideo({ owner: "owner" })
      yield* typesOf("owner")
      assert.strictEqual((yield* put({ newCommentOnMyVideo: 0, automaticBlocklist: 3 })).status, 204)
      yield* comment("other", video.id, "not told")
      assert.deepStrictEqual(yield* typesOf("owner"), [])
      assert.strictEqual((yield* put({ newCommentOnMyVideo: 1 })).status, 204)
      yield* comment("other", video.id, "told")
      assert.deepStrictEqual(yield* typesOf("owner"), [2])
      for (const nothing of [{}, { newKindOfLater: 1 }]) assert.strictEqual((yield* put(nothing)).status, 400)
      const refused = yield* put({ newFollow: 4, commentMention: "x", myVideoPublished: 1 })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(Object.keys(refused.json["invalid-params"]), ["commentMention", "newFollow"])
      const me = (yield* as("owner", "GET", "/api/v1/users/me")).json.notificationSettings
      assert.deepStrictEqual([me.newCommentOnMyVideo, me.automaticBlocklist, me.newFollow], [1, 3, 1])
    })
  )
})
