import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { type FarActor, type FarPeer, farPeer, ours } from "./FarPeer.ts"
import { settled } from "./InboxNode.ts"

export const publicly = "https://www.w3.org/ns/activitystreams#Public"

export const oursOf = (uuid: string) => `${ours}/videos/watch/${uuid}`

/** Sends an activity and waits for what becomes of it. */
export const tell = Effect.fnUntraced(function* (
  far: FarPeer,
  sender: FarActor,
  type: string,
  object: unknown,
  more: Readonly<Record<string, unknown>> = {}
) {
  const activity = far.activity(sender, type, object, more)
  const answer = yield* far.send(sender, JSON.stringify(activity))
  assert.strictEqual(answer.status, 204, answer.text)
  return yield* settled(activity.id)
})

/** An instance with somebody, their channel, and a video there. */
export const farInstance = Effect.gen(function* () {
  const far = yield* farPeer
  const alice = far.actor("alice")
  const channel = far.actor("films", { type: "Group", attributedTo: [{ type: "Person", id: alice.url }] })
  const uuid = randomUUID()
  const id = `${far.origin}/videos/watch/${uuid}`
  const video = {
    type: "Video",
    id,
    uuid,
    name: "From afar",
    duration: "PT60S",
    views: 3,
    attributedTo: [alice.url, channel.url],
    to: [publicly],
    cc: [],
    published: "2026-01-01T00:00:00.000Z",
    updated: "2026-01-01T00:00:00.000Z",
    url: [
      { type: "Link", mediaType: "text/html", href: id },
      { type: "Link", mediaType: "video/mp4", href: `${far.origin}/v.mp4`, height: 360, width: 640, size: 100, fps: 25 }
    ]
  }
  far.serve(`/videos/watch/${uuid}`, video)
  return { far, alice, channel, video }
})

export const refused = (why: string) => ({ state: "refused", error: why })
export const applied = { state: "applied", error: null }
