import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { s3Kinds, s3Origins, s3Settings } from "../../../src/platform/config/ObjectStorage.ts"
import { configure } from "./Sources.ts"

const base = {
  KINORA_OBJECT_STORAGE_ENABLED: "true",
  KINORA_OBJECT_STORAGE_ENDPOINT: "s3.example.org",
  KINORA_OBJECT_STORAGE_CREDENTIALS_ACCESS_KEY_ID: "key",
  KINORA_OBJECT_STORAGE_CREDENTIALS_SECRET_ACCESS_KEY: "secret"
}

const settingsOf = (more: Record<string, string>) =>
  Effect.map(configure({ ...base, ...more }), ({ config }) => config.object_storage)

it.layer(NodeServices.layer)("settings of object storage", (it) => {
  it.effect("name no storage by default", () =>
    Effect.gen(function* () {
      const { object_storage } = (yield* configure({})).config
      assert.isUndefined(s3Settings(object_storage))
      assert.deepStrictEqual(s3Kinds(object_storage), {})
      assert.deepStrictEqual(s3Origins(object_storage), [])
    })
  )

  it.effect("give each kind its place, and readers the address of what is public", () =>
    Effect.gen(function* () {
      const config = yield* settingsOf({
        KINORA_OBJECT_STORAGE_WEB_VIDEOS_PREFIX: "web/",
        KINORA_OBJECT_STORAGE_STREAMING_PLAYLISTS_BASE_URL: "https://cdn.example.org/",
        KINORA_OBJECT_STORAGE_CAPTIONS_BUCKET_NAME: "texts"
      })
      const kinds = s3Kinds(config)
      assert.deepStrictEqual(kinds.web_videos, {
        bucket: "web-videos",
        prefix: "web/",
        acl: "public-read",
        publicAddress: "https://web-videos.s3.example.org"
      })
      assert.deepStrictEqual(kinds.web_videos_private, { bucket: "web-videos", prefix: "web/private/", acl: "private" })
      assert.strictEqual(kinds.streaming_playlists?.publicAddress, "https://cdn.example.org")
      assert.strictEqual(kinds.streaming_playlists_private?.prefix, "hls/private/")
      assert.deepStrictEqual(kinds.captions, { bucket: "texts", prefix: "", acl: "private" })
      assert.isUndefined(kinds.thumbnails)
      assert.deepStrictEqual([...s3Origins(config)].toSorted(), [
        "https://cdn.example.org",
        "https://web-videos.s3.example.org"
      ])
    })
  )

  it.effect("send nobody to files whose ACL is private, unless there is an address for them", () =>
    Effect.gen(function* () {
      const config = yield* settingsOf({
        KINORA_OBJECT_STORAGE_UPLOAD_ACL_PUBLIC: "private",
        KINORA_OBJECT_STORAGE_WEB_VIDEOS_BASE_URL: "https://cdn.example.org"
      })
      assert.isUndefined(s3Kinds(config).streaming_playlists?.publicAddress)
      assert.strictEqual(s3Kinds(config).web_videos?.publicAddress, "https://cdn.example.org")
    })
  )

  it.effect("use the path for a number, and keep parts as large as services want them", () =>
    Effect.gen(function* () {
      const settings = s3Settings(
        yield* settingsOf({
          KINORA_OBJECT_STORAGE_ENDPOINT: "http://127.0.0.1:9000/",
          KINORA_OBJECT_STORAGE_MAX_UPLOAD_PART: "1MB"
        })
      )
      assert.strictEqual(settings?.endpoint, "http://127.0.0.1:9000")
      assert.isTrue(settings?.pathStyle)
      assert.strictEqual(settings?.partBytes, 5 * 1024 * 1024)
      assert.strictEqual(Redacted.value(settings!.secretAccessKey), "secret")
    })
  )

  it.effect("are refused where they cannot be", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [Record<string, string>, RegExp]> = [
        [{ KINORA_OBJECT_STORAGE_ENDPOINT: "" }, /object_storage\.endpoint .*\n.*is empty/],
        [{ KINORA_OBJECT_STORAGE_ENDPOINT: "ftp://x" }, /not an address/],
        [{ KINORA_OBJECT_STORAGE_CREDENTIALS_ACCESS_KEY_ID: "" }, /access_key_id/],
        [{ KINORA_OBJECT_STORAGE_WEB_VIDEOS_PREFIX: "a b" }, /web_videos\.prefix/],
        [
          {
            KINORA_OBJECT_STORAGE_USER_EXPORTS_BUCKET_NAME: "one",
            KINORA_OBJECT_STORAGE_ORIGINAL_VIDEO_FILES_BUCKET_NAME: "one"
          },
          /original_video_files and user_exports are in the same bucket/
        ]
      ]
      for (const [settings, message] of wrong) {
        assert.match((yield* Effect.flip(configure({ ...base, ...settings }))).message, message)
      }
      yield* settingsOf({
        KINORA_OBJECT_STORAGE_USER_EXPORTS_BUCKET_NAME: "one",
        KINORA_OBJECT_STORAGE_USER_EXPORTS_PREFIX: "exports/",
        KINORA_OBJECT_STORAGE_ORIGINAL_VIDEO_FILES_BUCKET_NAME: "one",
        KINORA_OBJECT_STORAGE_ORIGINAL_VIDEO_FILES_PREFIX: "originals/",
        KINORA_OBJECT_STORAGE_WEB_VIDEOS_BUCKET_NAME: "one",
        KINORA_OBJECT_STORAGE_STREAMING_PLAYLISTS_BUCKET_NAME: "one"
      })
    })
  )
})
