import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ViewerReports } from "../../../src/federation/outbox/ViewerReports.ts"
import {
  applying,
  follow,
  outboxDatabase,
  remoteActor,
  remoteVideo,
  stepwise,
  recorded,
  recordedLines,
  world
} from "./Recorded.ts"
import { approveComment, localComment } from "../../../../storage/test/support/LocalComments.ts"
import { rate } from "../../../../storage/test/support/Ratings.ts"
import {
  editRemoteComment,
  forwardRemoteComment,
  remoteComments,
  removeRemoteComment
} from "../../../../storage/test/support/RemoteComments.ts"
import { ViewCounts } from "@kinora/storage/video/view/ViewCounts"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"

const comment = Effect.fn("comment")(function* (videoId: number, accountId: number, text: string, parent?: number) {
  const sql = yield* stepwise
  return yield* sql.withTransaction(localComment({ videoId, accountId, text, inReplyTo: parent }))
})

layer(outboxDatabase, { excludeTestServices: true, timeout: 60_000 })("activities of people", (it) => {
  it.effect("tell of comments, ratings, playlists, follows and of who they are", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const { first, instance, second, videoId, fan, peer } = yield* world
      const everybody = "fan.example peer.example small.example"
      const elsewhere = yield* remoteVideo("films.example")

      // Comments below a video of ours.
      const one = yield* comment(videoId, second.accountId, "Hello @fan@fan.example")
      const [{ url } = { url: "" }] = yield* sql<{ url: string }>`select url from video_comment where id = ${one}`
      const path = url.replace("http://localhost:9000", "")
      assert.deepStrictEqual(yield* recordedLines, [`Create Note ${path}/activity by /accounts/seed2 to ${everybody}`])
      const remote = yield* comment(videoId, fan.accountId, "From elsewhere", one)
      assert.deepStrictEqual(yield* recordedLines, [], "what others say is theirs to tell")
      const answer = yield* comment(videoId, first.accountId, "To both", remote)
      assert.strictEqual((yield* recordedLines).length, 1)
      yield* sql`select remove_comments(array[${answer}]::integer[])`
      assert.match(
        (yield* recordedLines)[0] ?? "",
        /^Delete .*\/delete by \/accounts\/seed1 to fan.example peer.example small/
      )
      yield* sql`select remove_comments(array[${remote}]::integer[])`
      assert.match(
        (yield* recordedLines)[0] ?? "",
        /^Delete .*\/delete by \/accounts\/seed1 to fan/,
        "by the owner of the video"
      )

      // Held ones wait, and whose they are is told when they need not any more.
      yield* sql`update video set comments_policy = 3, updated_at = now() where id = ${videoId}`
      yield* recorded
      const held = yield* comment(videoId, second.accountId, "May I?")
      const strange = yield* comment(videoId, fan.accountId, "May I, too?")
      assert.deepStrictEqual(yield* recordedLines, [])
      yield* sql.withTransaction(approveComment(held))
      yield* sql.withTransaction(approveComment(strange))
      const approved = yield* recorded
      assert.deepStrictEqual(
        approved.map(({ by, hosts, what }) => `${what} by ${by} to ${hosts.join(" ")}`),
        [`Create Note by /accounts/seed2 to ${everybody}`, "ApproveReply by /accounts/seed1 to fan.example"]
      )
      const [notYet] = [yield* comment(videoId, second.accountId, "Never seen")]
      yield* sql`select remove_comments(array[${notYet}]::integer[])`
      assert.deepStrictEqual(yield* recordedLines, [])
      // Somebody elsewhere waits for an answer; who takes their own words back does not.
      const [refused, withdrawn] = [
        yield* comment(videoId, fan.accountId, "No?"),
        yield* comment(videoId, fan.accountId, "Oh")
      ]
      yield* applying(
        "fan.example",
        { id: "https://fan.example/d1", type: "Delete", object: "https://fan.example/x" },
        sql`select remove_comments(array[${withdrawn}]::integer[])`
      )
      assert.deepStrictEqual(yield* recordedLines, [])
      yield* sql`select remove_comments(array[${refused}]::integer[])`
      const [answerOf] = yield* sql<{ body: Readonly<Record<string, unknown>> }>`select body from activity`
      const watch = "http://localhost:9000/videos/watch"
      assert.match(String(answerOf?.body["id"]), /^http.*\/comments\/\d+\/reject-reply$/)
      assert.match(String(answerOf?.body["inReplyTo"]), new RegExp(`^${watch}/[^/]+$`))
      assert.match((yield* recordedLines)[0] ?? "", /^RejectReply .* by \/accounts\/seed1 to fan.example$/)
      // Hidden by moderators, and known elsewhere: what is said below is taken back there.
      yield* sql`update video set comments_policy = 1, updated_at = now() where id = ${videoId}`
      const known = yield* comment(videoId, second.accountId, "Known")
      yield* sql`insert into video_blacklist (video_id) values (${videoId})`
      yield* sql`delete from video_published`
      yield* recorded
      yield* sql`select remove_comments(array[${known}]::integer[])`
      assert.match((yield* recordedLines)[0] ?? "", /^Delete .*\/delete by \/accounts\/seed2 to fan/)
      yield* sql`delete from video_blacklist`
      yield* recorded

      // Comments and ratings elsewhere go to where the video is at home.
      const reader2 = yield* remoteActor("reader2.example", "reader")
      yield* follow(reader2.id, second.account)
      yield* recorded
      const unseen = yield* comment(elsewhere.id, second.accountId, "Not yet")
      yield* sql`update video_comment set held_for_review = true where id = ${unseen}`
      yield* sql`select remove_comments(array[${unseen}]::integer[])`
      assert.deepStrictEqual(
        (yield* recorded).map(({ hosts }) => hosts.join(" ")),
        ["films.example reader2.example", "films.example"]
      )
      yield* sql`delete from actor_follow where actor_id = ${reader2.id}`
      yield* recorded
      const away = yield* comment(elsewhere.id, second.accountId, "Nice")
      yield* sql`select remove_comments(array[${away}]::integer[])`
      yield* sql.withTransaction(rate(first.accountId, elsewhere.id, "like"))
      yield* sql.withTransaction(rate(first.accountId, elsewhere.id, "like"))
      yield* sql.withTransaction(rate(first.accountId, elsewhere.id, "dislike"))
      yield* sql.withTransaction(rate(first.accountId, elsewhere.id, null))
      yield* sql.withTransaction(rate(first.accountId, elsewhere.id, "like"))
      yield* sql.withTransaction(rate(fan.accountId, elsewhere.id, "like"))
      yield* sql.withTransaction(rate(second.accountId, videoId, "like"))
      yield* sql`
        select mark_change('view', id, '{"after": {"views": 1}}') from unnest(${[elsewhere.id, videoId]}::integer[]) id`
      const rates = `likes/${elsewhere.id}`
      assert.deepStrictEqual(
        (yield* recorded).map(({ hosts, uri, what }) => {
          const id = uri.replace(/^.*\/comments\/\d+/, "C").replace(/[0-9a-f-]{36}$/, "UUID")
          return `${what} ${id.replace(/#\d+/, "#")} to ${hosts.join()}`
        }),
        [
          "Create Note C/activity to films.example",
          "Delete C/delete to films.example",
          `Like /accounts/seed1/${rates} to films.example`,
          `Undo Like /accounts/seed1/${rates}/undo to films.example`,
          `Dislike /accounts/seed1/dis${rates} to films.example`,
          `Undo Dislike /accounts/seed1/dis${rates}/undo to films.example`,
          `Like /accounts/seed1/${rates}# to films.example`,
          `View /accounts/peertube/views/videos/${elsewhere.id}/UUID to films.example`
        ]
      )

      // What is watched here and at home elsewhere is counted there, and only there.
      yield* sql`insert into video_viewing (video_id, viewer, started_at, seen_at, position, sought, watch_time, watched, counted_at)
        values (${elsewhere.id}, '\\x01', now(), now(), 9, false, 9, '{[0,5),[7,10)}', now()),
          (${elsewhere.id}, '\\x02', now(), now(), 1, false, 1, '{}', null)`
      const { apply } = yield* Effect.provide(ViewCounts, ViewCounts.layer)
      yield* apply
      yield* apply
      yield* (yield* Outbox).drain
      yield* sql`update video_viewing set viewer = null, address = null`
      const watched = yield* sql<{ what: string }>`
        select concat_ws(' ', type, body -> 'object' ->> 'type', body -> 'object' ->> 'duration', body -> 'object' ->> 'watchSections')
          as what from activity order by body -> 'object' ->> 'duration' nulls first`
      assert.deepStrictEqual(
        watched.map(({ what }) => what),
        [
          "View",
          "Create WatchAction PT1S []",
          'Create WatchAction PT9S [{"endTimestamp": 4, "startTimestamp": 0}, {"endTimestamp": 9, "startTimestamp": 7}]'
        ]
      )
      assert.deepStrictEqual(yield* sql`select views from video where id = ${elsewhere.id} and views > 0`, [])
      assert.deepStrictEqual(yield* sql`select id from video_viewing`, [])
      yield* recorded

      // Viewers of now: of ours how many, of others' one by one; said again in place of what was said before.
      yield* sql`insert into video_viewers (video_id, viewers, remote) values (${videoId}, 2, 1)`
      yield* sql`insert into video_viewing (video_id, viewer, started_at, seen_at, position, sought)
        values (${elsewhere.id}, '\\x0a', now(), now(), 9, false), (${elsewhere.id}, '\\x0b', now(), now(), 1, false),
          (${elsewhere.id}, '\\x0c', now(), now() - interval '5 minutes', 1, false)`
      yield* (yield* ViewerReports).send(120)
      yield* (yield* ViewerReports).send(120)
      const viewers = yield* sql<{ lasts: number; result: unknown; to: ReadonlyArray<string> }>`
        select extract(epoch from (body ->> 'expires')::timestamptz - now())::float8 as lasts, body -> 'result' as result,
          body -> 'to' as to
        from activity order by id`
      assert.deepStrictEqual(
        viewers.map(({ result }) => result),
        [{ type: "InteractionCounter", interactionType: "WatchAction", userInteractionCount: 3 }, null, null]
      )
      for (const { lasts } of viewers) assert.approximately(lasts, 150, 20)
      assert.deepStrictEqual(viewers[0]?.to.slice(1), [
        "http://localhost:9000/video-channels/seed1_channel/followers",
        "http://localhost:9000/accounts/peertube/followers"
      ])
      assert.deepStrictEqual(
        (yield* recorded).map(({ hosts, what }) => `${what} ${hosts.join(" ")}`),
        ["View fan.example peer.example", "View films.example", "View films.example"]
      )
      yield* sql`delete from video_viewing`
      yield* sql`delete from video_viewers`

      // Playlists.
      const [list] = yield* sql<{ id: number }>`
        insert into video_playlist (url, name, privacy, owner_account_id, channel_id, channel_position)
        values ('http://localhost:9000/video-playlists/p', 'List', 1, ${first.accountId}, ${first.channelId}, 1) returning id`
      yield* sql`insert into video_playlist_element (playlist_id, video_id, position) values (${list!.id}, ${videoId}, 1)`
      yield* sql`update video_playlist set privacy = 3 where id = ${list!.id}`
      yield* sql`update video_playlist set name = 'Mine alone' where id = ${list!.id}`
      yield* sql`update video_playlist set privacy = 1 where id = ${list!.id}`
      yield* sql`delete from video_playlist where id = ${list!.id}`
      assert.deepStrictEqual(
        (yield* recordedLines).map((line) => line.replaceAll(" by /accounts/seed1", "")),
        [
          `Create Playlist /video-playlists/p/activity to ${everybody}`,
          `Update Playlist /video-playlists/p/updates/TIME to ${everybody}`,
          `Delete /video-playlists/p/delete to ${everybody}`,
          `Create Playlist /video-playlists/p/activity# to ${everybody}`,
          `Delete /video-playlists/p/delete# to ${everybody}`
        ]
      )

      // Whoever followed where it was before hears of it as long as it is there.
      const lender = yield* remoteActor("lender.example", "lender")
      yield* follow(lender.id, second.channel)
      const [lent] = yield* sql<{ id: number }>`
        insert into video_playlist (url, name, privacy, owner_account_id, channel_id, channel_position)
        values ('http://localhost:9000/video-playlists/q', 'Lent', 1, ${second.accountId}, ${second.channelId}, 1) returning id`
      yield* sql`update video_playlist set owner_account_id = ${first.accountId}, channel_id = ${first.channelId} where id = ${lent!.id}`
      yield* sql`delete from video_playlist where id = ${lent!.id}`
      assert.deepStrictEqual(
        (yield* recorded).map(({ hosts, what }) => `${what} ${hosts.join(" ")}`),
        [
          "Accept Follow lender.example",
          "Create Playlist lender.example peer.example",
          "Update Playlist fan.example lender.example peer.example small.example",
          "Delete fan.example lender.example peer.example small.example"
        ]
      )
      yield* sql`delete from actor_follow where actor_id = ${lender.id}`

      // Follows, both ways.
      yield* follow(second.account, elsewhere.group.id, "pending")
      yield* sql`update actor_follow set state = 'accepted' where actor_id = ${second.account}`
      yield* sql`delete from actor_follow where actor_id = ${second.account}`
      yield* follow(second.account, elsewhere.group.id, "pending")
      yield* follow(second.account, first.channel)
      const reader = yield* remoteActor("new.example", "reader")
      yield* follow(reader.id, second.channel, "pending")
      yield* sql`update actor_follow set state = 'accepted', updated_at = now() where actor_id = ${reader.id}`
      yield* sql`update actor_follow set state = 'rejected' where actor_id = ${reader.id}`
      yield* sql`delete from actor_follow where actor_id = ${reader.id}`
      const followed = `/accounts/seed2/follows/${elsewhere.group.id}`
      assert.deepStrictEqual(
        (yield* recordedLines).map((line) => line.replace(/accepts\/follows\/\d+/, "accepts/N")),
        [
          `Follow ${followed} by /accounts/seed2 to films.example`,
          `Undo Follow ${followed}/undo by /accounts/seed2 to films.example`,
          `Follow ${followed}# by /accounts/seed2 to films.example`,
          "Accept Follow /accepts/N by /video-channels/seed2_channel to new.example",
          "Reject Follow /rejects/follows/TIME# by /video-channels/seed2_channel to new.example"
        ]
      )

      // Who they are.
      yield* sql`update account set display_name = 'First' where id = ${first.accountId}`
      yield* sql`update account set display_name = 'First' where id = ${first.accountId}`
      yield* sql`insert into actor_image (actor_id, type, filename, width, height)
        values (${first.channel}, 1, 'a.png', 48, 48), (${first.channel}, 1, 'b.png', 120, 120)`
      yield* sql`update video_channel set support = 'Money' where id = ${second.channelId}`
      yield* sql`insert into actor_image (actor_id, type, filename, width, height) values (${fan.id}, 1, 'c.png', 48, 48)`
      assert.deepStrictEqual(yield* recordedLines, [
        `Update Person /accounts/seed1/updates/TIME by /accounts/seed1 to ${everybody}`,
        `Update Group /video-channels/seed1_channel/updates/TIME by /video-channels/seed1_channel to ${everybody}`,
        "Update Group /video-channels/seed2_channel/updates/TIME by /video-channels/seed2_channel to peer.example"
      ])

      // Somebody else's words are sent on as they came, but not back.
      const note = "https://fan.example/notes/1"
      const said = {
        id: `${note}/activity`,
        type: "Create",
        object: { type: "Note", id: note },
        signature: { type: "RsaSignature2017", creator: `${fan.url}#main-key` }
      }
      yield* sql`update video set comments_policy = 1 where id = ${videoId}`
      yield* recorded
      const add = (url: string) => sql.withTransaction(remoteComments(videoId, fan.accountId, [{ url }]))
      yield* applying("fan.example", said, Effect.andThen(add(note), add(`${note}0`)))
      const forwarded = yield* sql<{ document: string }>`select document from activity`
      assert.deepStrictEqual(
        forwarded.map(({ document }) => JSON.parse(document)),
        [said]
      )
      assert.deepStrictEqual((yield* recorded)[0]?.hosts, ["peer.example", "small.example"])

      // So is a change of it.
      const changed = { ...said, id: `${note}/updates/1`, type: "Update" }
      yield* applying("fan.example", changed, editRemoteComment(note, "Other words"))
      assert.deepStrictEqual(yield* recordedLines, [
        `Update ${note}/updates/1 by /accounts/peertube to peer.example small.example`
      ])

      // So is that it is gone; without a signature it is told anew. Its host has said so, and is not told.
      const gone = { id: `${note}#delete`, type: "Delete", object: note, signature: { creator: fan.url } }
      yield* applying("fan.example", gone, removeRemoteComment(note))
      yield* applying("fan.example", { id: "x", type: "Delete", object: `${note}0` }, removeRemoteComment(`${note}0`))
      const [passedOn = "", toldAnew = ""] = yield* recordedLines
      assert.strictEqual(passedOn, `Delete ${note}#delete by /accounts/peertube to peer.example small.example`)
      // Under an id of ours: nobody takes an activity of an origin that is not its sender's.
      assert.match(
        toldAnew,
        /^Delete \/videos\/watch\/[^/]+\/comments\/\d+\/delete by \/accounts\/seed1 to peer.example small.example$/
      )

      // What had to wait and was let in comes again with our approval, and is sent on then: once, and with no other.
      const waited = `${note}2`
      const [lateId] = yield* sql.withTransaction(remoteComments(videoId, fan.accountId, [{ url: waited, hold: true }]))
      const [late] = yield* sql<{ id: number; approval: string }>`
        select c.id, v.url || '/comments/' || c.id || '/approve-reply' as approval
        from video_comment c join video v on v.id = c.video_id where c.id = ${lateId!}`
      const comesAgain = (nth: number, approval: string) =>
        applying(
          "fan.example",
          { ...said, id: `${waited}/activity#${nth}`, object: { ...said.object, id: waited } },
          forwardRemoteComment(late!.id, approval)
        )
      yield* comesAgain(1, late!.approval)
      assert.deepStrictEqual(yield* recordedLines, [], "it still waits")
      yield* sql.withTransaction(approveComment(late!.id))
      assert.deepStrictEqual(
        (yield* recorded).map(({ what }) => what),
        ["ApproveReply"]
      )
      yield* comesAgain(2, `${note}/approval`)
      yield* comesAgain(3, late!.approval)
      yield* comesAgain(4, late!.approval)
      assert.deepStrictEqual(yield* recordedLines, [
        `Create ${waited}/activity# by /accounts/peertube to peer.example small.example`
      ])
      yield* sql`select remove_comments(array[${late!.id}]::integer[])`
      // So is one of ours that is let in elsewhere.
      const asked = yield* comment(elsewhere.id, second.accountId, "May I there?")
      yield* recorded
      const letIn = sql`update video_comment set reply_approval_url = 'https://films.example/yes' where id = ${asked}`
      yield* letIn
      yield* letIn
      const [again] = yield* sql<{ by: string }>`select body -> 'object' ->> 'replyApproval' as by from activity`
      assert.deepStrictEqual(again, { by: "https://films.example/yes" })
      assert.deepStrictEqual(
        (yield* recorded).map(({ hosts, what }) => [what, hosts.join(" ")]),
        [["Create Note", "films.example"]]
      )
      yield* sql`select remove_comments(array[${asked}]::integer[])`
      yield* recorded

      // Who goes says so, and what is said is still signed.
      yield* sql`update video set comments_policy = 1 where id = ${videoId}`
      yield* comment(elsewhere.id, first.accountId, "I was here")
      yield* recorded
      yield* sql`delete from app_user where id = (select user_id from account where id = ${first.accountId})`
      const keys =
        yield* sql`select sender, private_key, actor_id from activity where type = 'Delete' and private_key is null`
      assert.deepStrictEqual(keys, [])
      assert.deepStrictEqual(yield* recordedLines, [
        "Delete /video-channels/seed1_channel/delete by /video-channels/seed1_channel to fan.example",
        `Delete /accounts/seed1/delete by /accounts/seed1 to fan.example films.example peer.example small.example`
      ])
      yield* sql`delete from video_channel where id = ${second.channelId}`
      assert.deepStrictEqual(yield* recordedLines, [
        "Delete /video-channels/seed2_channel/delete by /video-channels/seed2_channel to peer.example"
      ])
      yield* sql`delete from actor where id = ${peer.id}`
      yield* sql`delete from actor where id = ${elsewhere.owner.id}`
      assert.deepStrictEqual(yield* recordedLines, [], "what goes elsewhere is not ours to tell")
      assert.isAbove(instance, 0)
    })
  )
})
