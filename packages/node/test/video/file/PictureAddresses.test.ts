import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Answer, bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"

/** Every address of a picture, storyboard or caption in an answer, as `<img>` and `<track>` ask for it. */
const pictures = ({ text }: Answer): ReadonlyArray<string> =>
  [...text.matchAll(/"(?:thumbnailPath|previewPath|storyboardPath|captionPath|fileUrl)":"([^"]+)"/g)]
    .map(([, address]) => address!.replace(/^https?:\/\/[^/]+/, ""))
    .filter((path) => /\/(?:thumbnails|previews|storyboards|video-captions)\//.test(path))

const statusOf = (path: string) => Effect.map(send(path), ({ status }) => status)

layer(peopledNode, { excludeTestServices: true, timeout: 60_000 })("Addresses of pictures", (it) => {
  for (const [kind, options] of [
    ["private", { privacy: 3 }],
    ["internal", { privacy: 4 }],
    ["protected by a password", { privacy: 5, passwords: ["secret"] }],
    ["blocked", { blacklisted: true }]
  ] as const) {
    it.effect(`${kind}: open without a header to who may see the video, as answers name them`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const tokens = yield* People
        const video = yield* addVideo({ owner: "owner", ...options })
        // What people write is no address, whatever it looks like.
        const lookalike = `"thumbnailPath":"/lazy-static/thumbnails/${video.token}.jpg"`
        yield* sql`update video set description = ${lookalike} where id = ${video.id}`
        const one = `/api/v1/videos/${video.uuid}`
        for (const path of [one, `${one}/captions`, `${one}/storyboards`, "/api/v1/users/me/videos"]) {
          const answer = yield* send(path, bearer(tokens.owner))
          const found = pictures(answer)
          assert.isAbove(found.length, 0, path)
          for (const address of found) {
            assert.match(address, /\?videoFileToken=/)
            assert.strictEqual(yield* statusOf(address), 200, address)
            assert.strictEqual(yield* statusOf(address.replace(/\?.*/, "")), 403, address)
          }
          assert.deepStrictEqual(pictures(yield* send(path, bearer(tokens.owner))), found, "the same for an hour")
        }
        const { description } = (yield* send(`${one}/description`, bearer(tokens.owner))).json
        assert.strictEqual(description, lookalike)
        assert.strictEqual((yield* send(one, bearer(tokens.owner))).json.truncatedDescription, lookalike)
      })
    )
  }

  it.effect("open by the password as well, and end with the session and with the right", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tokens = yield* People
      const closed = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["secret"] })
      const answer = yield* send(`/api/v1/videos/${closed.uuid}`, {
        headers: { "x-peertube-video-password": "secret" }
      })
      const [byPassword] = pictures(answer)
      assert.strictEqual(yield* statusOf(byPassword!), 200)
      yield* sql`update video_password set password = 'another' where video_id = ${closed.id}`
      assert.strictEqual(yield* statusOf(byPassword!), 403)

      const video = yield* addVideo({ owner: "owner", privacy: 4 })
      const [internal] = pictures(yield* send(`/api/v1/videos/${video.uuid}`, bearer(tokens.other)))
      assert.strictEqual(yield* statusOf(internal!), 200)
      // It opens this video's pictures, and no other's.
      assert.strictEqual(yield* statusOf(internal!.replace(video.token, closed.token)), 403)
      yield* sql`update video set privacy = 3 where id = ${video.id}`
      yield* Effect.repeat(statusOf(internal!), { until: (status) => status === 403 }).pipe(
        Effect.timeout("20 seconds")
      )
    })
  )

  it.effect("carry nothing where everybody may see them", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      for (const privacy of [1, 2]) {
        const video = yield* addVideo({ owner: "owner", privacy })
        const one = `/api/v1/videos/${video.uuid}`
        for (const path of [one, `${one}/captions`, `${one}/storyboards`]) {
          const found = pictures(yield* send(path, bearer(tokens.owner)))
          assert.isAbove(found.length, 0, path)
          assert.notMatch(found.join(), /videoFileToken/)
        }
      }
    })
  )
})
