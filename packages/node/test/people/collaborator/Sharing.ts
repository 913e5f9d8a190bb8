import { assert } from "@effect/vitest"
import { type Answer, login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { Effect } from "effect"

/** A user of the suite's node with a channel. */
export interface Sharer {
  readonly name: string
  readonly token: string
  readonly userId: number
  readonly accountId: number
  readonly channelId: number
  /** Name of the channel. */
  readonly channel: string
}

const password = "password1"

interface Options {
  readonly role?: 1 | 2
  readonly videoQuota?: number
  readonly videoQuotaDaily?: number
}

/** Makes a user who is logged in. */
export const sharer = Effect.fn("sharer")(function* (name: string, { role = 2, ...quotas }: Options = {}) {
  const users = yield* Users
  const made = yield* users.create({ username: name, email: `${name}@example.com`, password, role, ...quotas })
  return {
    name,
    token: (yield* login(name, password)).access_token,
    ...made,
    channel: `${name}_channel`
  } satisfies Sharer
}, Effect.orDie)

/** The access token of the administrator. */
export const administrator = Effect.map(login("root", rootPassword), (token) => token.access_token)

/** Asks with a token (none: nobody), and with a JSON body when there is one. */
export const ask = (who: Sharer | string | undefined, method: string, path: string, body?: unknown) => {
  const token = typeof who === "object" ? who.token : who
  return send(`/api/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
}

/** Fails unless the answer has the status; then it names the answer. */
export const expectStatus = (answer: Answer, status: number): Answer => {
  assert.strictEqual(answer.status, status, answer.text)
  return answer
}

/** Invites a user to a channel of another: the collaborator's id. */
export const invite = Effect.fn("invite")(function* (owner: Sharer, guest: Sharer) {
  const path = `/video-channels/${owner.channel}/collaborators/invite`
  const made = expectStatus(yield* ask(owner, "POST", path, { accountHandle: guest.name }), 200)
  return made.json.collaborator.id as number
})

/** Invites, and accepts: the collaborator's id. */
export const collaborate = Effect.fn("collaborate")(function* (owner: Sharer, guest: Sharer) {
  const id = yield* invite(owner, guest)
  expectStatus(yield* ask(guest, "POST", `/video-channels/${owner.channel}/collaborators/${id}/accept`), 204)
  return id
})

/** `action targetType` of the activities of a channel, the newest first. */
export const activities = Effect.fn("activities")(function* (who: Sharer, channel = who.channel) {
  const { json } = expectStatus(yield* ask(who, "GET", `/video-channels/${channel}/activities?count=100`), 200)
  return (json.data as ReadonlyArray<{ action: { label: string }; targetType: { label: string } }>).map(
    ({ action, targetType }) => `${action.label}: ${targetType.label}`
  )
})

/** How many of so many requests sent at once had each status. */
export const race = Effect.fn("race")(function* (requests: ReadonlyArray<ReturnType<typeof ask>>) {
  const answers = yield* Effect.all(requests, { concurrency: "unbounded" })
  return answers.map(({ status }) => status).toSorted((a, b) => a - b)
})
