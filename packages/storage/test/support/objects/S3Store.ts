import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Bucket, buckets } from "../../../src/platform/objects/ObjectKey.ts"
import * as S3 from "../../../src/platform/objects/s3/S3ObjectStore.ts"
import type { S3Kinds } from "../../../src/platform/objects/s3/S3Kinds.ts"
import { makeS3Server, s3Keys, type S3Server } from "./S3Server.ts"

/** An S3 server, and the options of stores over it and over a folder of their own. */
export class S3Setup extends Context.Service<
  S3Setup,
  { readonly server: S3Server; readonly folder: string; readonly options: S3.S3ObjectStoreOptions }
>()("test/S3Setup") {
  static readonly layer = Layer.effect(
    S3Setup,
    Effect.gen(function* () {
      const server = yield* makeS3Server(["videos", "lists", "others"])
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-s3-store-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const kinds: S3Kinds = {
        web_videos: {
          bucket: "videos",
          prefix: "web/",
          acl: "public-read",
          publicAddress: `${server.endpoint}/videos`
        },
        web_videos_private: { bucket: "videos", prefix: "web/private/", acl: "private" },
        streaming_playlists: {
          bucket: "lists",
          prefix: "hls/",
          acl: "public-read",
          publicAddress: `${server.endpoint}/lists`
        },
        streaming_playlists_private: { bucket: "lists", prefix: "hls/private/", acl: "private" },
        original_video_files: { bucket: "others", prefix: "originals/", acl: "private" },
        captions: { bucket: "others", prefix: "captions/", acl: "private" }
      }
      return S3Setup.of({
        server,
        folder,
        options: {
          directories: Object.fromEntries(buckets.map((one) => [one, join(folder, one)])) as Record<Bucket, string>,
          settings: {
            endpoint: server.endpoint,
            region: "us-east-1",
            accessKeyId: s3Keys.accessKeyId,
            secretAccessKey: Redacted.make(s3Keys.secretAccessKey),
            pathStyle: true,
            partBytes: 64 * 1024,
            attempts: 3,
            silence: Duration.seconds(5)
          },
          kinds,
          storesNew: true,
          temporary: join(folder, "temporary"),
          contentType: (name) => (name.endsWith(".m3u8") ? "application/vnd.apple.mpegurl" : "video/mp4")
        }
      })
    })
  )
}

/** The store of the setup. */
export const S3Store = Layer.unwrap(Effect.map(S3Setup, ({ options }) => S3.layer(options))).pipe(
  Layer.provideMerge(S3Setup.layer)
)
