import { bare } from "./lib/Bare.ts"
import { freshDataDir, residentMiB, start } from "./lib/Instance.ts"
import { type Figure, write } from "./lib/Report.ts"
import { spawnSync } from "node:child_process"
import { performance } from "node:perf_hooks"

/** Warm start to the first list answer, embedded database included, and memory of the node at rest. */
const data = freshDataDir()
const port = 9480
try {
  const cold = await start(data.dir, port)
  await cold.stop()
  const warm: Array<number> = []
  for (let i = 0; i < 5; i++) {
    const instance = await start(data.dir, port)
    warm.push(instance.startedMs)
    await instance.stop()
  }
  warm.sort((a, b) => a - b)
  const at = performance.now()
  spawnSync(process.execPath, ["-e", "0"])
  const emptyMs = performance.now() - at
  const instance = await start(data.dir, port)
  const settled = async () => {
    for (let last = residentMiB(instance.pid); ;) {
      await new Promise((next) => setTimeout(next, 3_000))
      const now = residentMiB(instance.pid)
      if (Math.abs(now - last) < 1) return now
      last = now
    }
  }
  const rest = await settled()
  await instance.stop()
  const beside = await bare({ body: "{}" }, port + 1)
  await new Promise((next) => setTimeout(next, 1_000))
  const bareRest = residentMiB(beside.pid)
  beside.stop()
  const figures: ReadonlyArray<Figure> = [
    { name: "first start (initdb, migrations, keys)", value: cold.startedMs / 1000, unit: "s" },
    {
      name: "warm start to first list answer, median of 5",
      value: (warm[2] ?? 0) / 1000,
      unit: "s",
      goal: { kind: "at most", value: 0.6 },
      beside: { name: "node -e 0 (s)", value: emptyMs / 1000 },
      note: `best ${((warm[0] ?? 0) / 1000).toFixed(3)} s`
    },
    {
      name: "resident memory at rest",
      value: rest,
      unit: "MiB",
      goal: { kind: "at most", value: 150 },
      beside: { name: "bare node:http (MiB)", value: bareRest },
      note: "VmRSS of the node; PostgreSQL's processes not counted"
    }
  ]
  write("start", figures, { what: "start and memory, bundle as scripts/start runs it" })
} finally {
  data.remove()
}
