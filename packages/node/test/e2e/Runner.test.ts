import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeClip } from "../support/chaos/Stage.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"
import { RunnerProcess } from "../support/RunnerProcess.ts"
import { type CreatedVideo, untilReady, uploadMultipart } from "../support/Uploads.ts"

/** What becomes of a runner's work when one side ends is in RunnerEnds.test.ts. */
describe("kinora-runner, of a server that leaves transcoding to it", { timeout: 300_000 }, () => {
  let node: KinoraProcess
  let auth: Record<string, string>
  const runner = new RunnerProcess("one", "concurrency = 2\npoll_seconds = 5\n[media]\nthreads = 1")

  beforeAll(async () => {
    node = await KinoraProcess.create({
      KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
      KINORA_TRANSCODING_RESOLUTIONS_1080P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_720P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_480P: "false",
      KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false"
    })
    await node.start()
    auth = await node.login()
  })
  afterAll(async () => {
    await runner.remove()
    await node.remove()
  })

  it("registers, makes every rendition of an upload, and stops in order", async () => {
    const registered = await runner.register(node, auth)
    expect(registered.code, registered.err).toBe(0)
    await runner.start()
    const answer = await uploadMultipart(node, auth, makeClip(4), { name: "Made elsewhere", privacy: "1" })
    expect(answer.status, await answer.clone().text()).toBe(200)
    const { video } = (await answer.json()) as { video: CreatedVideo }
    const done = await untilReady(node, video.uuid, 2)
    expect(done.streamingPlaylists[0]!.files.map(({ resolution }) => resolution.id).toSorted((a, b) => a - b)).toEqual([
      240, 360
    ])
    interface Jobs {
      readonly data: ReadonlyArray<{ readonly state: { readonly id: number }; readonly failures: number }>
    }
    const jobs = await until("the jobs to end", 200, async () => {
      const { data } = await node.json<Jobs>("/api/v1/runners/jobs?count=100", auth)
      return data.every(({ state }) => state.id === 3) ? data : undefined
    })
    expect(jobs.length).toBeGreaterThan(1)
    expect(jobs.map(({ failures }) => failures)).toEqual(jobs.map(() => 0))
    expect(await runner.stop(), runner.output).toBe(0)
    expect(runner.work()).toEqual([])
  })
})
