import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Api } from "../../src/api/Api.ts"
import { invalidParamsOf } from "../../src/errors/InvalidParams.ts"
import { toVideoListQuery, type videoListQuery } from "../../src/requests/VideoListQuery.ts"

// As the server decodes it: through the endpoint, one value standing for a list of one.
const query: Schema.Top = Api.groups.videos.endpoints.getVideos.query!
const decode = Schema.decodeUnknownEffect(
  Schema.toCodecArrayFromSingle(query) as unknown as Schema.Codec<typeof videoListQuery.Type, unknown>,
  { errors: "all" }
)
const refused = (input: Record<string, unknown>) =>
  Effect.map(Effect.flip(decode(input)), (error) => invalidParamsOf(error.issue, "query", input))

describe("videoListQuery", () => {
  it.effect("fills in the defaults", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(toVideoListQuery(yield* decode({})), {
        start: 0,
        count: 15,
        sort: { by: "publishedAt", descending: true },
        skipCount: false
      })
    })
  )

  it.effect("reads every parameter", () =>
    Effect.gen(function* () {
      const decoded = yield* decode({
        start: "5",
        count: "0",
        sort: "-views",
        skipCount: "true",
        nsfw: "both",
        nsfwFlagsIncluded: "3",
        nsfwFlagsExcluded: "4",
        isLive: "false",
        includeScheduledLive: "true",
        categoryOneOf: "1",
        licenceOneOf: ["1", "2"],
        languageOneOf: ["en", "fr"],
        tagsOneOf: "cat",
        tagsAllOf: ["cat", "dog"],
        isLocal: "true",
        include: "255",
        hasHLSFiles: "true",
        hasWebVideoFiles: "false",
        host: "videos.example:9000",
        autoTagOneOf: "external-link",
        videoStates: ["1", "2"],
        privacyOneOf: "1",
        excludeAlreadyWatched: "false",
        search: "cats & dogs",
        unknown: "ignored"
      })
      assert.deepStrictEqual(toVideoListQuery(decoded), {
        start: 5,
        count: 0,
        sort: { by: "views", descending: true },
        skipCount: true,
        nsfw: "both",
        nsfwFlagsIncluded: 3,
        nsfwFlagsExcluded: 4,
        isLive: false,
        includeScheduledLive: true,
        categoryOneOf: [1],
        licenceOneOf: [1, 2],
        languageOneOf: ["en", "fr"],
        tagsOneOf: ["cat"],
        tagsAllOf: ["cat", "dog"],
        isLocal: true,
        include: 255,
        hasHLSFiles: true,
        hasWebVideoFiles: false,
        host: "videos.example:9000",
        autoTagOneOf: ["external-link"],
        stateOneOf: [1, 2],
        privacyOneOf: [1],
        excludeAlreadyWatched: false,
        search: "cats & dogs"
      })
    })
  )

  it.effect("names all failing fields at once, with what was sent", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        { ...(yield* refused({ count: "101", start: "-1", sort: "bogus" })) },
        {
          start: {
            type: "field",
            value: "-1",
            msg: "Must be a whole number, 0 or more",
            param: "start",
            path: "start",
            location: "query"
          },
          count: {
            type: "field",
            value: "101",
            msg: "Must be a whole number from 0 to 100",
            param: "count",
            path: "count",
            location: "query"
          },
          sort: {
            type: "field",
            value: "bogus",
            msg: `Must be one of these, after a "-" for the reverse order: name, duration, createdAt, publishedAt, originallyPublishedAt, views, likes, comments, trending, hot, best, localVideoFilesSize, match`,
            param: "sort",
            path: "sort",
            location: "query"
          }
        }
      )
    })
  )

  it.effect.each([
    ["count", "-1"],
    ["count", "1e9"],
    ["count", "1000000000"],
    ["count", ["1", "2"]],
    ["start", "9007199254740992"],
    ["start", ""],
    ["sort", "name; drop table video"],
    ["sort", "--name"],
    ["sort", "id"],
    ["sort", ["name", "views"]],
    ["nsfw", "maybe"],
    ["isLive", "yes"],
    ["categoryOneOf", "music"],
    ["categoryOneOf", Array.from({ length: 10_000 }, () => "1")],
    ["tagsOneOf", ["a\u0000"]],
    ["tagsOneOf", { a: { b: "c" } }],
    ["include", "256"],
    ["nsfwFlagsIncluded", "8"],
    ["host", "a b"],
    ["stateOneOf", "13"],
    ["videoStates", "0"],
    ["privacyOneOf", ["1", "6"]],
    ["search", "a\u0000b"],
    ["search", "x".repeat(501)]
  ] as ReadonlyArray<readonly [string, unknown]>)("refuses %j", ([name, value]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(Object.keys(yield* refused({ [name]: value })), [name])
    })
  )
})
