import { assert, layer } from "@effect/vitest"
import { InvitedCollaborator, VideoChannelCollaboratorList } from "@kinora/domain/wire/Collaborator"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { administrator, ask, collaborate, expectStatus, invite, race, type Sharer, sharer } from "./Sharing.ts"

const decodeList = Schema.decodeUnknownSync(VideoChannelCollaboratorList)
const decodeInvited = Schema.decodeUnknownSync(InvitedCollaborator)

const listOf = Effect.fnUntraced(function* (who: Sharer | string, channel: string) {
  const { json } = expectStatus(yield* ask(who, "GET", `/video-channels/${channel}/collaborators`), 200)
  return decodeList(json).data.map(({ account, state }) => `${account.name} ${state.label}`)
})

layer(testNode(), { excludeTestServices: true, timeout: 60_000 })("Collaborators of a channel", (it) => {
  it.effect("are invited, listed, accept, decline, leave and are removed", () =>
    Effect.gen(function* () {
      const [owner, guest, other] = [yield* sharer("ann"), yield* sharer("ben"), yield* sharer("cid")]
      const path = `/video-channels/${owner.channel}/collaborators`
      const made = expectStatus(yield* ask(owner, "POST", `${path}/invite`, { accountHandle: "ben" }), 200)
      const { collaborator } = decodeInvited(made.json)
      assert.deepInclude(collaborator, { state: { id: 1, label: "Pending" } })
      assert.strictEqual(collaborator.account.name, "ben")
      const declined = yield* invite(owner, other)
      assert.deepStrictEqual(yield* listOf(owner, owner.channel), ["ben Pending", "cid Pending"])
      // Who is invited sees the invitation and nobody else's.
      assert.deepStrictEqual(yield* listOf(guest, owner.channel), ["ben Pending"])

      expectStatus(yield* ask(guest, "POST", `${path}/${collaborator.id}/accept`), 204)
      expectStatus(yield* ask(other, "POST", `${path}/${declined}/reject`), 204)
      assert.deepStrictEqual(yield* listOf(owner, owner.channel), ["ben Accepted"])
      assert.deepStrictEqual(yield* listOf(guest, owner.channel), ["ben Accepted"])
      expectStatus(yield* ask(other, "GET", path), 403)

      // Who declined may be asked again, and then change their mind.
      assert.strictEqual(yield* invite(owner, other), declined)
      expectStatus(yield* ask(other, "POST", `${path}/${declined}/accept`), 204)
      assert.deepStrictEqual(yield* listOf(other, owner.channel), ["ben Accepted", "cid Accepted"])

      expectStatus(yield* ask(other, "DELETE", `${path}/${declined}`), 204)
      expectStatus(yield* ask(owner, "DELETE", `${path}/${collaborator.id}`), 204)
      assert.deepStrictEqual(yield* listOf(owner, owner.channel), [])
      expectStatus(yield* ask(owner, "DELETE", `${path}/${collaborator.id}`), 404)
      expectStatus(yield* ask(guest, "GET", path), 403)
    })
  )

  it.effect("only who may decides, and every refusal is typed", () =>
    Effect.gen(function* () {
      const [owner, guest, stranger] = [yield* sharer("dan"), yield* sharer("eva"), yield* sharer("fay")]
      const [invited, moderator] = [yield* sharer("gus"), yield* sharer("mod", { role: 1 })]
      const root = yield* administrator
      const path = `/video-channels/${owner.channel}/collaborators`
      const accepted = yield* collaborate(owner, guest)
      const pending = yield* invite(owner, invited)
      const everybody = [undefined, stranger, invited, guest, moderator, root, owner]
      const statuses = (method: string, rest: string, body?: unknown) =>
        Effect.map(
          Effect.forEach(everybody, (who) => ask(who, method, path + rest, body)),
          (answers) => answers.map(({ status }) => status).join(" ")
        )
      assert.strictEqual(yield* statuses("GET", ""), "401 403 200 200 200 200 200")
      // Nobody is invited twice, whoever asks.
      assert.strictEqual(yield* statuses("POST", "/invite", { accountHandle: "eva" }), "401 403 403 403 403 409 409")
      // Nor does a moderator, who publishes in no channel of others, let themselves in.
      expectStatus(yield* ask(moderator, "POST", `${path}/invite`, { accountHandle: "mod" }), 403)
      assert.strictEqual(yield* statuses("POST", `/${accepted}/accept`), "401 403 403 409 403 403 403")
      assert.strictEqual(yield* statuses("POST", `/${accepted}/reject`), "401 403 403 409 403 403 403")
      // Those who see no collaborators do not learn which ids there are.
      assert.strictEqual(yield* statuses("POST", "/2147483647/accept"), "401 403 403 404 404 404 404")
      assert.strictEqual(yield* statuses("DELETE", "/2147483647"), "401 403 403 404 404 404 404")
      const others = [undefined, stranger, invited]
      for (const who of others) {
        expectStatus(yield* ask(who, "DELETE", `${path}/${accepted}`), who === undefined ? 401 : 403)
      }
      expectStatus(yield* ask(guest, "DELETE", `${path}/${pending}`), 403)
      expectStatus(yield* ask(moderator, "DELETE", `${path}/${pending}`), 204)
      // An id of another channel's collaborator is none of this one's.
      expectStatus(yield* ask(guest, "DELETE", `/video-channels/${guest.channel}/collaborators/${accepted}`), 404)
      assert.deepStrictEqual(yield* listOf(owner, owner.channel), ["eva Accepted"])
      expectStatus(yield* ask(owner, "GET", "/video-channels/nobody_channel/collaborators"), 404)
    })
  )

  it.effect("invitations name a user of this instance who does not own the channel", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [owner, blocked] = [yield* sharer("hal"), yield* sharer("ida")]
      yield* sql`update app_user set blocked = true where id = ${blocked.userId}`
      yield* sql`insert into server (host) values ('far.example')`
      yield* sql`
        with a as (
          insert into actor (type, preferred_username, url, inbox_url, public_key, server_id)
          select 'Person', 'far', 'https://far.example/accounts/far', 'https://far.example/inbox', 'x', id
          from server where host = 'far.example' returning id
        ) insert into account (actor_id, display_name) select id, 'Far' from a`
      const path = `/video-channels/${owner.channel}/collaborators/invite`
      for (const [accountHandle, status] of [
        ["nobody", 404],
        ["far@far.example", 400],
        ["ida", 400],
        ["hal", 400],
        ["hal@localhost:9000", 400],
        [owner.channel, 404],
        ["h_l", 404],
        ["%", 400],
        ["", 400],
        [7, 400],
        [null, 400],
        [["hal"], 400],
        [undefined, 400]
      ] as const) {
        const { json } = expectStatus(yield* ask(owner, "POST", path, { accountHandle }), status)
        if (status === 400) assert.deepStrictEqual(Object.keys(json["invalid-params"]), ["accountHandle"])
      }
      for (const id of ["0", "-1", "x", "1.5", "2147483648"]) {
        const { json } = expectStatus(
          yield* ask(owner, "POST", `/video-channels/${owner.channel}/collaborators/${id}/accept`),
          400
        )
        assert.deepStrictEqual(Object.keys(json["invalid-params"]), ["collaboratorId"])
      }
      const form = yield* send(`/api/v1${path}`, {
        ...bearer(owner.token),
        method: "POST",
        body: new URLSearchParams({ accountHandle: "root" })
      })
      assert.strictEqual(expectStatus(form, 200).json.collaborator.account.name, "root")
    })
  )

  it.effect("no two requests at once take one place or answer one invitation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [owner, guest] = [yield* sharer("jon"), yield* sharer("kim")]
      const path = `/video-channels/${owner.channel}/collaborators`
      const inviting = ask(owner, "POST", `${path}/invite`, { accountHandle: "kim" })
      assert.deepStrictEqual(yield* race([inviting, inviting, inviting]), [200, 409, 409])
      const [row] = (yield* ask(owner, "GET", path)).json.data
      const answers = ["accept", "reject", "accept"].map((way) => ask(guest, "POST", `${path}/${row.id}/${way}`))
      assert.deepStrictEqual(yield* race(answers), [204, 409, 409])
      yield* sql`delete from video_channel_collaborator where channel_id = ${owner.channelId}`

      const maxCollaborators = 20
      const names = Array.from({ length: maxCollaborators + 2 }, (_, n) => `crowd${n}`)
      yield* sql`
        with a as (
          insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
          select 'Person', n, 'http://localhost:9000/accounts/' || n, 'http://localhost:9000/inbox', 'x', 'x'
          from json_array_elements_text(${JSON.stringify(names)}::text::json) n returning id, preferred_username
        ), u as (
          insert into app_user (username, email, password_hash, role)
          select preferred_username::text, preferred_username || '@example.com', 'x', 2 from a returning id, username
        ) insert into account (actor_id, user_id, display_name)
          select a.id, u.id, 'x' from a join u on u.username = a.preferred_username`
      const statuses = yield* race(
        names.map((accountHandle) => ask(owner, "POST", `${path}/invite`, { accountHandle }))
      )
      assert.deepStrictEqual(statuses, [...Array.from({ length: maxCollaborators }, () => 200), 409, 409])
      assert.strictEqual((yield* ask(owner, "GET", path)).json.total, maxCollaborators)
    })
  )
})
