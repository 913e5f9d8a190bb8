import { assert, layer } from "@effect/vitest"
import { Probe } from "@kinora/media/probe/Probe"
import { Duration, Effect, FileSystem, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { request, type IncomingMessage } from "node:http"
import { bearer, send } from "../../instance/about/Client.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { clip, plainClip } from "../upload/Clips.ts"
import { People } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"
import { downloadNode, splitVideo, type SplitVideo, toolsWith } from "./DownloadNode.ts"

/** Four seconds of noise, twelve times: some 30 MB, more than fits into what lies between two programs. */
const longClip = () => {
  const noise = clip("noise.mp4", [
    ...["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=4,noise=alls=40:allf=t"],
    ...["-f", "lavfi", "-i", "sine=frequency=440:duration=4"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "5M", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"]
  ])
  return clip("noise-long.mp4", ["-stream_loop", "11", "-i", noise, "-c", "copy"])
}

const address = ({ audio, uuid, video }: SplitVideo): string =>
  `/download/videos/generate/${uuid}?videoFileIds=${video}&videoFileIds=${audio}`

/** Asks and takes the head of the answer; the body waits. */
const begin = Effect.fnUntraced(function* (path: string) {
  const base = yield* baseUrl
  return yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const sent = request(base + path, { agent: false }, (response) => {
            response.pause()
            response.on("error", () => undefined)
            resolve(response)
          })
          sent.on("error", reject)
          sent.end()
        })
    ),
    (response) => Effect.sync(() => response.destroy())
  )
})

const whole = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

const until = (holds: () => boolean) =>
  Effect.sync(holds).pipe(
    Effect.repeat({ until: (it) => it, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("20 seconds")
  )

layer(downloadNode(), { excludeTestServices: true })("Generated downloads", (it) => {
  it.effect("a video and an audio rendition become one mp4, whatever the form of the id", () =>
    Effect.gen(function* () {
      const made = yield* splitVideo(plainClip(), "Été")
      const base = yield* baseUrl
      const fs = yield* FileSystem.FileSystem
      for (const path of [
        address(made),
        `/download/videos/generate/${made.uuid}.mp4?videoFileIds[]=${made.audio}&videoFileIds[]=${made.video}`
      ]) {
        const answer = yield* Effect.promise(() => whole(base + path))
        assert.deepStrictEqual(
          [answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")],
          [200, "video/mp4", `attachment; filename="Ete-240p.mp4"; filename*=UTF-8''%C3%89t%C3%A9-240p.mp4`]
        )
        const file = yield* fs.makeTempFileScoped({ suffix: ".mp4" })
        yield* fs.writeFile(file, answer.bytes)
        const info = yield* (yield* Probe).probe(file)
        assert.deepStrictEqual([info.video?.codec, info.video?.height, info.audio.length], ["h264", 240, 1])
        assert.closeTo(info.duration, 2, 0.2)
      }
      const head = yield* send(address(made), { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.headers.get("content-type")], [200, "video/mp4"])
      assert.strictEqual(toolsWith(made.uuid), 0)
    })
  )

  it.effect("one file is given as it is, with ranges; sound alone is saved as sound", () =>
    Effect.gen(function* () {
      const { fileId, hlsFileId, uuid } = yield* addVideo({ owner: "owner" })
      const path = `/download/videos/generate/${uuid}?videoFileIds=`
      const part = yield* send(path + fileId, { headers: { range: "bytes=4-8" } })
      assert.deepStrictEqual([part.status, part.text], [206, "video"])
      assert.strictEqual((yield* send(path + hlsFileId)).text, "fragmented bytes")
      const made = yield* splitVideo(plainClip(), "Sound")
      const sound = yield* send(`/download/videos/generate/${made.uuid}.m4a?videoFileIds=${made.audio}`)
      assert.deepStrictEqual(
        [sound.status, sound.headers.get("content-type"), sound.headers.get("content-disposition")],
        [200, "audio/mp4", `attachment; filename="Sound-audio.m4a"`]
      )
    })
  )

  it.effect("refuses what cannot be put together, and files of other videos", () =>
    Effect.gen(function* () {
      const { fileId, hlsFileId, uuid } = yield* addVideo({ owner: "owner" })
      const another = yield* addVideo({ owner: "owner" })
      const asks: ReadonlyArray<readonly [string, number]> = [
        [`${uuid}?videoFileIds=${fileId}&videoFileIds=${hlsFileId}`, 400],
        [`${uuid}`, 400],
        [`${uuid}?videoFileIds=`, 400],
        [`${uuid}?videoFileIds=x`, 400],
        [`${uuid}?videoFileIds=0`, 400],
        [`${uuid}?videoFileIds=${"9".repeat(20)}`, 400],
        [`${uuid}?${"videoFileIds=1&".repeat(11)}`, 400],
        [`none?videoFileIds=1`, 400],
        [`${uuid}?videoFileIds=${another.fileId}`, 404],
        [`${uuid}?videoFileIds=${fileId}&videoFileIds=${another.fileId}`, 404],
        [`2147483647?videoFileIds=${fileId}`, 404]
      ]
      for (const [path, status] of asks) {
        assert.strictEqual((yield* send(`/download/videos/generate/${path}`)).status, status, path)
      }
      const both = yield* send("/download/videos/generate/none")
      assert.sameMembers(Object.keys(both.json["invalid-params"]), ["id", "videoFileIds"])
      const twice = yield* send(`/download/videos/generate/${uuid}?videoFileIds=${fileId}&videoFileIds=${fileId}`)
      assert.strictEqual(twice.status, 200)
    })
  )

  it.effect("a private video is put together for those who may see it alone", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const made = yield* splitVideo(plainClip(), "Private", 3)
      assert.strictEqual((yield* send(address(made))).status, 403)
      assert.strictEqual((yield* send(address(made), bearer(other))).status, 403)
      const mine = yield* send(address(made), bearer(owner))
      assert.deepStrictEqual([mine.status, mine.headers.get("cache-control")], [200, "private, no-store"])
      const ask = yield* send(`/api/v1/videos/${made.uuid}/token`, { method: "POST", ...bearer(owner) })
      assert.strictEqual((yield* send(`${address(made)}&videoFileToken=${ask.json.files.token}`)).status, 200)
    })
  )

  it.effect("an unreadable file is a failure before anything is sent", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { fileId, hlsFileId, uuid } = yield* addVideo({ owner: "owner" })
      yield* sql`update video_file set has_audio = false where id = ${fileId}`
      yield* sql`update video_file set has_video = false where id = ${hlsFileId}`
      const path = `/download/videos/generate/${uuid}?videoFileIds=${fileId}&videoFileIds=${hlsFileId}`
      const answer = yield* send(path)
      assert.deepStrictEqual([answer.status, answer.json.status], [500, 500])
      assert.notInclude(answer.text, "ffmpeg")
    })
  )
})

