/**
 * Lives: how soon the first segment can be played, what passing streams through costs the node, how far viewers are behind
 * (a clock in the picture, read from frames in Debian's Chromium), and playlists under two thousand viewers.
 */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { browserFlags } from "../../packages/node/test/support/Browser.ts"
import { costOf } from "./lib/Cost.ts"
import { freshDataDir, login, start } from "./lib/Instance.ts"
import {
  type BenchLive,
  bitWidth,
  clockBits,
  clockRate,
  createLive,
  ffmpeg,
  publishClock,
  publishFile
} from "./lib/LivePublisher.ts"
import { type Figure, write } from "./lib/Report.ts"
import { viewers } from "./lib/Viewers.ts"

const seconds = 20
const rtmpPort = 19_480
const srtPort = 19_481
const wait = (time: number) => new Promise((done) => setTimeout(done, time * 1000))
const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const data = freshDataDir()
const instance = await start(data.dir, 9480, {
  KINORA_LIVE_ENABLED: "true",
  KINORA_LIVE_RTMP_PORT: String(rtmpPort),
  KINORA_LIVE_SRT_ENABLED: "true",
  KINORA_LIVE_SRT_PORT: String(srtPort),
  KINORA_LIVE_TRANSCODING_ENABLED: "false",
  KINORA_LIVE_MAX_INSTANCE_LIVES: "-1",
  KINORA_LIVE_MAX_USER_LIVES: "-1",
  KINORA_LIVE_RECONNECT_GRACE: "1 second"
})
const { url } = instance
const token = await login(url)

interface Seen {
  readonly state: { readonly id: number }
  readonly streamingPlaylists: ReadonlyArray<{ readonly playlistUrl: string }>
}

/** The address of the master playlist, as soon as the live can be seen. */
const shown = async ({ uuid }: BenchLive): Promise<string> => {
  for (;;) {
    const { state, streamingPlaylists } = (await (await fetch(`${url}/api/v1/videos/${uuid}`)).json()) as Seen
    const [playlist] = streamingPlaylists
    if (state.id === 1 && playlist !== undefined) return playlist.playlistUrl
    await wait(0.05)
  }
}

const stop = async (child: ReturnType<typeof publishFile>) => {
  child.kill("SIGKILL")
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
}

