/**
 * Runners without encoders, in a process of their own: `claims` take jobs until there are none, `jobs` do them one after
 * another with files of a few bytes, `idle` wait with a socket and a poll as kinora-runner does. Prints one JSON line; `idle`
 * prints "ready" and ends with its standard input.
 *
 * `node RunnerLoad.ts <claims | jobs | idle> <JSON of RunnerLoad>`
 */
import { Agent, request } from "node:http"
import { performance } from "node:perf_hooks"

export interface RunnerLoad {
  readonly port: number
  readonly tokens: ReadonlyArray<string>
  /** Jobs to be done, of `jobs`. */
  readonly count?: number
  /** Seconds between two requests of `idle`. */
  readonly pollSeconds?: number
}

export interface Claims {
  readonly seconds: number
  /** UUID of each job, with the index of the runner that got it. */
  readonly won: ReadonlyArray<readonly [uuid: string, runner: number]>
  /** Acceptances that another runner was quicker with. */
  readonly lost: number
  readonly requests: number
}

export interface DoneJobs {
  readonly count: number
  /** Milliseconds from the request for jobs to the answer to the result. */
  readonly medianMs: number
}

interface Answer {
  readonly status: number
  readonly body: string
}

const jobTypes = ["vod-hls-transcoding"]
const agent = new Agent({ keepAlive: true })

const post = (port: number, path: string, body: Buffer | string, type = "application/json"): Promise<Answer> =>
  new Promise((done, fail) => {
    const sent = request(
      {
        ...{ host: "127.0.0.1", port, agent, method: "POST", path: `/api/v1/runners${path}` },
        headers: { "content-type": type, "content-length": Buffer.byteLength(body) }
      },
      (answer) => {
        let text = ""
        answer.setEncoding("utf8")
        answer.on("data", (chunk: string) => (text += chunk))
        answer.on("end", () => done({ status: answer.statusCode ?? 0, body: text }))
        answer.on("error", fail)
      }
    )
    sent.on("error", fail)
    sent.end(body)
  })

const expectStatus = (what: string, { body, status }: Answer, wanted: number) => {
  if (status !== wanted) throw new Error(`${what}: ${status} ${body}`)
}

const offers = async (port: number, runnerToken: string): Promise<ReadonlyArray<string>> => {
  const answer = await post(port, "/jobs/request", JSON.stringify({ runnerToken, jobTypes, version: "0.1.0" }))
  expectStatus("request", answer, 200)
  return (JSON.parse(answer.body) as { availableJobs: ReadonlyArray<{ uuid: string }> }).availableJobs.map(
    ({ uuid }) => uuid
  )
}

const accept = async (port: number, runnerToken: string, uuid: string): Promise<string | undefined> => {
  const answer = await post(port, `/jobs/${uuid}/accept`, JSON.stringify({ runnerToken }))
  if (answer.status === 200) return (JSON.parse(answer.body) as { job: { jobToken: string } }).job.jobToken
  if (!answer.body.includes("runner_job_not_in_pending_state")) expectStatus("accept", answer, 200)
  return undefined
}

/** As kinora-runner claims: what it is offered in its order, then it asks again. */
const claims = async ({ port, tokens }: RunnerLoad): Promise<Claims> => {
  const won: Array<readonly [string, number]> = []
  let lost = 0
  let requests = 0
  const one = async (runnerToken: string, runner: number) => {
    for (;;) {
      requests += 1
      const offered = await offers(port, runnerToken)
      if (offered.length === 0) return
      for (const uuid of offered) {
        if ((await accept(port, runnerToken, uuid)) !== undefined) {
          won.push([uuid, runner])
          break
        }
        lost += 1
      }
    }
  }
  const from = performance.now()
  await Promise.all(tokens.map(one))
  return { seconds: (performance.now() - from) / 1000, won, lost, requests }
}

const formOf = (fields: Readonly<Record<string, string>>): { readonly body: string; readonly type: string } => {
  const boundary = "kinora-bench-boundary"
  const part = (head: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const files = [
    part('name="payload[videoFile]"; filename="output.mp4"', `\0\0\0\u0010ftypiso5\0\0\0\0`),
    part('name="payload[resolutionPlaylistFile]"; filename="output.m3u8"', "#EXTM3U\n")
  ]
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value))
  return {
    body: `${[...texts, ...files].join("")}--${boundary}--\r\n`,
    type: `multipart/form-data; boundary=${boundary}`
  }
}

/** Each from the request for jobs to the end, with two reports of progress on the way. */
const jobs = async ({ count = 0, port, tokens }: RunnerLoad): Promise<DoneJobs> => {
  const times: Array<number> = []
  const runnerToken = tokens[0]!
  while (times.length < count) {
    const from = performance.now()
    const [uuid] = await offers(port, runnerToken)
    if (uuid === undefined) throw new Error("there are no more jobs")
    const jobToken = await accept(port, runnerToken, uuid)
    if (jobToken === undefined) throw new Error("somebody else took the job")
    for (const progress of [20, 70]) {
      const told = await post(port, `/jobs/${uuid}/update`, JSON.stringify({ runnerToken, jobToken, progress }))
      expectStatus("update", told, 204)
    }
    const form = formOf({ runnerToken, jobToken })
    expectStatus("success", await post(port, `/jobs/${uuid}/success`, form.body, form.type), 204)
    times.push(performance.now() - from)
  }
  return { count, medianMs: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN }
}

/** With the socket of the program and at its pace, the polls spread over the time between two. */
const idle = async ({ pollSeconds = 60, port, tokens }: RunnerLoad): Promise<void> => {
  const { io } = await import("socket.io-client")
  await Promise.all(
    tokens.map(
      (runnerToken) =>
        new Promise<void>((done, fail) => {
          const options = { auth: { runnerToken }, transports: ["websocket"], forceNew: true }
          const socket = io(`http://127.0.0.1:${port}/runners`, options)
          socket.once("connect", () => done())
          socket.once("connect_error", fail)
        })
    )
  )
  tokens.forEach((token, i) => {
    const ask = () => void offers(port, token)
    setTimeout(() => setInterval(ask, pollSeconds * 1000), ((i * pollSeconds) / tokens.length) * 1000)
  })
  console.log("ready")
  process.stdin.resume().once("end", () => process.exit(0))
}

if (import.meta.main) {
  const [mode, text = ""] = process.argv.slice(2)
  const load = JSON.parse(text) as RunnerLoad
  if (mode === "idle") await idle(load)
  else console.log(JSON.stringify(mode === "claims" ? await claims(load) : await jobs(load)))
  if (mode !== "idle") agent.destroy()
}
