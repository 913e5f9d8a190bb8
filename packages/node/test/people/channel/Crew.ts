import { Effect, Layer } from "effect"
import { Context } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { type Answer, login, send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"

/** Everybody a channel of `owner` may be asked about by: nobody, its owner, who works on it, a stranger, moderators. */
export type Member = "anonymous" | "owner" | "helper" | "stranger" | "moderator" | "administrator"
export const members: ReadonlyArray<Member> = ["anonymous", "stranger", "helper", "moderator", "owner"]

const password = "password1"

const add = Effect.fnUntraced(function* (username: string, role: 1 | 2) {
  yield* (yield* Users).create({ username, email: `${username}@example.com`, password, role })
  return (yield* login(username, password)).access_token
})

/** Access tokens by member; empty for nobody. */
export class Crew extends Context.Service<Crew, Readonly<Record<Member, string>>>()("@kinora/node/test/channels/Crew") {
  static readonly layer = Layer.effect(
    Crew,
    Effect.all({
      anonymous: Effect.succeed(""),
      owner: add("owner", 2),
      helper: add("helper", 2),
      stranger: add("stranger", 2),
      moderator: add("moderator", 1),
      administrator: Effect.map(login("root", rootPassword), (token) => token.access_token)
    })
  )
}

/** A node with these people; `helper` works on `owner_channel`. */
export const crewNode = (overrides: Overrides = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Crew
      yield* collaborate("owner_channel", "helper")
    })
  ).pipe(Layer.provideMerge(Crew.layer), Layer.provideMerge(testNode(overrides)))

/** Writes an accepted collaboration down. */
export const collaborate = Effect.fnUntraced(function* (channel: string, username: string) {
  const sql = yield* SqlClient
  yield* sql`
    insert into video_channel_collaborator (channel_id, account_id, state)
    select c.id, u.id, 2 from video_channel c join actor a on a.id = c.actor_id,
      account u join app_user p on p.id = u.user_id
    where a.preferred_username = ${channel}::citext and p.username = ${username}::citext`
}, Effect.orDie)

/** Asks as a member, with a JSON body when there is one. */
export const ask = Effect.fnUntraced(function* (who: Member, method: string, path: string, body?: unknown) {
  const token = (yield* Crew)[who]
  return yield* send(`/api/v1${path}`, {
    method,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
})

/** Names of the refused fields of an answer, sorted; each has a sentence of its own. */
export const refused = ({ json, status }: Answer): ReadonlyArray<string> | number =>
  status === 400 && json["invalid-params"] !== undefined
    ? Object.entries(json["invalid-params"] as Record<string, { readonly msg: string }>)
        .filter(([, { msg }]) => msg.length > 10)
        .map(([name]) => name)
        .toSorted()
    : status
