import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream, statSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Server } from "socket.io"

/** A job of the scripted server. `state` as the protocol numbers it: 1 pending, 2 processing, 3 completed. */
export interface ScriptedJob {
  readonly uuid: string
  readonly type: string
  readonly payload: unknown
  readonly jobToken: string
  state: number
  /** What was said of it, in order. */
  readonly said: Array<string>
  /** What `success` brought: names of the form's fields, in order, and the files. */
  result: { readonly fields: ReadonlyArray<string>; readonly files: ReadonlyMap<string, File> } | undefined
  /** Answers an update with this instead; a job that is taken away. */
  refuseUpdates: boolean
  /** Refuses to be accepted so often, as a server before 8 does when another was faster. */
  taken: number
}

/** The types of the protocol (contract: runner-protocol.json, jobTypes); of others it does not want to hear. */
const protocolTypes = [
  ...["vod-web-video-transcoding", "vod-hls-transcoding", "vod-audio-merge-transcoding", "live-rtmp-hls-transcoding"],
  ...["video-studio-transcoding", "video-transcription", "generate-video-storyboard"]
]

const tokenOf = (kind: string) => `${kind}-${randomUUID()}`

/**
 * A server that answers as the recorded session of the protocol does (contract: samples/runner-session.txt, runner-protocol.json), and
 * notes everything in a request that is not as the protocol has it.
 */
