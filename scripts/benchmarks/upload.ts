import { createWriteStream } from "node:fs"
import { request } from "node:http"
import { finished } from "node:stream/promises"
import { bare } from "./lib/Bare.ts"
import { freshDataDir, login, residentMiB, start } from "./lib/Instance.ts"
import { type Figure, write } from "./lib/Report.ts"

/**
 * Extra memory that one huge upload costs, both ways of uploading. The body is 20 GB (KINORA_BENCH_UPLOAD_GB changes it)
 * of bytes that are no video, so it ends with 415 or 422 once everything has arrived, and must leave nothing behind.
 */
const gigabytes = Number(process.env["KINORA_BENCH_UPLOAD_GB"] ?? 20)
const size = gigabytes * 1e9
const block = Buffer.alloc(1 << 20, 7)

const send = (
  url: string,
  path: string,
  method: string,
  headers: Record<string, string>,
  head: Buffer,
  tail: Buffer,
  bytes: number
) =>
  new Promise<{ status: number; headers: Record<string, string | Array<string> | undefined>; body: string }>(
    (done, fail) => {
      const out = request(
        url + path,
        { method, headers: { ...headers, "content-length": String(head.length + bytes + tail.length) } },
        (res) => {
          let body = ""
          res.on("data", (chunk: Buffer) => (body += chunk.toString()))
          res.on("end", () => done({ status: res.statusCode ?? 0, headers: res.headers, body }))
        }
      )
      out.on("error", fail)
      out.write(head)
      let left = bytes
      const more = () => {
        while (left > 0) {
          const part = left >= block.length ? block : block.subarray(0, left)
          left -= part.length
          if (!out.write(part)) return void out.once("drain", more)
        }
        out.end(tail)
      }
      more()
    }
  )

const watch = (pid: number) => {
  const before = residentMiB(pid)
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, residentMiB(pid))), 100)
  return () => {
    clearInterval(timer)
    return peak - before
  }
}

const multipart = (fields: Record<string, string>) => {
  const boundary = "kinora-bench-boundary"
  const text = Object.entries(fields).map(
    ([k, v]) => `--${boundary}\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`
  )
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(
      `${text.join("")}--${boundary}\r\ncontent-disposition: form-data; name="videofile"; filename="big.mp4"\r\ncontent-type: video/mp4\r\n\r\n`
    ),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`)
  }
}

const data = freshDataDir()
const port = 9500
try {
  const instance = await start(data.dir, port)
  const auth = { authorization: `Bearer ${await login(instance.url)}` }
  const me = (await (await fetch(`${instance.url}/api/v1/users/me`, { headers: auth })).json()) as {
    videoChannels: ReadonlyArray<{ id: number }>
  }
  const channelId = String(me.videoChannels[0]?.id)
  const form = multipart({ channelId, name: "huge" })

  let at = performance.now()
  let stop = watch(instance.pid)
  const legacy = await send(
    instance.url,
    "/api/v1/videos/upload",
    "POST",
    { ...auth, "content-type": form.type },
    form.head,
    form.tail,
    size
  )
  const legacyMiB = stop()
  const legacyRate = size / 2 ** 20 / ((performance.now() - at) / 1000)

  const created = await fetch(`${instance.url}/api/v1/videos/upload-resumable`, {
    method: "POST",
    headers: {
      ...auth,
      "content-type": "application/json",
      "x-upload-content-length": String(size),
      "x-upload-content-type": "video/mp4"
    },
    body: JSON.stringify({ channelId: Number(channelId), name: "huge", filename: "big.mp4" })
  })
  const location = new URL(created.headers.get("location") ?? "", instance.url)
  at = performance.now()
  stop = watch(instance.pid)
  const resumable = await send(
    instance.url,
    location.pathname + location.search,
    "PUT",
    { ...auth, "content-type": "application/octet-stream", "content-range": `bytes 0-${size - 1}/${size}` },
    Buffer.alloc(0),
    Buffer.alloc(0),
    size
  )
  const resumableMiB = stop()
  const resumableRate = size / 2 ** 20 / ((performance.now() - at) / 1000)
  const list = (await (await fetch(`${instance.url}/api/v1/videos?count=0`)).json()) as { total: number }
  await instance.stop()

  const sink = await bare({ sink: true }, port + 1)
  at = performance.now()
  await send(sink.url, "/", "POST", {}, Buffer.alloc(0), Buffer.alloc(0), size)
  const sinkRate = size / 2 ** 20 / ((performance.now() - at) / 1000)
  sink.stop()
  at = performance.now()
  const file = createWriteStream(`${data.dir}/plain`)
  for (let written = 0; written < size; written += block.length) {
    if (!file.write(block)) await new Promise<void>((next) => file.once("drain", () => next()))
  }
  file.end()
  await finished(file)
  const diskRate = size / 2 ** 20 / ((performance.now() - at) / 1000)

  const figures: ReadonlyArray<Figure> = [
    {
      name: `${gigabytes} GB multipart: extra memory`,
      value: legacyMiB,
      unit: "MiB",
      goal: { kind: "at most", value: 64 },
      note: `answered ${legacy.status}`
    },
    {
      name: `${gigabytes} GB resumable, one chunk: extra memory`,
      value: resumableMiB,
      unit: "MiB",
      goal: { kind: "at most", value: 64 },
      note: `answered ${resumable.status}`
    },
    {
      name: "multipart throughput",
      value: legacyRate,
      unit: "MiB/s",
      beside: { name: "write to disk alone (MiB/s)", value: diskRate }
    },
    {
      name: "resumable throughput",
      value: resumableRate,
      unit: "MiB/s",
      beside: { name: "bare sink, no disk (MiB/s)", value: sinkRate }
    },
    { name: "videos left behind", value: list.total, unit: "rows", goal: { kind: "at most", value: 0 } }
  ]
  write("upload", figures, { size: `${gigabytes} GB` })
} finally {
  data.remove()
}
