import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"
import { type CreatedVideo, untilReady, uploadMultipart } from "../support/Uploads.ts"
import { clip } from "../video/upload/Clips.ts"

interface Watched {
  readonly views: number
  readonly viewers: number
}

describe("a node that is killed while somebody watches", () => {
  let node: KinoraProcess
  let video: CreatedVideo

  beforeAll(async () => {
    node = await KinoraProcess.create({ KINORA_VIEWS_VIDEOS_LOCAL_BUFFER_UPDATE_INTERVAL: "1 second" })
    await node.start()
    const source = ["-f", "lavfi", "-i", "testsrc=s=160x90:d=4", "-pix_fmt", "yuv420p", "-c:v", "libx264"]
    const answer = await uploadMultipart(node, await node.login(), clip("watched.mp4", source), {
      name: "A clip that is watched",
      privacy: "1"
    })
    video = ((await answer.json()) as { video: CreatedVideo }).video
    await untilReady(node, video.uuid, 1)
  })
  afterAll(() => node.remove())

  const tell = async (currentTime: number) => {
    const answer = await fetch(`${node.url}/api/v1/videos/${video.uuid}/views`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ currentTime, sessionId: "somebody" })
    })
    expect(answer.status).toBe(204)
  }
  const watched = () => node.json<Watched>(`/api/v1/videos/${video.uuid}`)

  it("has lost nothing that was told a moment before, and counts one view", async () => {
    await tell(0)
    // What a crash may lose is what came in the last 5 s: the viewer is told of within the time of a round more.
    await until("the viewer to be counted", 60, async () => ((await watched()).viewers === 1 ? true : undefined))
    await node.stop("SIGKILL")
    await node.start()
    expect((await watched()).viewers).toBe(1)
    await tell(2)
    await until("the view", 60, async () => ((await watched()).views === 1 ? true : undefined))
    await tell(4)
    await node.stop()
    await node.start()
    expect(await watched()).toMatchObject({ views: 1, viewers: 1 })
  })
})
