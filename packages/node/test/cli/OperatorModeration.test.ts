import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { follower } from "../security/audit/Things.ts"
import { addVideo, ask, runningNode, RunningNode } from "../security/RunningNode.ts"
import { auditedSince, command, type Facts, facts, output } from "./OperatorNode.ts"

const timeout = 300_000

/** What every entry of an operator has in common. */
const byOperator = (entries: ReadonlyArray<{ username: string | null; entry: string }>) => {
  for (const { username } of entries) assert.isNull(username)
  return entries.map(({ entry }) => entry)
}

layer(runningNode, { excludeTestServices: true, timeout })("an operator who moderates in a shell", (it) => {
  it.effect(
    "blocks and unblocks instances and accounts",
    () =>
      Effect.gen(function* () {
        const entries = yield* auditedSince
        assert.deepStrictEqual(yield* facts("block", "server", "HTTPS://Spam.example/"), { blocked: "spam.example" })
        // As it was before.
        assert.include(yield* output("block", "server", "spam.example"), "spam.example")
        assert.include(yield* output("block", "account", "user"), "user")
        const servers = yield* facts("blocks", "servers")
        assert.strictEqual(servers.total, 1)
        assert.strictEqual(servers.data[0].blockedServer.host, "spam.example")
        assert.match(yield* output("blocks", "servers"), /^HOST +SINCE\nspam\.example +\d{4}-/)
        assert.match(yield* output("blocks", "accounts", "--search", "use"), /^user@/m)
        assert.deepStrictEqual(yield* facts("unblock", "server", "spam.example"), { unblocked: "spam.example" })
        yield* output("unblock", "account", "user")
        assert.include(yield* output("blocks", "servers"), "None.")
        assert.deepStrictEqual(byOperator(yield* entries), [
          "server-blocklist block-server",
          "server-blocklist block-account",
          "server-blocklist unblock-server",
          "server-blocklist unblock-account"
        ])
      }),
    timeout
  )

  it.effect(
    "learns by words and exit code what cannot be done",
    () =>
      Effect.gen(function* () {
        const entries = yield* auditedSince
        for (const [args, words] of [
          [["unblock", "server", "other.example"], "Block not found"],
          [["block", "server", "not a host"], "not a host is not the name of a host"],
          [["block", "account", "no/body"], "no/body is not the name of an account"],
          [["block", "account", "nobody"], "not found"],
          [["block", "video", "999999"], "not found"],
          [["block", "user", "nobody"], "There is no user nobody"],
          [["block", "user", "root"], "You cannot block this user"],
          [["reports", "accept", "999999"], "not found"],
          [["follows", "accept", "nobody@other.example"], "not found"],
          [["unfollow", "other.example"], "not found"],
          [["follow", "not a host"], "Must be the name of a host"],
          [["runners", "remove", "999999"], "not found"]
        ] as const) {
          const { code, err, out } = yield* command(...args)
          assert.strictEqual(code, 1, args.join(" "))
          assert.include(err.toLowerCase(), words.toLowerCase(), args.join(" "))
          assert.notMatch(err, /\n\s+at /)
          assert.strictEqual(out.trim(), "")
        }
        assert.deepStrictEqual(yield* entries, [])
      }),
    timeout
  )

  it.effect(
    "takes a video from view and shows it again",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { id } = yield* addVideo(undefined, "user")
        const status = Effect.map(ask("GET", `/api/v1/videos/${id}`), (answer) => answer.status)
        const entries = yield* auditedSince
        assert.strictEqual(yield* status, 200)
        // What others wrote must not reach the terminal as it is.
        yield* sql`update video set name = ${"Red \u001b[31m and\nmore"} where id = ${Number(id)}`
        assert.deepStrictEqual(yield* facts("block", "video", id!, "--reason", "Not theirs", "--note", "see 17"), {
          blocked: id
        })
        assert.include([401, 403, 404], yield* status)
        const blocks = yield* output("blocks", "videos")
        assert.include(blocks, "Red  [31m and more")
        assert.notInclude(blocks, "\u001b")
        assert.include(blocks, "Not theirs")
        yield* output("unblock", "video", id!)
        assert.strictEqual(yield* status, 200)
        assert.deepStrictEqual(byOperator(yield* entries), ["video-block create", "video-block delete"])
      }),
    timeout
  )

  it.effect(
    "keeps a user out and lets them in again",
    () =>
      Effect.gen(function* () {
        const { people } = yield* RunningNode
        const entries = yield* auditedSince
        const me = Effect.map(ask("GET", "/api/v1/users/me", people.moderator), ({ status }) => status)
        assert.strictEqual(yield* me, 200)
        assert.include(yield* output("block", "user", "moderator", "--reason", "Asked to"), "logged out")
        assert.strictEqual(yield* me, 401)
        const blocked = yield* facts("users", "list", "--blocked")
        assert.deepStrictEqual(
          blocked.data.map((user: Facts) => [user.username, user.role, user.blockedReason]),
          [["moderator", "moderator", "Asked to"]]
        )
        yield* output("unblock", "user", "moderator")
        assert.strictEqual((yield* facts("users", "list", "--blocked")).total, 0)
        assert.strictEqual((yield* facts("users", "list", "--role", "user")).data[0].username, "user")
        assert.notInclude(yield* output("users", "list", "--json"), "password")
        assert.deepStrictEqual(byOperator(yield* entries), ["user block", "user unblock"])
      }),
    timeout
  )

  it.effect(
    "decides on reports",
    () =>
      Effect.gen(function* () {
        const { people } = yield* RunningNode
        const { id } = yield* addVideo()
        const reported = yield* ask(
          "POST",
          "/api/v1/abuses",
          { ...people.user, "content-type": "application/json" },
          JSON.stringify({ reason: "It is \u0007 loud", video: { id: Number(id) } })
        )
        assert.strictEqual(reported.status, 200, reported.text)
        const abuseId = String(JSON.parse(reported.text).abuse.id)
        const entries = yield* auditedSince
        const pending = yield* facts("reports", "list")
        assert.deepStrictEqual(
          pending.data.map((report: Facts) => [String(report.id), report.state.id, report.video.id]),
          [[abuseId, 1, Number(id)]]
        )
        const table = yield* output("reports", "list", "--search", "loud")
        assert.match(table, new RegExp(`^${abuseId} +Pending +video ${id} of root@`, "m"))
        assert.notInclude(table, "\u0007")
        assert.deepStrictEqual(yield* facts("reports", "accept", abuseId, "--comment", "Right"), {
          id: Number(abuseId),
          state: "accepted"
        })
        assert.strictEqual((yield* facts("reports", "list")).total, 0)
        const accepted = yield* facts("reports", "list", "--state", "accepted")
        assert.strictEqual(accepted.data[0].moderationComment, "Right")
        yield* output("reports", "reject", abuseId)
        assert.deepStrictEqual(byOperator(yield* entries), ["abuse update", "abuse update"])
      }),
    timeout
  )

  it.effect(
    "follows other instances and answers followers",
    () =>
      Effect.gen(function* () {
        const entries = yield* auditedSince
        yield* output("jobs", "pause")
        assert.deepStrictEqual(yield* facts("follow", "tube.example"), { asked: "tube.example" })
        assert.strictEqual((yield* facts("jobs", "list", "--type", "activitypub-follow")).total, 1)
        assert.deepStrictEqual(yield* facts("unfollow", "tube.example"), { unfollowed: "tube.example" })
        yield* output("jobs", "resume")
        const { handle } = yield* follower("pending")
        const waiting = yield* output("follows", "list", "--followers", "--state", "pending")
        assert.include(waiting, handle!)
        yield* output("follows", "accept", handle!)
        const [follow] = (yield* facts("follows", "list", "--followers")).data
        assert.strictEqual(follow.state, "accepted")
        yield* output("follows", "reject", handle!)
        assert.deepStrictEqual(byOperator(yield* entries), [
          "jobs pause",
          "following follow",
          "following unfollow",
          "jobs resume",
          "follower accept",
          "follower reject"
        ])
      }),
    timeout
  )
})
