import { Schema } from "effect"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"

const Value = Schema.Struct({
  stringValue: Schema.optionalKey(Schema.String),
  intValue: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite]))
})

/** What a collector is sent by OTLP/HTTP in JSON, as far as this test looks. */
const Traces = Schema.fromJsonString(
  Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({
        scopeSpans: Schema.Array(
          Schema.Struct({
            spans: Schema.Array(
              Schema.Struct({
                traceId: Schema.String,
                name: Schema.String,
                attributes: Schema.Array(Schema.Struct({ key: Schema.String, value: Value })),
                links: Schema.optionalKey(Schema.Array(Schema.Struct({ traceId: Schema.String })))
              })
            )
          })
        )
      })
    )
  })
)
const read = Schema.decodeUnknownSync(Traces)

interface Span {
  readonly traceId: string
  readonly name: string
  readonly links: ReadonlyArray<string>
  readonly attributes: Readonly<Record<string, unknown>>
}

describe("traces of what happens in the background", { timeout: 240_000 }, () => {
  const spans: Array<Span> = []
  let collector: Server
  let here: Instance
  let there: Instance

  const found = (what: string, isIt: (span: Span) => boolean) => until(what, 90, async () => spans.find(isIt))

  beforeAll(async () => {
    // The collector is the receiver of a webhook, too.
    collector = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        response.end()
        if (request.url !== "/v1/traces") return
        const { resourceSpans } = read(Buffer.concat(chunks).toString())
        for (const { attributes, links = [], name, traceId } of resourceSpans
          .flatMap(({ scopeSpans }) => scopeSpans)
          .flatMap((it) => it.spans)) {
          const values = attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)])
          spans.push({
            traceId,
            name,
            links: links.map((it) => it.traceId),
            attributes: Object.fromEntries(values)
          })
        }
      })
    })
    await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done))
    const base = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const env = {
      KINORA_OPEN_TELEMETRY_OTLP_ENDPOINT: base,
      KINORA_OPEN_TELEMETRY_OTLP_INTERVAL: "1 second",
      KINORA_OPEN_TELEMETRY_TRACING_ENABLED: "true"
    }
    ;[here, there] = await Promise.all([startInstance(env), startInstance(env)])
    await send(here, "POST", "/api/v1/server/webhooks", { url: `${base}/hook`, events: ["video.published"] })
    await follow(there, here)
  })
  afterAll(async () => {
    await Promise.all([here?.node.remove(), there?.node.remove()])
    collector.close()
  })

  it("has a span of each attempt at a job, with a link to the request that queued it", async () => {
    await publish(here, { name: "Traced" })
    const job = await found("the job", ({ links, name }) => name === "job transcoding-job-builder" && links.length > 0)
    expect(job.attributes).toMatchObject({
      "job.type": "transcoding-job-builder",
      "job.attempt": 1,
      "job.outcome": "completed"
    })
    expect(job.attributes["job.id"]).toBeGreaterThan(0)
    const request = await found("its request", ({ attributes, traceId }) => {
      return traceId === job.links[0] && attributes["http.route"] === "/api/v1/videos/upload"
    })
    expect(request.traceId).not.toBe(job.traceId)
  })

  it("has a span of each delivery, of each received activity and of each message to a webhook", async () => {
    const delivery = await found("a delivery", ({ attributes, name }) => {
      return name === "deliver activity" && attributes["server.address"] === there.host
    })
    expect(delivery.attributes).toMatchObject({ "delivery.outcome": "Delivered", "delivery.attempt": 1 })
    expect(Math.floor(Number(delivery.attributes["http.response.status_code"]) / 100)).toBe(2)
    const activity = await found("an activity", ({ attributes, name }) => {
      return name === "apply activity" && attributes["activity.outcome"] === "applied"
    })
    expect([here.host, there.host]).toContain(activity.attributes["server.address"])
    expect(activity.attributes["activity.type"]).toMatch(/^[A-Z]\w+$/)
    const message = await found("a message to a webhook", ({ name }) => name === "WebhookSending.attempt")
    expect(message.attributes).toMatchObject({
      "webhook.event": "video.published",
      "webhook.outcome": "delivered",
      "http.response.status_code": 200
    })
  })
})