/** Seconds that viewers are behind the publisher, in a browser. */
const behind = async (latencyMode: number): Promise<number> => {
  const live = await createLive(url, token, { latencyMode, permanentLive: true })
  const { began, child } = await publishClock(live.address)
  await shown(live)
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${url}/w/${live.uuid}`)
    await page.evaluate("document.querySelector('video').muted = true; void document.querySelector('video').play()")
    const read = `(() => {
      const video = document.querySelector("video")
      if (video.readyState < 2 || video.currentTime === 0) return null
      const canvas = new OffscreenCanvas(640, 360)
      const context = canvas.getContext("2d")
      context.drawImage(video, 0, 0, 640, 360)
      let steps = 0
      for (let bit = 0; bit < ${clockBits}; bit++) {
        const [light] = context.getImageData(bit * ${bitWidth} + ${bitWidth / 2}, 20, 1, 1).data
        if (light > 128) steps += 2 ** bit
      }
      return [Date.now(), steps / ${clockRate}]
    })()`
    const found: Array<number> = []
    await wait(10)
    for (let nth = 0; nth < 20; nth++) {
      const [at, time] = (await page.evaluate<readonly [number, number] | null>(read)) ?? [0, 0]
      if (at > 0) found.push((at - began) / 1000 - time)
      await wait(0.5)
    }
    return median(found)
  } finally {
    await browser.close()
    await stop(child)
  }
}

const doors = [
  ["RTMP", ({ address }: BenchLive) => address],
  ["SRT", ({ srtUrl }: BenchLive) => srtUrl]
] as const

try {
  const clip = join(data.dir, "clip.flv")
  const rate = ["-b:v", "6M", "-minrate", "6M", "-maxrate", "6M", "-bufsize", "3M", "-x264-params", "nal-hrd=cbr"]
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=10"]
  const sound = ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=10:a=0.1"]
  const encode = ["-c:v", "libx264", "-preset", "ultrafast", ...rate, "-g", "60", "-c:a", "aac", "-b:a", "128k"]
  const small = join(data.dir, "small.flv")
  spawnSync(ffmpeg, ["-nostdin", "-y", "-loglevel", "error", ...picture, ...sound, ...encode, clip])
  const light = ["-vf", "scale=320:180", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "200k", "-g", "60"]
  spawnSync(ffmpeg, ["-nostdin", "-y", "-loglevel", "error", "-i", clip, ...light, "-c:a", "aac", "-b:a", "32k", small])

  const figures: Array<Figure> = []
  for (const [protocol, addressOf] of doors) {
    const firsts: Array<number> = []
    for (let nth = 0; nth < 3; nth++) {
      const live = await createLive(url, token, { permanentLive: true })
      const from = performance.now()
      const child = publishFile(clip, addressOf(live))
      await shown(live)
      firsts.push((performance.now() - from) / 1000)
      await stop(child)
    }
    figures.push({
      name: `from the publisher's start to the first segment by ${protocol}, median of 3`,
      value: median(firsts),
      unit: "s",
      goal: { kind: "at most", value: protocol === "RTMP" ? 3 : 4 }
    })
  }

  const quiet = costOf(instance)
  await wait(seconds)
  const idle = ((costOf(instance).node - quiet.node) / seconds) * 100
  for (const [count, [protocol, addressOf], most] of [
    [1, doors[0], 3],
    [20, doors[0], 60],
    [1, doors[1], 8]
  ] as const) {
    const lives = await Promise.all(
      Array.from({ length: count }, () => createLive(url, token, { permanentLive: true }))
    )
    const children = lives.map((live) => publishFile(clip, addressOf(live)))
    await Promise.all(lives.map(shown))
    await wait(10)
    const before = costOf(instance)
    await wait(seconds)
    const after = costOf(instance)
    figures.push({
      name: `${count} passed through from ${protocol}, 1080p at 6 Mbit/s, the node's process`,
      value: ((after.node - before.node) / seconds) * 100,
      unit: "% of a core",
      goal: { kind: "at most", value: most },
      beside: { name: "the same process without lives (%)", value: idle },
      note: `its database ${(((after.database - before.database) / seconds) * 100).toFixed(1)} %`
    })
    await Promise.all(children.map(stop))
  }

  for (const [name, mode, limit] of [
    ["default", 1, 12],
    ["small", 3, 6]
  ] as const) {
    figures.push({
      name: `behind the publisher, ${name} latency, median of 20`,
      value: await behind(mode),
      unit: "s",
      goal: { kind: "at most", value: limit }
    })
  }

  const live = await createLive(url, token, { permanentLive: true })
  const child = publishFile(small, live.address)
  const master = await shown(live)
  const before = costOf(instance)
  const seen = await viewers(master, 2000, 30)
  const after = costOf(instance)
  await stop(child)
  const requests = seen.playlists + seen.segments
  figures.push(
    {
      name: "playlists for 2,000 viewers, 99th percentile",
      value: seen.p99,
      unit: "ms",
      goal: { kind: "at most", value: 50 },
      note: `${seen.playlists} playlists, ${seen.segments} segments, ${seen.errors} errors in 30 s`
    },
    {
      name: "the node's process for a request of theirs",
      value: ((after.node - before.node) * 1000) / requests,
      unit: "ms of a core",
      goal: { kind: "at most", value: 1 }
    }
  )
  write("live", figures, { clip: "1080p30, H.264 at 6 Mbit/s, AAC" })
} finally {
  await instance.stop()
  data.remove()
}
