import { afterAll, beforeAll, expect, it } from "vitest"
import { KinoraProcess } from "../support/KinoraProcess.ts"
import { bigBuckBunny, type CreatedVideo, uploadMultipart } from "../support/Uploads.ts"

let node: KinoraProcess
beforeAll(async () => {
  node = await KinoraProcess.create()
  await node.startAsItIs()
})
afterAll(() => node.remove())

interface FirstAnswer {
  readonly files: ReadonlyArray<{ readonly fileUrl: string }>
  readonly streamingPlaylists: ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly fileUrl: string }> }>
  readonly thumbnailPath: string | null
}

// The peer's command line waits for renditions unless it is asked not to.
it.each(["false", "true"])("has a file and a thumbnail as soon as the upload is answered (wait: %s)", async (wait) => {
  const auth = await node.login()
  const fields = { name: "At once", privacy: "1", waitTranscoding: wait }
  const answer = await uploadMultipart(node, auth, bigBuckBunny, fields)
  const { video } = (await answer.json()) as { video: CreatedVideo }
  const first = await node.json<FirstAnswer>(`/api/v1/videos/${video.uuid}`, auth)
  const files = [...first.files, ...first.streamingPlaylists.flatMap((playlist) => playlist.files)]
  expect(files.length).toBeGreaterThan(0)
  expect((await node.get(new URL(files[0]!.fileUrl).pathname, { range: "bytes=0-9" })).status).toBe(206)
  expect((await node.get(first.thumbnailPath!)).status).toBe(200)
})
