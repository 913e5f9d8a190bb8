import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { invalidParamsOf } from "../../src/errors/InvalidParams.ts"
import { checkTogether, decodeResumableUpload, decodeVideoUpload } from "../../src/requests/VideoUpload.ts"

const refused = (input: Record<string, unknown>) =>
  Effect.map(Effect.flip(decodeVideoUpload(input)), (error) => invalidParamsOf(error.issue, "body", input))

describe("VideoUpload", () => {
  it.effect("reads a form, where everything is text", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* decodeVideoUpload({
          name: "My video",
          channelId: "2",
          privacy: "1",
          category: "null",
          licence: "",
          language: "en",
          description: "",
          support: "null",
          waitTranscoding: "true",
          generateTranscription: "false",
          nsfw: "false",
          nsfwSummary: "null",
          nsfwFlags: "0",
          tags: ["cat", "dog"],
          commentsPolicy: "3",
          downloadEnabled: "false",
          originallyPublishedAt: "2020-01-02T03:04:05Z",
          scheduleUpdate: { updateAt: "2030-01-01T00:00:00Z", privacy: "1" },
          videoPasswords: "secret",
          commentsEnabled: "true"
        }),
        {
          name: "My video",
          channelId: 2 as never,
          privacy: 1,
          category: null,
          licence: null,
          language: "en",
          description: null,
          support: null,
          waitTranscoding: true,
          generateTranscription: false,
          nsfw: false,
          nsfwSummary: null,
          nsfwFlags: 0,
          tags: ["cat", "dog"],
          commentsPolicy: 3,
          downloadEnabled: false,
          originallyPublishedAt: "2020-01-02T03:04:05.000Z",
          scheduleUpdate: { updateAt: "2030-01-01T00:00:00.000Z", privacy: 1 },
          videoPasswords: ["secret"]
        }
      )
    })
  )

  it.effect("reads JSON, where values have their types", () =>
    Effect.gen(function* () {
      const fields = yield* decodeResumableUpload({
        name: "Resumable",
        channelId: 2,
        filename: "small.mp4",
        privacy: 1,
        waitTranscoding: false,
        tags: null,
        category: null
      })
      assert.deepStrictEqual(fields, {
        name: "Resumable",
        channelId: 2 as never,
        filename: "small.mp4",
        privacy: 1,
        waitTranscoding: false,
        tags: [],
        category: null
      })
    })
  )

  it.effect("names missing fields, and no password", () =>
    Effect.gen(function* () {
      const invalid = yield* refused({ videoPasswords: ["a"] })
      assert.deepStrictEqual(Object.keys(invalid), ["name", "channelId", "videoPasswords"])
      assert.strictEqual(invalid["name"]?.msg, "Must be a video name of 3 to 120 characters")
      assert.isFalse("value" in invalid["videoPasswords"]!)
    })
  )

  it.effect.each([
    ["name", "ab"],
    ["name", "x".repeat(121)],
    ["name", "nul\u0000"],
    ["name", ["one", "two"]],
    ["channelId", "0"],
    ["channelId", "root"],
    ["channelId", "2147483648"],
    ["privacy", "6"],
    ["privacy", "null"],
    ["category", "19"],
    ["licence", "10"],
    ["language", "klingon"],
    ["language", "__proto__"],
    ["description", "ab"],
    ["description", "x".repeat(10_001)],
    ["support", "x".repeat(1001)],
    ["waitTranscoding", "maybe"],
    ["nsfw", {}],
    ["nsfwSummary", "x".repeat(251)],
    ["nsfwFlags", "8"],
    ["tags", ["a"]],
    ["tags", ["ab", "ab"]],
    ["tags", ["ab", "cd", "ef", "gh", "ij", "kl"]],
    ["commentsPolicy", "4"],
    ["originallyPublishedAt", "yesterday"],
    ["scheduleUpdate", "tomorrow"],
    ["scheduleUpdate", { privacy: 1 }],
    ["scheduleUpdate", { updateAt: "2030-01-01T00:00:00Z", privacy: 3 }],
    ["videoPasswords", ["same", "same"]],
    ["videoPasswords", "x".repeat(101)]
  ] as ReadonlyArray<readonly [string, unknown]>)("refuses %j", ([name, value]) =>
    Effect.gen(function* () {
      const invalid = yield* refused({ name: "My video", channelId: "2", [name]: value })
      assert.deepStrictEqual(Object.keys(invalid), [name])
    })
  )

  it("asks for a password where the privacy needs one", () => {
    assert.strictEqual(checkTogether({ privacy: 5 })?.detail, "Incorrect request parameters: videoPasswords")
    assert.strictEqual(checkTogether({ privacy: 5, videoPasswords: [] })?._tag, "InvalidParameters")
    assert.isUndefined(checkTogether({ privacy: 5, videoPasswords: ["secret"] }))
    assert.isUndefined(checkTogether({ privacy: 1 }))
  })
})
