import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { remoteVideo } from "../security/audit/Things.ts"
import { addVideo, ask, RunningNode, runningNodeWith } from "../security/RunningNode.ts"
import { until } from "../support/KinoraProcess.ts"
import { auditedSince, command, type Facts, facts, output } from "./OperatorNode.ts"

const timeout = 300_000
const node = runningNodeWith({ KINORA_INSTANCE_SHORT_DESCRIPTION: "Pinned" })

const nameServed = Effect.map(ask("GET", "/api/v1/config"), ({ text }) => JSON.parse(text).instance.name as string)

/** Waits until the running node has this name. */
const served = Effect.fnUntraced(function* (name: string) {
  const { process } = yield* RunningNode
  yield* Effect.promise(() =>
    until(`the name ${name}`, 30, async () => {
      const answer = await fetch(`http://127.0.0.1:${process.port}/api/v1/config`)
      return ((await answer.json()) as Facts).instance.name === name ? true : undefined
    })
  )
})

layer(node, { excludeTestServices: true, timeout })("an operator who administers in a shell", (it) => {
  it.effect(
    "changes settings of the running instance",
    () =>
      Effect.gen(function* () {
        const before = yield* nameServed
        const entries = yield* auditedSince
        assert.strictEqual((yield* output("config", "get", "instance.name")).trim(), before)
        const done = yield* facts("config", "set", "instance.name", "Ours: videos")
        assert.deepStrictEqual(done, { key: "instance.name", before, after: "Ours: videos" })
        yield* served("Ours: videos")
        const got = yield* facts("config", "get", "instance.name")
        assert.include(got, { value: "Ours: videos", origin: "database", pinned: false })
        assert.include(yield* output("config", "set", "instance.name", "Ours: videos"), "as before")
        assert.include(yield* output("config", "unset", "instance.name"), `is ${before} now`)
        yield* served(before)
        assert.strictEqual((yield* facts("config", "get", "instance.name")).origin, "default")
        yield* output("config", "set", "signup.enabled", "true")
        yield* output("config", "set", "signup.requiresApproval", "no")
        assert.strictEqual(yield* output("config", "get", "signup.enabled"), "true")
        assert.match(yield* output("config", "get"), /^signup\.enabled +true +database$/m)
        for (const { username } of yield* entries) assert.isNull(username)
        assert.isAtLeast((yield* entries).length, 3)
      }),
    timeout
  )

  it.effect(
    "learns why a setting is refused",
    () =>
      Effect.gen(function* () {
        const entries = yield* auditedSince
        for (const [args, words] of [
          [["set", "signup.limit", "many"], "signup.limit: Must be"],
          [["set", "no.such", "1"], "no.such is no setting that can be changed"],
          [["set", "listen.port", "1"], "listen.port is no setting that can be changed"],
          [["set", "signup.enabled", "perhaps"], "signup.enabled: Must be"],
          [["set", "instance.short_description", "Mine"], "KINORA_INSTANCE_SHORT_DESCRIPTION"],
          [["get", "database.password"], "is no setting"]
        ] as const) {
          const { code, err } = yield* command("config", ...args)
          assert.strictEqual(code, 1, args.join(" "))
          assert.include(err, words)
        }
        assert.deepStrictEqual(yield* entries, [])
      }),
    timeout
  )

  it.effect(
    "lists videos, and prunes those of others that nobody needs",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const ours = yield* addVideo(undefined, "user")
        const listed = yield* facts("videos", "list", "--sort", "largest")
        const mine = listed.data.find((video: Facts) => String(video.id) === ours.id)
        assert.include(mine, { channel: "user_channel", remote: false, blocked: false, bytes: 200 })
        assert.strictEqual((yield* facts("videos", "list", "--blocked")).total, 0)
        assert.match(yield* output("videos", "list"), /user_channel +Published +Public +no/)

        const unused = Number((yield* remoteVideo)["videoId"])
        const watched = Number((yield* remoteVideo)["videoId"])
        const recent = Number((yield* remoteVideo)["videoId"])
        yield* sql`update video set created_at = now() - interval '31 days' where id = any(${[unused, watched]}::int[])`
        yield* sql`
        insert into user_video_history (user_id, video_id, current_time_seconds)
        select id, ${watched}, 3 from app_user where username = 'user'`
        assert.strictEqual((yield* facts("videos", "list", "--remote")).total, 3)
        const entries = yield* auditedSince
        const found = yield* facts("videos", "prune")
        assert.deepStrictEqual(
          found.data.map(({ id }: Facts) => id),
          [unused]
        )
        assert.include(yield* output("videos", "prune"), "Nothing was removed")
        assert.deepStrictEqual(yield* facts("videos", "prune", "--remove"), { removed: 1 })
        assert.deepStrictEqual(yield* facts("videos", "prune", "--remove"), { removed: 0 })
        const left = yield* sql<{ id: number }>`select id from video where remote order by id`
        assert.deepStrictEqual(
          left.map(({ id }) => id),
          [watched, recent]
        )
        assert.deepStrictEqual(
          (yield* entries).map(({ entry, target }) => [entry, target]),
          [["video prune", { olderThanDays: 30 }]]
        )
      }),
    timeout
  )

  it.effect(
    "looks at jobs, and pauses them",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`
        insert into job (type, payload, state, error, finished_at)
        values ('video-transcoding', '{}', 'failed', ${"no \u001b[2J ffmpeg"}, now())`
        const failed = yield* facts("jobs", "list", "--state", "failed")
        assert.deepStrictEqual(
          failed.data.map(({ state, type }: Facts) => [type, state]),
          [["video-transcoding", "failed"]]
        )
        const table = yield* output("jobs", "list", "--state", "failed")
        assert.include(table, "ffmpeg")
        assert.notInclude(table, "\u001b")
        assert.match(yield* output("jobs", "summary"), /^video-transcoding +failed +1$/m)
        yield* output("jobs", "pause")
        assert.include(yield* output("jobs", "summary"), "Jobs are paused")
        yield* output("jobs", "resume")
        assert.notInclude(yield* output("jobs", "summary"), "paused")
      }),
    timeout
  )

  it.effect(
    "makes tokens for runners, and removes runners",
    () =>
      Effect.gen(function* () {
        const { people } = yield* RunningNode
        const entries = yield* auditedSince
        const { id, registrationToken } = yield* facts("runners", "create-token")
        const registered = yield* ask(
          "POST",
          "/api/v1/runners/register",
          { ...people.anonymous, "content-type": "application/json" },
          JSON.stringify({ registrationToken, name: "A runner" })
        )
        assert.strictEqual(registered.status, 200, registered.text)
        const tokens = yield* facts("runners", "tokens")
        assert.include(
          tokens.data.find((token: Facts) => token.id === id),
          { registrationToken, registeredRunnersCount: 1 }
        )
        const [runner] = (yield* facts("runners", "list")).data
        assert.strictEqual(runner.name, "A runner")
        yield* output("runners", "remove", String(runner.id))
        assert.include(yield* output("runners", "list"), "None.")
        const made = yield* entries
        assert.deepStrictEqual(
          made.map(({ entry }) => entry),
          ["runner-registration-token create", "runner delete"]
        )
        assert.notInclude(JSON.stringify(made), registrationToken)
      }),
    timeout
  )

  it.effect(
    "keeps webhooks, and sends again what failed",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const entries = yield* auditedSince
        const url = "https://127.0.0.1/hook"
        const { code, err } = yield* command("webhooks", "add", url)
        assert.strictEqual(code, 1)
        assert.include(err, "webhooks.allow_private_addresses")
        const address = "https://receiver.example/hook"
        const added = yield* facts("webhooks", "add", address, "--event", "live.started", "--event", "live.ended")
        assert.match(added.secret, /^whsec_/)
        const id = String(added.id)
        const listed = (yield* facts("webhooks", "list")).data[0]
        assert.deepInclude(listed, { url: address, events: ["live.started", "live.ended"], active: true })
        assert.notStrictEqual(yield* output("webhooks", "new-secret", id), added.secret)
        // As a name that the running node must not reach.
        yield* sql`update webhook set url = ${url} where id = ${added.id}`
        const { delivery } = yield* facts("webhooks", "ping", id)
        yield* sql`update webhook_delivery set state = 3 where id = ${delivery}`
        assert.match(yield* output("webhooks", "deliveries", id, "--state", "failed"), /ping +failed/)
        assert.deepStrictEqual(yield* facts("webhooks", "replay", id), { replayed: 1 })
        yield* output("webhooks", "replay", id, "--delivery", String(delivery))
        yield* output("webhooks", "disable", id)
        assert.include((yield* command("webhooks", "ping", id)).err, "inactive")
        yield* sql`update webhook set disabled_reason = 2 where id = ${added.id}`
        const { out } = yield* command("doctor", "--json")
        assert.include(out, "127.0.0.1/hook")
        assert.match(yield* output("webhooks", "list"), /no: failing/)
        yield* output("webhooks", "enable", id)
        yield* output("webhooks", "remove", id)
        assert.strictEqual((yield* command("webhooks", "deliveries", id)).code, 1)
        assert.deepStrictEqual(
          (yield* entries).map(({ entry }) => entry.replace("webhook ", "")),
          ["create", "renew-secret", "ping", "replay-failed", "replay", "update", "update", "delete"]
        )
      }),
    timeout
  )

  it.effect(
    "sees what takes room",
    () =>
      Effect.gen(function* () {
        const usage = yield* facts("storage", "usage")
        assert.isAbove(usage.databaseBytes, 1_000_000)
        assert.isArray(usage.folders)
        const users = usage.users.map(({ bytes, username }: Facts) => [username, bytes])
        assert.deepInclude(users, ["user", 200])
        assert.match(yield* output("storage", "usage"), /^all +\d+ +/m)
      }),
    timeout
  )

  it.effect(
    "has acts on users recorded, without passwords",
    () =>
      Effect.gen(function* () {
        const entries = yield* auditedSince
        const { process } = yield* RunningNode
        const password = "a secret of hers"
        yield* Effect.promise(() =>
          process.command(["users", "create", "ada", "--email", "ada@example.com", "--password-stdin"], `${password}\n`)
        )
        yield* output("users", "set-role", "ada", "moderator")
        yield* output("users", "reset-password", "ada")
        yield* output("users", "disable-two-factor", "ada")
        const made = yield* entries
        assert.deepStrictEqual(
          made.map(({ entry, username }) => [username, entry]),
          [
            [null, "user create"],
            [null, "user update"],
            [null, "user set-password"]
          ]
        )
        assert.notInclude(JSON.stringify(made), password)
      }),
    timeout
  )

  it.effect(
    "is told by doctor what waits and what fails",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`insert into custom_setting (path, value) values ('instance.short_description', '"Chosen"'), ('gone.key', '1')`
        yield* sql`
        insert into delivery_host (host, failures, failing_since) values ('dead.example', 9, now() - interval '2 days')`
        yield* sql`
        insert into abuse (reason, kind, target, created_at) values ('Old', 'account', '{}', now() - interval '9 days')`
        yield* sql`
        insert into user_registration (username, email, password_hash, registration_reason, created_at)
        values ('eve', 'eve@example.com', 'x', 'Please', now() - interval '8 days')`
        yield* output("jobs", "pause")
        const { out } = yield* command("doctor", "--json")
        const findings = JSON.parse(out) as ReadonlyArray<Record<string, string>>
        const said = (subject: string) =>
          findings.filter((finding) => finding["subject"] === subject && finding["level"] === "warning")
        assert.include(said("jobs")[0]!["detail"], "paused")
        assert.include(said("jobs")[1]!["detail"], "1 video-transcoding")
        assert.include(said("reports")[0]!["detail"], "one for 9 days")
        assert.include(said("registrations")[0]!["detail"], "one for 8 days")
        assert.include(said("federation")[0]!["detail"], "dead.example")
        assert.include(said("settings")[0]!["detail"], "instance.short_description")
        assert.include(said("settings")[1]!["detail"], "gone.key")
        for (const finding of findings) {
          if (finding["level"] !== "good") assert.isAbove(finding["advice"]!.length, 10, finding["detail"])
        }
        yield* output("jobs", "resume")
      }),
    timeout
  )
})
