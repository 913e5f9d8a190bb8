import { bare } from "./lib/Bare.ts"
import { freshDataDir, login, start } from "./lib/Instance.ts"
import { load } from "./lib/Load.ts"
import { type Figure, write } from "./lib/Report.ts"
import { upload, waitForFiles, bigBuckBunny } from "./lib/Videos.ts"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/** Random 128 KiB ranges of one web video, against a bare server that streams the same ranges with node streams. */
const rangeScript = (size: number) => `
local size = ${size}
local len = 131072
math.randomseed(7)
request = function()
  local from = math.random(0, size - len - 1)
  wrk.headers["Range"] = "bytes=" .. from .. "-" .. (from + len - 1)
  return wrk.format("GET")
end
`

const data = freshDataDir()
const port = 9490
try {
  const instance = await start(data.dir, port, { KINORA_TRANSCODING_ENABLED: "true" })
  const token = await login(instance.url)
  const { uuid } = await upload(instance.url, token, bigBuckBunny, "static bench")
  const details = await waitForFiles(instance.url, uuid, 1)
  const file = [...details.files, ...details.streamingPlaylists.flatMap((p) => p.files)][0]
  if (!file) throw new Error("no file was published")
  const at = new URL(file.fileUrl).pathname
  const ours: Array<number> = []
  const streams: Array<number> = []
  const onDisk = readdirSync(data.dir, { recursive: true, withFileTypes: true }).find(
    (e) => e.isFile() && at.endsWith(e.name)
  )
  if (!onDisk) throw new Error(`no such file on disk: ${at}`)
  const path = join(onDisk.parentPath, onDisk.name)
  const script = rangeScript(statSync(path).size)
  const beside = await bare({ file: path }, port + 1)
  let cpu = 0
  for (let i = 0; i < 3; i++) {
    const mine = load(instance.url + at, { script, connections: 20, seconds: 6 })
    if (mine.failures > 0) throw new Error(`${mine.failures} failed range requests`)
    cpu = mine.loadCpu
    ours.push(mine.bytesPerSecond)
    streams.push(load(`${beside.url}/x`, { script, connections: 20, seconds: 6 }).bytesPerSecond)
  }
  beside.stop()
  await instance.stop()
  const median = (list: Array<number>) => (list.sort((a, b) => a - b)[1] ?? 0) / 2 ** 30
  const figures: ReadonlyArray<Figure> = [
    {
      name: "static 128 KiB ranges, aggregate, median of 3",
      value: median(ours),
      unit: "GiB/s",
      goal: { kind: "at least", value: 1 },
      beside: { name: "node streams (GiB/s)", value: median(streams) },
      note: `20 connections; the load generator took ${cpu.toFixed(2)} cores`
    }
  ]
  write("static", figures, { file: `${statSync(path).size} bytes` })
} finally {
  data.remove()
}