const few = { download: { max_generated_videos: 2 } }
const strict = { minBytesPerSecond: 1_000_000, stallLimit: Duration.seconds(4) }

layer(downloadNode(few, strict), { excludeTestServices: true })("Tools of generated downloads", (it) => {
  it.effect("a client that goes away, or that does not read, loses its tool at once", () =>
    Effect.gen(function* () {
      const made = yield* splitVideo(longClip(), "Gone")
      const gone = yield* begin(address(made))
      assert.strictEqual(toolsWith(made.uuid), 1)
      gone.destroy()
      yield* until(() => toolsWith(made.uuid) === 0)
      const idle = yield* begin(address(made))
      assert.strictEqual(toolsWith(made.uuid), 1)
      yield* until(() => toolsWith(made.uuid) === 0)
      const cut = yield* Effect.promise(
        () =>
          new Promise<boolean>((resolve) => {
            idle.once("close", () => resolve(!idle.complete))
            idle.resume()
          })
      )
      assert.isTrue(cut)
    })
  )

  it.effect("there are no more of them than allowed; who comes too late is told when to come again", () =>
    Effect.gen(function* () {
      const made = yield* splitVideo(longClip(), "Busy")
      const first = yield* begin(address(made))
      yield* begin(address(made))
      const third = yield* send(address(made))
      assert.deepStrictEqual([third.status, third.headers.get("retry-after")], [429, "10"])
      first.destroy()
      yield* until(() => toolsWith(made.uuid) < 2)
      const fourth = yield* begin(address(made))
      assert.strictEqual(fourth.statusCode, 200)
    })
  )
})
