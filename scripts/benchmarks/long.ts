import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { freshDataDir, login, residentMiB, root, start } from "./lib/Instance.ts"
import { type Figure, write } from "./lib/Report.ts"
import { upload, waitForFiles } from "./lib/Videos.ts"

/** A source of three hours through the whole pipeline: how soon it plays, how long the ladder takes, what the node's memory does. */
const hours = 3

const made = spawnSync(process.execPath, [join(root, "scripts/fixtures/generate.ts"), "threehours.mp4"], {
  stdio: "inherit"
})
if (made.status !== 0) throw new Error("the three-hour clip could not be made")

const data = freshDataDir()
const port = 9520
try {
  const instance = await start(data.dir, port)
  const token = await login(instance.url)
  let peak = residentMiB(instance.pid)
  const before = peak
  const watch = setInterval(() => (peak = Math.max(peak, residentMiB(instance.pid))), 500)
  const video = await upload(instance.url, token, join(root, ".cache/fixtures/threehours.mp4"), "three hours")
  const from = performance.now()
  await waitForFiles(instance.url, video.uuid, 1, 1_800)
  const playable = (performance.now() - from) / 1000
  const auth = { authorization: `Bearer ${token}` }
  const ended = async () => {
    const answer = await fetch(`${instance.url}/api/v1/jobs/completed?jobType=video-transcoding`, { headers: auth })
    return ((await answer.json()) as { total: number }).total > 0
  }
  while (!(await ended())) await new Promise((next) => setTimeout(next, 1_000))
  const done = await waitForFiles(instance.url, video.uuid, 1)
  const whole = (performance.now() - from) / 1000
  clearInterval(watch)
  await instance.stop()
  const figures: ReadonlyArray<Figure> = [
    { name: "playable after the upload was answered", value: playable, unit: "s" },
    {
      name: "ladder complete",
      value: whole / 60,
      unit: "min",
      note: `${((hours * 3600) / whole).toFixed(1)} × real time`
    },
    { name: "renditions", value: done.streamingPlaylists[0]?.files.length ?? 0, unit: "files" },
    { name: "extra memory of the node", value: peak - before, unit: "MiB" }
  ]
  write("long", figures, { source: `${hours} h, 320x180, 25 fps` })
} finally {
  data.remove()
}
