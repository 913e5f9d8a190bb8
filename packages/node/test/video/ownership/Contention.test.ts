import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { administrator, ask, collaborate, sharer } from "../../people/collaborator/Sharing.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../list/Videos.ts"

const rounds = 4

/** The list from the n-th item on, the first ones after the last. */
const turned = <A>(list: ReadonlyArray<A>, n: number): ReadonlyArray<A> => [
  ...list.slice(n % list.length),
  ...list.slice(0, n % list.length)
]

layer(testNode(), { excludeTestServices: true, timeout: 60_000 })("Everything at once", (it) => {
  it.effect(
    "taking over, giving, inviting, deleting videos, channels and users never end in each other's way",
    () =>
      Effect.gen(function* () {
        const root = yield* administrator
        for (let round = 0; round < rounds; round++) {
          const [owner, next] = [yield* sharer(`owner${round}`), yield* sharer(`next${round}`)]
          const helper = yield* sharer(`helper${round}`)
          for (const { name, token } of [owner, next]) {
            yield* ask(token, "POST", "/video-channels", { name: `${name}_second`, displayName: "Second" })
          }
          yield* collaborate(owner, helper)
          const videos = [yield* addVideo({ owner: owner.name }), yield* addVideo({ owner: owner.name })]
          const channel = `/video-channels/${owner.channel}`
          yield* ask(owner, "POST", `${channel}/give-ownership`, { username: next.name })
          for (const { uuid } of videos) {
            yield* ask(owner, "POST", `/videos/${uuid}/give-ownership`, { username: helper.name })
          }
          const [request] = (yield* ask(next, "GET", "/video-channels/ownership")).json.data
          const offers: ReadonlyArray<{ readonly id: number }> = (yield* ask(helper, "GET", "/videos/ownership")).json
            .data
          assert.lengthOf(offers, 2)
          const accept = { channelId: helper.channelId }
          const victim = [owner, next, helper, undefined][round]
          const requests = [
            ask(next, "POST", `/video-channels/ownership/${request.id}/accept`),
            ...offers.map(({ id }) => ask(helper, "POST", `/videos/ownership/${id}/accept`, accept)),
            ...videos.map(({ uuid }) => ask(owner, "DELETE", `/videos/${uuid}`)),
            ...(victim === undefined ? [] : [ask(root, "DELETE", `/users/${victim.userId}`)]),
            ask(owner, "PUT", channel, { support: "Thank you", bulkVideosSupportUpdate: true }),
            ask(owner, "DELETE", channel),
            ask(owner, "POST", `${channel}/collaborators/invite`, { accountHandle: next.name }),
            ...offers.map(({ id }) => ask(helper, "POST", `/videos/ownership/${id}/refuse`)),
            ask(owner, "DELETE", `/video-channels/ownership/${request.id}`)
          ]
          const answers = yield* Effect.all(turned(requests, round * 3), { concurrency: "unbounded" })
          for (const { status, text } of answers) assert.isBelow(status, 500, text)
          assert.isTrue(answers.some(({ status }) => status === 204))
        }
      }),
    60_000
  )
})