export const scriptedServer = (source: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const registrationToken = tokenOf("ptrrt")
      const runnerToken = tokenOf("ptrt")
      const jobs: Array<ScriptedJob> = []
      const violations: Array<string> = []
      const asked: Array<string> = []
      const refusedTypes: Array<string> = []
      const uploads = new Map<string, { readonly headers: IncomingMessage["headers"]; readonly body: Buffer }>()
      const http = createServer()

      const demand = (holds: boolean, words: string) => {
        if (!holds) violations.push(words)
        return holds
      }

      const fail = (response: ServerResponse, status: number, body: Readonly<Record<string, unknown>>) => {
        response.writeHead(status, { "content-type": "application/problem+json; charset=utf-8" })
        response.end(JSON.stringify({ status, title: "No", ...body }))
      }
      const answer = (response: ServerResponse, body: unknown) => {
        response.writeHead(200, { "content-type": "application/json; charset=utf-8" })
        response.end(JSON.stringify(body))
      }

      /** Fields of a body, of JSON or a form, whose keys must be these and may be those. */
      const fields = (
        request: IncomingMessage,
        body: Buffer,
        must: ReadonlyArray<string>,
        may: ReadonlyArray<string>
      ) => {
        const where = `${request.method} ${request.url}`
        demand(request.headers["content-type"] === "application/json", `${where}: ${request.headers["content-type"]}`)
        demand(Number(request.headers["content-length"]) === body.length, `${where}: no length`)
        const told = JSON.parse(body.toString()) as Record<string, unknown>
        const keys = Object.keys(told)
        demand(
          must.every((key) => keys.includes(key)),
          `${where}: lacks one of ${must.join(", ")}: ${keys.join(", ")}`
        )
        demand(
          keys.every((key) => must.includes(key) || may.includes(key)),
          `${where}: more than is known: ${keys.join(", ")}`
        )
        return told
      }

      const wire = (job: ScriptedJob) => ({ uuid: job.uuid, type: job.type, payload: job.payload })

      const accept = (job: ScriptedJob, response: ServerResponse) => {
        job.said.push("accept")
        if (job.taken > 0) {
          job.taken -= 1
          return fail(response, 400, { detail: "This job is not in pending state anymore" })
        }
        if (job.state !== 1) {
          return fail(response, 409, {
            code: "runner_job_not_in_pending_state",
            detail: "This job is not in pending state"
          })
        }
        job.state = 2
        const times = { startedAt: "2026-11-21T09:42:53.767Z", createdAt: "2026-11-21T09:42:52.727Z" }
        return answer(response, {
          job: {
            ...wire(job),
            ...{ state: { id: 2, label: "Processing" }, progress: null, priority: 113, failures: 0, error: null },
            ...{ ...times, updatedAt: times.startedAt, runner: { id: 1, name: "one", description: "" } },
            jobToken: job.jobToken
          }
        })
      }

      const succeed = async (job: ScriptedJob, request: IncomingMessage, body: Buffer, response: ServerResponse) => {
        const type = request.headers["content-type"] ?? ""
        demand(/^multipart\/form-data; boundary=[\w'()+,./:=?-]{1,70}$/.test(type), `success: ${type}`)
        demand(Number(request.headers["content-length"]) === body.length, "success: another length than was told")
        const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
        const names = [...form.keys()]
        demand(
          names[0] === "jobToken" && names[1] === "runnerToken",
          `success: the tokens are not first: ${names.join(", ")}`
        )
        demand(
          form.get("jobToken") === job.jobToken && form.get("runnerToken") === runnerToken,
          "success: other tokens"
        )
        const files = new Map(
          [...form.entries()].flatMap(([name, value]) => (value instanceof File ? [[name, value]] : []))
        )
        demand(
          [...files.values()].every(({ name, type: kind }) => name !== "" && kind !== ""),
          "success: a file without a name or type"
        )
        job.said.push("success")
        if (job.state !== 2) return fail(response, 400, { code: "runner_job_not_in_processing_state", detail: "No" })
        job.state = 3
        job.result = { fields: names, files }
        response.writeHead(204).end()
      }

      const about = async (
        job: ScriptedJob,
        verb: string,
        request: IncomingMessage,
        body: Buffer,
        response: ServerResponse
      ) => {
        if (verb === "success") return await succeed(job, request, body, response)
        if (verb === "accept") {
          demand(fields(request, body, ["runnerToken"], [])["runnerToken"] === runnerToken, "accept: another token")
          return accept(job, response)
        }
        const held = ["runnerToken", "jobToken"]
        if (verb.startsWith("files/videos/")) {
          const told = fields(request, body, held, [])
          demand(told["jobToken"] === job.jobToken && told["runnerToken"] === runnerToken, "files: other tokens")
          demand(job.state === 2, "files: of a job that is not held")
          job.said.push("file")
          response.writeHead(200, { "content-type": "video/mp4", "content-length": statSync(source).size })
          createReadStream(source).pipe(response)
          return
        }
        const [must, may] =
          verb === "update" ? [held, ["progress"]] : [[...held, verb === "abort" ? "reason" : "message"], []]
        const told = fields(request, body, must, may)
        demand(told["jobToken"] === job.jobToken && told["runnerToken"] === runnerToken, `${verb}: other tokens`)
        job.said.push(verb)
        const words = told["reason"] ?? told["message"]
        if (verb !== "update")
          demand(typeof words === "string" && words.length >= 1 && words.length <= 5000, `${verb}: ${words}`)
        const { progress } = told
        if (progress !== undefined) {
          demand(Number.isInteger(progress) && Number(progress) >= 0 && Number(progress) <= 100, `update: ${progress}`)
        }
        if (verb === "update" ? job.refuseUpdates || job.state === 1 : job.state !== 2) {
          const detail = "Job is not in processing state"
          const type =
            "https://docs.joinpeertube.org/api-rest-reference.html#section/Errors/runner_job_not_in_processing_state"
          return fail(response, 400, { type, detail, error: detail })
        }
        if (verb !== "update") job.state = verb === "abort" ? 1 : 4
        response.writeHead(204).end()
      }

      const handle = async (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
        const { method, url = "" } = request
        if (url.startsWith("/storage/")) {
          uploads.set(`${method} ${url}`, { headers: request.headers, body })
          return void response.writeHead(200).end()
        }
        asked.push(url)
        demand(method === "POST", `${method} ${url}`)
        if (url === "/api/v1/runners/register") {
          const told = fields(request, body, ["registrationToken", "name"], ["description", "version"])
          if (told["registrationToken"] !== registrationToken) return fail(response, 404, { detail: "No such token" })
          return answer(response, { id: 1, runnerToken })
        }
        if (url === "/api/v1/runners/jobs/request") {
          const told = fields(request, body, ["runnerToken"], ["jobTypes", "version"])
          if (told["runnerToken"] !== runnerToken) {
            return fail(response, 404, { code: "unknown_runner_token", detail: "Unknown runner token" })
          }
          const types = told["jobTypes"]
          const known = (type: unknown) => protocolTypes.some((one) => one === type)
          if (types !== undefined && !(Array.isArray(types) && types.every(known))) {
            refusedTypes.push(url)
            const fault = { detail: "Incorrect request parameters: jobTypes", "invalid-params": { jobTypes: {} } }
            return fail(response, 400, fault)
          }
          return answer(response, {
            availableJobs: jobs
              .filter(({ state }) => state === 1)
              .slice(0, 10)
              .map(wire)
          })
        }
        const [, uuid, verb] =
          /^\/api\/v1\/runners\/jobs\/([0-9a-f-]{36})\/(accept|update|success|abort|error|files\/videos\/.+)$/.exec(
            url
          ) ?? []
        const job = jobs.find((one) => one.uuid === uuid)
        if (job === undefined || verb === undefined) {
          demand(false, `${method} ${url}: there is no such thing`)
          return fail(response, 404, { detail: "Runner job not found" })
        }
        await about(job, verb, request, body, response)
      }

      http.on("request", (request: IncomingMessage, response: ServerResponse) => {
        if (request.url?.startsWith("/socket.io/") === true) return
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          handle(request, Buffer.concat(chunks), response).catch((error: unknown) => {
            violations.push(String(error))
            response.destroy()
          })
        })
      })

      const io = new Server(http, { serveClient: false })
      io.of("/runners").use((socket, next) => {
        const { runnerToken: token } = socket.handshake.auth as { readonly runnerToken?: unknown }
        next(demand(token === runnerToken, "socket: another token") ? undefined : new Error("Invalid runner token."))
      })

      await new Promise<void>((done) => http.listen(0, "127.0.0.1", done))
      const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

      const add = (
        type: string,
        make: (file: (name: string) => string) => unknown,
        more: Partial<ScriptedJob> = {}
      ) => {
        const uuid = randomUUID()
        // Servers name themselves as the world knows them.
        const file = (name: string) =>
          `https://videos.example.org/api/v1/runners/jobs/${uuid}/files/videos/${randomUUID()}/${name}`
        const job: ScriptedJob = {
          ...{ uuid, type, payload: make(file), jobToken: tokenOf("ptrjt"), state: 1, said: [], result: undefined },
          ...{ refuseUpdates: false, taken: 0, ...more }
        }
        jobs.push(job)
        io.of("/runners").emit("available-jobs")
        return job
      }
      return { origin, registrationToken, runnerToken, violations, asked, refusedTypes, uploads, add, io }
    }),
    ({ io }) => Effect.promise(() => io.close())
  )
