import { execFileSync } from "node:child_process"
import { statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from "vitest"
import { encodersBelow, halt } from "../support/chaos/Encoders.ts"
import { makeClip } from "../support/chaos/Stage.ts"
import { KinoraProcess, root, until } from "../support/KinoraProcess.ts"
import { RunnerProcess } from "../support/RunnerProcess.ts"
import { type CreatedVideo, untilReady, uploadMultipart, type VideoAnswer } from "../support/Uploads.ts"

const ffprobe = join(root, "node_modules/@ffprobe-installer/linux-x64/ffprobe")

interface ListedJob {
  readonly uuid: string
  readonly type: string
  readonly state: { readonly id: number; readonly label: string }
  readonly failures: number
  readonly progress: number | null
  readonly error: string | null
  readonly runner: { readonly name: string } | null
}

describe("kinora-runner", { timeout: 300_000 }, () => {
  const clip = makeClip(30)
  let node: KinoraProcess
  let auth: Record<string, string>
  const one = new RunnerProcess("one", "concurrency = 1\ngrace_seconds = 0\npoll_seconds = 5\n[media]\nthreads = 1")
  const two = new RunnerProcess("two", "concurrency = 2\npoll_seconds = 5\n[media]\nthreads = 1")

  beforeAll(async () => {
    node = await KinoraProcess.create({
      KINORA_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
      KINORA_REMOTE_RUNNERS_STALLED_JOBS_VOD: "12 seconds",
      KINORA_TRANSCODING_RESOLUTIONS_1080P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_720P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_480P: "false",
      KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false"
    })
    await node.start()
    auth = await node.login()
  })
  beforeEach(() =>
    onTestFailed(
      () =>
        void process.stderr.write(`${one.output}
${two.output}
${node.output.slice(-5000)}`)
    )
  )
  afterAll(async () => {
    await one.remove()
    await two.remove()
    await node.remove()
  })

  const upload = async (name: string): Promise<CreatedVideo> => {
    const answer = await uploadMultipart(node, auth, clip, { name, privacy: "1" })
    expect(answer.status, await answer.clone().text()).toBe(200)
    return ((await answer.json()) as { video: CreatedVideo }).video
  }

  const jobs = async (): Promise<ReadonlyArray<ListedJob>> =>
    (await node.json<{ data: ReadonlyArray<ListedJob> }>("/api/v1/runners/jobs?count=100&sort=-createdAt", auth)).data

  /** A rendition that a runner has begun, and told so: its encoder waits until it is let go. */
  const begun = async (runner: RunnerProcess) => {
    const encoder = await until(`${runner.name} to be in the middle`, 60, async () => {
      const busy = (await runner.jobs())?.find(({ percent, type }) => type === "vod-hls-transcoding" && percent > 0)
      return busy === undefined ? undefined : encodersBelow(join(runner.folder, "state/work", busy.uuid), "libx264")[0]
    })
    const { release } = halt(encoder)
    const job = await until(`${runner.name} to tell of it`, 60, async () =>
      (await jobs().catch(() => [])).find(
        ({ progress, runner: at, state, type }) =>
          state.id === 2 && at?.name === runner.name && type === "vod-hls-transcoding" && (progress ?? 0) > 0
      )
    )
    return { ...job, release }
  }

  /** The video once nothing is left to do: renditions are published as they come. */
  const completed = async (uuid: string): Promise<VideoAnswer> => {
    await until("the jobs to end", 200, async () => {
      const all = await jobs().catch(() => [])
      return all.length > 0 && all.every(({ state }) => state.id === 3) ? true : undefined
    })
    return await untilReady(node, uuid, 2, 200)
  }

  const probe = (video: VideoAnswer) =>
    video.streamingPlaylists[0]!.files.map(({ fileUrl }) => {
      const out = execFileSync(ffprobe, [
        ...["-v", "error", "-of", "json", "-show_entries", "stream=codec_name,height:format=duration"],
        new URL(new URL(fileUrl).pathname, node.url).href
      ])
      const { format, streams } = JSON.parse(out.toString()) as {
        format: { duration: string }
        streams: ReadonlyArray<{ codec_name: string; height?: number }>
      }
      return [
        streams.find(({ height }) => height)?.height,
        streams.map((it) => it.codec_name).sort(),
        Math.round(Number(format.duration))
      ]
    })

  const made = [
    [360, ["aac", "h264"], 30],
    [240, ["aac", "h264"], 30]
  ]

  it("registers, and keeps its token for its owner alone", async () => {
    expect((await one.command(["start"])).err).toContain("kinora-runner register")
    for (const runner of [one, two]) {
      const registered = await runner.register(node, auth)
      expect(registered.code, registered.err).toBe(0)
      expect(statSync(join(runner.folder, "state/servers.json")).mode & 0o777).toBe(0o600)
    }
    expect((await one.register(node, auth)).err).toContain("already")
    expect((await one.command(["list"])).out).toContain(node.url)
    expect((await one.command(["status"])).code).toBe(3)
    const wrong = await one.command([
      "register",
      "--url",
      "http://127.0.0.1:1",
      "--registration-token",
      "x",
      "--name",
      "x"
    ])
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("No answer (ECONNREFUSED)")])
  })

  it("is killed in the middle, and another completes the ladder; what it left is swept", async () => {
    await one.start()
    const { uuid } = await upload("Killed in the middle")
    const held = await begun(one)
    const status = await one.command(["status"])
    expect([status.code, status.out]).toEqual([0, expect.stringContaining(held.uuid.slice(0, 8))])
    expect((await one.command(["start"])).err).toContain("works in this storage already")
    await one.stop("SIGKILL")
    await held.release()
    expect(one.work()).toEqual([held.uuid])
    await two.start()
    expect(probe(await completed(uuid))).toEqual(made)
    await until("the folders of two to go", 60, async () => (two.work().length === 0 ? true : undefined))
    await one.start()
    expect(one.work()).toEqual([])
    await one.stop()
  })

  it("goes on through a restart of the server", async () => {
    const { uuid } = await upload("Restarted in the middle")
    const held = await begun(two)
    await node.stop()
    await held.release()
    await node.start()
    expect(probe(await completed(uuid))).toEqual(made)
    expect((await jobs()).map(({ failures, state }) => [failures, state.id])).not.toContainEqual([expect.anything(), 4])
  })

  it("gives back what it cannot finish when it is told to stop", async () => {
    expect(await two.stop()).toBe(0)
    await one.start()
    await upload("Stopped in the middle")
    const held = await begun(one)
    await held.release()
    expect(await one.stop(), one.output).toBe(0)
    const back = (await jobs()).find((job) => job.uuid === held.uuid)
    expect([back?.state.label, back?.failures], one.output).toEqual(["Pending", 0])
    expect(one.work()).toEqual([])
    expect((await one.command(["unregister", "--url", node.url])).code).toBe(0)
    expect((await one.command(["list"])).out).toContain("No server")
    // A server that is gone cannot be informed.
    await node.stop()
    const leave = ["unregister", "--url", node.url]
    expect((await two.command(leave)).code).toBe(1)
    expect((await two.command(["list"])).out).toContain(node.url)
    const left = await two.command([...leave, "--force"])
    expect([left.code, left.err]).toEqual([0, expect.stringContaining("could not be informed")])
    expect((await two.command(["list"])).out).toContain("No server")
  })
})
