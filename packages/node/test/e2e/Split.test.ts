import { execFileSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from "vitest"
import { makeClip } from "../support/chaos/Stage.ts"
import { KinoraProcess, root, until } from "../support/KinoraProcess.ts"
import { RunnerProcess } from "../support/RunnerProcess.ts"
import { type CreatedVideo, untilReady, uploadMultipart } from "../support/Uploads.ts"

const ffprobe = join(root, "node_modules/@ffprobe-installer/linux-x64/ffprobe")
const partType = "kinora-vod-part-transcoding"

interface ListedJob {
  readonly type: string
  readonly state: { readonly id: number }
  readonly failures: number
  readonly runner: { readonly name: string } | null
}

describe("A long video", { timeout: 300_000 }, () => {
  const clip = makeClip(42)
  let node: KinoraProcess
  let auth: Record<string, string>
  const settings = "concurrency = 1\npoll_seconds = 5\n[media]\nthreads = 1"
  const runners = [new RunnerProcess("one", settings), new RunnerProcess("two", settings)] as const

  beforeAll(async () => {
    node = await KinoraProcess.create({
      KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
      KINORA_TRANSCODING_REMOTE_RUNNERS_SPLIT_MIN_DURATION: "20 seconds",
      KINORA_TRANSCODING_REMOTE_RUNNERS_SPLIT_PART_DURATION: "4 seconds",
      KINORA_REMOTE_RUNNERS_STALLED_JOBS_VOD: "22 seconds",
      // Parts are to last until somebody is caught at them.
      KINORA_TRANSCODING_PRESET: "veryfast",
      KINORA_TRANSCODING_RESOLUTIONS_1080P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_720P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_480P: "false"
    })
    await node.start()
    auth = await node.login()
    for (const runner of runners) {
      await runner.register(node, auth)
      await runner.start()
    }
  })
  beforeEach(() =>
    onTestFailed(
      () => void process.stderr.write(`${runners[0].output}\n${runners[1].output}\n${node.output.slice(-5000)}`)
    )
  )
  afterAll(async () => {
    for (const runner of runners) await runner.remove()
    await node.remove()
  })

  it("is made in parts by two runners, and costs one part when one of them is killed", async () => {
    const answer = await uploadMultipart(node, auth, clip, { name: "In parts", privacy: "1" })
    const { video } = (await answer.json()) as { video: CreatedVideo }
    const jobs = async () =>
      (await node.json<{ data: ReadonlyArray<ListedJob> }>("/api/v1/runners/jobs?count=100", auth)).data
    // It is held before it is killed: between two parts its death would cost none.
    let held = false
    /** What it had sent before it was held may arrive late: only a part that stays its own is lost with it. */
    let looks = 0
    await until("the first to be caught at a part while the other works on one", 60, async () => {
      const busy = (await jobs()).filter(({ state, type }) => type === partType && state.id === 2)
      const atWork = new Set(busy.map(({ runner }) => runner?.name))
      if (held && atWork.has("one")) return ++looks > 5 ? true : undefined
      looks = 0
      held = !held && atWork.size === 2
      runners[0].child!.kill(held ? "SIGSTOP" : "SIGCONT")
      return undefined
    })
    await runners[0].stop("SIGKILL")
    const ready = await untilReady(node, video.uuid, 2, 200)
    const done = (await jobs()).filter(({ type }) => type === partType)
    expect(done.length).toBe(10)
    expect(done.every(({ state }) => state.id === 3)).toBe(true)
    expect(done.reduce((sum, { failures }) => sum + failures, 0)).toBe(1)

    const files = ready.streamingPlaylists[0]!.files
    expect(files.map(({ resolution }) => resolution.id)).toEqual([360, 240])
    for (const { fileUrl } of files) {
      const out = execFileSync(ffprobe, [
        ...["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"],
        new URL(new URL(fileUrl).pathname, node.url).href
      ]).toString()
      const packets = out.split("\n").filter((line) => line.includes(","))
      const times = packets.map((line) => Number.parseFloat(line)).toSorted((a, b) => a - b)
      const frames = times.map((time) => Math.round((time - times[0]!) * 25))
      expect(frames).toEqual(Array.from({ length: 42 * 25 }, (_, n) => n))
      const keyframes = packets.filter((line) => line.includes("K")).map((line) => Number.parseFloat(line) - times[0]!)
      expect(keyframes.map(Math.round)).toEqual(Array.from({ length: 11 }, (_, n) => n * 4))
    }
    for (const left of ["runner-parts", "runner-results"]) {
      const path = join(node.dataDir, "tmp-persistent", left)
      await until(`${left} to be empty`, 60, async () =>
        !existsSync(path) || readdirSync(path).length === 0 ? true : undefined
      )
    }
  })
})
