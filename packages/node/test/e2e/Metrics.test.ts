import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeClip } from "../support/chaos/Stage.ts"
import { freePort, KinoraProcess, root, until } from "../support/KinoraProcess.ts"
import { uploadMultipart, untilReady } from "../support/Uploads.ts"

/** What docs/operating.md says that an operator finds. */
const promised = [
  "kinora_http_requests_total",
  "kinora_task_up",
  "kinora_jobs",
  'kinora_job_attempts_total{type="transcoding-job-builder",outcome="completed"}',
  "kinora_deliveries",
  'kinora_delivery_attempts_total{outcome="Delivered"} 0',
  "kinora_webhook_deliveries 0",
  'kinora_webhooks{state="disabled"} 0',
  'kinora_webhook_attempts_total{outcome="failed"} 0',
  "kinora_live_sessions 0",
  "kinora_live_viewers 0",
  "kinora_live_publishers 0",
  "kinora_live_bits_per_second 0",
  'kinora_runners{state="connected"} 0',
  "kinora_runners_busy 0",
  'kinora_runner_jobs{state="waiting"} 0',
  "kinora_inbox_activities",
  'kinora_ffmpeg_runs_total{tool="ffprobe",outcome="ok"}',
  'kinora_ffmpeg_runs_total{tool="ffmpeg",outcome="ok"}',
  'kinora_ffmpeg_seconds_total{tool="ffmpeg"}',
  'kinora_ffmpeg_running{tool="ffmpeg"} 0',
  'kinora_cluster_nodes{state="alive"} 1',
  'kinora_cluster_nodes{state="lost"} 0',
  "kinora_cluster_shards 0",
  "kinora_cluster_entities",
  "kinora_cluster_singletons",
  'kinora_cluster_role{role="worker"} 1',
  "kinora_database_up 1",
  "kinora_database_pool_size 5",
  "kinora_database_probe_seconds",
  'kinora_database_connections{state="idle"}',
  "kinora_database_longest_query_seconds",
  'kinora_database_transactions_total{outcome="committed"}',
  'kinora_disk_free_bytes{folder="web_videos"}',
  "process_resident_memory_bytes"
]

/** Metrics that the dashboard and the rules of docs/deploy name. */
const watched = ["grafana/kinora.json", "prometheus/kinora.rules.yml"].flatMap((name) => {
  const text = readFileSync(join(root, "docs/deploy", name), "utf8")
  return [...text.matchAll(/\b(?:kinora|process|nodejs)_\w+/g)].map(([metric]) => metric)
})

describe("what is exported of a running node", { timeout: 240_000 }, () => {
  let node: KinoraProcess
  let collector: Server
  let port: number
  const traces: Array<string> = []

  beforeAll(async () => {
    collector = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        if (request.url === "/v1/traces") traces.push(Buffer.concat(chunks).toString())
        response.end()
      })
    })
    await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done))
    port = await freePort()
    node = await KinoraProcess.create({
      KINORA_OPEN_TELEMETRY_METRICS_ENABLED: "true",
      KINORA_OPEN_TELEMETRY_METRICS_HTTP_REQUEST_DURATION_ENABLED: "true",
      KINORA_OPEN_TELEMETRY_METRICS_PROMETHEUS_EXPORTER_PORT: String(port),
      KINORA_OPEN_TELEMETRY_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      KINORA_OPEN_TELEMETRY_OTLP_INTERVAL: "1 second",
      KINORA_OPEN_TELEMETRY_TRACING_ENABLED: "true"
    })
    await node.start()
  })
  afterAll(async () => {
    await node.remove()
    collector.close()
  })

  const scrape = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }

  it("has metrics of jobs, tools, database, federation and disk in the format of Prometheus", async () => {
    const auth = await node.login()
    const answer = await uploadMultipart(node, auth, makeClip(), { name: "Counted", privacy: "1" })
    const { video } = (await answer.json()) as { video: { uuid: string } }
    await untilReady(node, video.uuid, 1)
    await until("no job that runs", 120, async () =>
      (await node.json<{ total: number }>("/api/v1/jobs/active", auth)).total === 0 &&
      (await node.json<{ total: number }>("/api/v1/jobs/waiting", auth)).total === 0
        ? true
        : undefined
    )
    // A picture may still be made that no job waits for.
    const text = await until("no tool that runs", 60, async () => {
      const metrics = await scrape("/metrics")
      return metrics.text.includes('\nkinora_ffmpeg_running{tool="ffmpeg"} 0') ? metrics.text : undefined
    })
    for (const one of promised) expect(text).toContain(`\n${one}`)
    const lines = text.trimEnd().split("\n")
    const families = new Set<string>()
    for (const line of lines) {
      const type = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line)
      // Each metric is there once, with all of its values below it.
      if (type !== null) expect(families.has(type[1]!), line).toBe(false)
      if (type !== null) families.add(type[1]!)
      else expect(line).toMatch(/^(# HELP \w+ \S.*|\w+(\{(\w+="[^"]*",?)+\})? ([\d.e+-]+|\+Inf|NaN))$/)
    }
    // What the dashboard and the rules name is one of them.
    expect(watched.length).toBeGreaterThan(60)
    const isExported = (name: string) => families.has(name) || families.has(name.replace(/_bucket$/, ""))
    expect(watched.filter((name) => !isExported(name))).toEqual([])
  })

  it("answers whether it lives apart from whether it can serve", async () => {
    expect(await scrape("/live")).toEqual({ status: 200, text: "alive\n" })
    expect(await scrape("/ready")).toEqual({ status: 200, text: "ready\n" })
  })

  it("has spans of requests with their route and without their secrets", async () => {
    await node.get("/api/v1/videos/1?videoFileToken=a-secret-token")
    const body = await until("the span", 60, async () =>
      traces.find((text) => text.includes("url.query") && text.includes("/api/v1/videos/:id"))
    )
    expect(body).toContain('"http.route"')
    expect(traces.join("")).not.toContain("a-secret-token")
  })
})
