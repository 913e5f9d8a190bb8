import { password } from "../../walks/support/Scene.ts"
import type { Instance } from "../Federating.ts"
import type { Act } from "./Act.ts"
import { ask, askJson, askList, inTurn } from "./Asking.ts"

/** An account, as the user logs in to it and as others name it. */
export interface Person {
  readonly name: string
  readonly instance: Instance
}

interface Thread {
  readonly comment: { readonly id: number }
}

/** A comment and a reply, which others read and their author deletes. */
const talking = (next: () => Person, video: () => string, serial: () => number) => async () => {
  const [one, other, uuid, n] = [next(), next(), video(), serial()]
  const threads = `/api/v1/videos/${uuid}/comment-threads`
  const json = { text: `Soaked comment ${n}` }
  const { comment } = await askJson<Thread>(one.instance, threads, { method: "POST", json, has: json.text })
  const reply = { text: `Soaked reply ${n}` }
  const path = `/api/v1/videos/${uuid}/comments/${comment.id}`
  const answer = await askJson<Thread>(other.instance, path, { method: "POST", json: reply, has: reply.text })
  await ask(one.instance, `${threads}/${comment.id}`, { has: reply.text })
  // A deleted comment that has replies leaves a trace.
  const comments = `/api/v1/videos/${uuid}/comments`
  for (const [{ instance }, { id }] of [
    [other, answer.comment],
    [one, comment]
  ] as const)
    await ask(instance, `${comments}/${id}`, { method: "DELETE", headers: instance.auth, status: 204 })
}

const loggingIn = (next: () => Person) => async () => {
  const { instance, name } = next()
  const auth = await instance.node.login(name, password)
  await askJson({ ...instance, auth }, "/api/v1/users/me", { has: name })
  await ask(instance, "/api/v1/users/revoke-token", { method: "POST", headers: auth })
  await ask(instance, "/api/v1/users/me", { headers: auth, status: 401 })
}

const subscribing = (next: () => Person) => async () => {
  const [one, other] = [next(), next()]
  const uri = `${other.name}_channel@${one.instance.host}`
  const path = "/api/v1/users/me/subscriptions"
  const { auth } = one.instance
  await ask(one.instance, path, { method: "POST", json: { uri }, headers: auth, status: 204 })
  await askJson(one.instance, `${path}/exist?uris=${encodeURIComponent(uri)}`, { has: "true" })
  await ask(one.instance, `${path}/${encodeURIComponent(uri)}`, { method: "DELETE", headers: auth, status: 204 })
}

const rating = (next: () => Person, video: () => string) => async () => {
  const { instance } = next()
  const uuid = video()
  for (const rating of ["like", "dislike", "none"]) {
    const question = { method: "PUT", json: { rating }, headers: instance.auth, status: 204 }
    await ask(instance, `/api/v1/videos/${uuid}/rate`, question)
  }
}

const reading = (next: () => Person) => async () => {
  const { instance } = next()
  const path = "/api/v1/users/me/notifications"
  await askList(instance, `${path}?count=20`)
  await ask(instance, `${path}/read-all`, { method: "POST", headers: instance.auth, status: 204 })
  const unread = await askList(instance, `${path}?unread=true`)
  // What came between the two.
  if (unread.total > 20) throw new Error(`${unread.total} notifications are unread after all were read`)
}

/** Users with an account who write, and take back what they wrote, so that an hour later there is as much as before. */
export const people = (all: ReadonlyArray<Person>, uuids: ReadonlyArray<string>): ReadonlyArray<Act> => {
  const next = inTurn(all)
  const video = inTurn(uuids)
  let serial = 0
  return [
    { kind: "people: comment, reply, delete", perMinute: 30, run: talking(next, video, () => serial++) },
    { kind: "people: log in and out", perMinute: 12, run: loggingIn(next) },
    // Two of the same two would undo each other's.
    { kind: "people: subscribe and unsubscribe", perMinute: 20, atOnce: 1, run: subscribing(next) },
    { kind: "people: rate", perMinute: 20, run: rating(next, video) },
    { kind: "people: read notifications", perMinute: 30, run: reading(next) },
    {
      kind: "people: subscribed videos",
      perMinute: 30,
      run: async () => void (await askList(next().instance, "/api/v1/users/me/subscriptions/videos?count=15"))
    }
  ]
}
