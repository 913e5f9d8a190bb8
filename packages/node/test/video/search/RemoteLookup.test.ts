import { assert, layer } from "@effect/vitest"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Effect, Layer, Option } from "effect"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { RemoteLookup } from "../../../src/video/search/RemoteLookup.ts"
import { Searches } from "../../../src/video/search/Searches.ts"
import { testServices } from "../../instance/about/TestNode.ts"

const asked: Array<string> = []
const recorded = Layer.succeed(RemoteLookup)({
  discover: (address) =>
    Effect.sync(() => {
      asked.push(address)
      return Option.none()
    })
})

const searchesWith = (overrides: Overrides) =>
  Layer.fresh(Searches.layer).pipe(Layer.provide(recorded), Layer.provide(testServices(overrides)))

const somebody = Option.some({
  id: 0,
  accountId: 0,
  role: 2,
  nsfw: { policy: null, flagsHidden: 0, flagsListed: 0 }
} as CurrentUserShape)

/** What is asked of others for a search for videos and one for channels. */
const discovered = Effect.fnUntraced(function* (text: string, user: typeof somebody | Option.None<CurrentUserShape>) {
  const searches = yield* Searches
  asked.length = 0
  const { search: _none, ...query } = toVideoListQuery({})
  const sort = { by: "match", descending: true } as const
  yield* searches.videos({ ...query, search: text } as Parameters<typeof searches.videos>[0], user)
  yield* searches.channels({ start: 0, count: 10, sort, text }, user)
  return [...asked]
})

const address = "https://far.example/videos/watch/none"

layer(searchesWith({}), { excludeTestServices: true, timeout: 60_000 })("addresses elsewhere", (it) => {
  it.effect("are asked for on behalf of users alone", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* discovered(address, somebody), [address, address])
      assert.deepStrictEqual(yield* discovered("@ann@far.example", somebody), ["ann@far.example", "ann@far.example"])
      assert.deepStrictEqual(yield* discovered(address, Option.none()), [])
      assert.deepStrictEqual(yield* discovered("@ann@far.example", Option.none()), [])
    })
  )

  it.effect("are not ours, and no words", () =>
    Effect.gen(function* () {
      for (const text of [
        "http://localhost:9000/w/none",
        "@ann",
        "@ann@localhost:9000",
        "words that are nowhere",
        "ftp://far.example/x",
        "00000000-0000-4000-8000-000000000000"
      ]) {
        assert.deepStrictEqual([text, yield* discovered(text, somebody)], [text, []])
      }
    })
  )
})

layer(searchesWith({ search: { remote_uri: { users: false, anonymous: true } } }), {
  excludeTestServices: true,
  timeout: 60_000
})("addresses elsewhere, with the choice turned round", (it) => {
  it.effect("are asked for on behalf of everybody but users", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* discovered(address, somebody), [])
      assert.deepStrictEqual(yield* discovered(address, Option.none()), [address, address])
    })
  )
})
