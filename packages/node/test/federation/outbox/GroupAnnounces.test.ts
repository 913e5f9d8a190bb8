import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { GroupServers } from "@kinora/storage/federation/follow/GroupServers"
import { follow, outboxDatabase, remoteActor, stepwise, recorded, world } from "./Recorded.ts"
import { approveComment, localComment } from "../../../../storage/test/support/LocalComments.ts"
import { rate } from "../../../../storage/test/support/Ratings.ts"
import { editRemoteComment, remoteComments } from "../../../../storage/test/support/RemoteComments.ts"

/** As an activity comes: its row, while the transaction lasts that applies it. */
const coming = Effect.fnUntraced(function* (host: string, type: string, object: string, body: object) {
  const sql = yield* stepwise
  const uri = `https://${host}/activities/${type}-${object.split("/").at(-1)}`
  const [row] = yield* sql<{ id: string }>`
    insert into inbox_activity (uri, host, actor_url, type, object, body)
    values (${uri}, ${host}, ${`https://${host}/accounts/fan`}, ${type}, ${object}, ${JSON.stringify({ id: uri, type, ...body })}::jsonb)
    returning id`
  yield* sql`select set_config('kinora.applying', ${row!.id}::text, true)`
  return uri
})

layer(outboxDatabase, { excludeTestServices: true, timeout: 60_000 })("conversations that channels pass on", (it) => {
  it.effect("reach servers of groups as the channel's word, once, and others as before", () =>
    Effect.gen(function* () {
      const sql = yield* stepwise
      const servers = yield* Effect.provide(GroupServers, GroupServers.layer)
      const { fan, first, second, videoId } = yield* world
      const [channel] = yield* sql<{ id: number; url: string }>`
        select a.id, a.url from video v join video_channel c on c.id = v.channel_id join actor a on a.id = c.actor_id
        where v.id = ${videoId}`
      for (const host of ["lemmy.example", "plain.example"]) {
        yield* follow((yield* remoteActor(host, "reader")).id, channel!.id)
      }
      const host = "lemmy.example"
      const author = yield* remoteActor(host, "fan")
      assert.includeMembers([...(yield* servers.unknown)], [host, "plain.example"])
      yield* servers.asked(host, "lemmy")
      yield* servers.asked("plain.example", null)
      assert.notIncludeMembers([...(yield* servers.unknown)], [host, "plain.example"])

      const lines = Effect.map(recorded, (rows) =>
        rows.map(
          ({ by, hosts, what }) => `${what} by ${by} to ${hosts.filter((it) => /lemmy|plain/.test(it)).join(" ")}`
        )
      )
      const say = (accountId: number, text: string, url: string, held = false) =>
        Effect.map(sql.withTransaction(remoteComments(videoId, accountId, [{ url, text, hold: held }])), ([id]) => id!)
      const local = (text: string) => sql.withTransaction(localComment({ videoId, accountId: second.accountId, text }))
      const policy = (id: number) =>
        Effect.andThen(
          sql`update video set comments_policy = ${id}, updated_at = now() where id = ${videoId}`,
          recorded
        )
      const wordOf = sql<{ body: any }>`select body from activity where type = 'Announce' order by id desc limit 1` // oxlint-disable-line typescript/no-explicit-any
      const me = `/video-channels/${channel!.url.split("/").at(-1)}`
      yield* recorded

      // Off, as it is unless it is asked for.
      yield* local("As ever")
      assert.deepStrictEqual(yield* lines, ["Create Note by /accounts/seed2 to lemmy.example plain.example"])

      yield* servers.configure(true)
      const one = yield* local("To all")
      const [said] = yield* wordOf
      const [create] = yield* sql<{ body: object }>`select body from activity where type = 'Create'`
      assert.deepStrictEqual(said!.body.object, create!.body, "the whole activity")
      assert.deepStrictEqual(
        [said!.body.actor, said!.body.cc, said!.body.to.length],
        [channel!.url, [`${channel!.url}/followers`], 1]
      )
      const both = ["Create Note by /accounts/seed2 to plain.example", `Announce Create by ${me} to lemmy.example`]
      assert.deepStrictEqual(yield* lines, both)
      yield* sql`select remove_comments(array[${one}]::integer[])`
      assert.deepStrictEqual(yield* lines, [
        "Delete by /accounts/seed2 to plain.example",
        `Announce Delete by ${me} to lemmy.example`
      ])

      // Held for review: nobody hears of it, until it is let in; nor of one that goes before.
      yield* policy(3)
      const held = yield* local("May I?")
      const never = yield* local("Nor I?")
      yield* sql`select remove_comments(array[${never}]::integer[])`
      assert.deepStrictEqual(yield* lines, [])
      yield* sql.withTransaction(approveComment(held))
      assert.deepStrictEqual(yield* lines, both)
      yield* policy(1)

      // What others say: as it came, signed or not, and not back to where it came from.
      for (const from of [
        { host: "fan.example", accountId: fan.accountId },
        { host, accountId: author.accountId }
      ]) {
        const url = `https://${from.host}/comments/1`
        const note = { id: url, type: "Note", content: "Hi" }
        const uri = yield* Effect.gen(function* () {
          const came = yield* coming(from.host, "Create", url, { "@context": [], object: note })
          yield* say(from.accountId, "Hi", url)
          return came
        }).pipe(sql.withTransaction)
        const [word] = yield* wordOf
        if (from.host !== host) {
          assert.deepStrictEqual(word!.body.object, { id: uri, type: "Create", object: note })
        }
        assert.deepStrictEqual(
          yield* lines,
          from.host === host ? [] : [`Announce Create by ${me} to lemmy.example`],
          from.host
        )
      }
      const signed = "https://fan.example/comments/2"
      yield* Effect.gen(function* () {
        const activity = { actor: fan.url, object: { id: signed, type: "Note" }, signature: { creator: fan.url } }
        const original = JSON.stringify({ type: "Create", ...activity })
        yield* coming("fan.example", "Create", signed, { ...activity, "@original": original })
        yield* say(fan.accountId, "Hi", signed)
      }).pipe(sql.withTransaction)
      const rows = (yield* recorded).map(
        ({ by, hosts }) => `${by} ${hosts.includes(host)} ${hosts.includes("plain.example")}`
      )
      assert.sameMembers(rows, ["/accounts/peertube false true", `${me} true false`], "each gets it one way")

      // Changed by who said it: as it came, though its row is written first.
      const update = { "@context": [], object: { id: signed, type: "Note" } }
      const updated = yield* Effect.gen(function* () {
        const uri = yield* coming("fan.example", "Update", signed, update)
        yield* sql`select set_config('kinora.applying', '', true)`
        yield* editRemoteComment(signed, "Hi again")
        return uri
      }).pipe(sql.withTransaction)
      const [word] = yield* wordOf
      assert.deepStrictEqual(word!.body.object, { id: updated, type: "Update", object: update.object })
      assert.deepStrictEqual(yield* lines, [`Announce Update by ${me} to lemmy.example`])

      // Let in later, when what came is gone: the channel points to it. Never a second time.
      const late = yield* say(fan.accountId, "Late", "https://fan.example/comments/3", true)
      assert.deepStrictEqual(yield* lines, [])
      yield* sql.withTransaction(approveComment(late))
      const [pointed] = yield* wordOf
      assert.strictEqual(pointed!.body.object, "https://fan.example/comments/3")
      yield* sql`update video_comment set text = 'Later' where id = ${late}`
      assert.strictEqual((yield* lines).filter((it) => it.startsWith("Announce")).length, 1)
      // The owner of the video takes it down.
      yield* sql`select remove_comments(array[${late}]::integer[])`
      assert.include(yield* lines, `Announce Delete by ${me} to lemmy.example`)

      // Ratings, by users of ours.
      yield* sql.withTransaction(rate(first.accountId, videoId, "like"))
      yield* sql.withTransaction(rate(first.accountId, videoId, null))
      assert.deepStrictEqual(
        (yield* lines).filter((it) => it.startsWith("Announce")),
        [`Announce Like by ${me} to lemmy.example`, `Announce Undo by ${me} to lemmy.example`]
      )

      // What is not for everybody is not passed on.
      yield* sql`update video set privacy = 2 where id = ${videoId}`
      yield* recorded
      yield* local("Among us")
      assert.deepStrictEqual(
        (yield* lines).filter((it) => it.startsWith("Announce")),
        []
      )
    })
  )
})
