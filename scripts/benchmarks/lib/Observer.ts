/**
 * Asks for one address again and again beside a crowd, in a process of its own: what the crowd's own queue of answers takes does
 * not count as time of the server.
 */
import { fork } from "node:child_process"
import { Agent, get } from "node:http"
import { fileURLToPath } from "node:url"

const pause = 10

const once = (agent: Agent, url: string) =>
  new Promise<number>((done, fail) => {
    const from = performance.now()
    get(url, { agent }, (answer) => {
      answer.resume()
      answer.on("end", () =>
        answer.statusCode === 200 ? done(performance.now() - from) : fail(new Error(`${answer.statusCode}`))
      )
      answer.on("error", fail)
    }).on("error", fail)
  })

/** Begins to ask. The function ends it and gives the times of all answers in milliseconds, sorted. */
export const observe = (url: string): (() => Promise<ReadonlyArray<number>>) => {
  const child = fork(fileURLToPath(import.meta.url), [url])
  const times = new Promise<ReadonlyArray<number>>((done, fail) => {
    child.once("message", (sorted) => done(sorted as ReadonlyArray<number>))
    child.once("exit", (code) => fail(new Error(`the observer ended: ${code}`)))
  })
  return () => {
    child.send("stop")
    return times
  }
}

const url = process.argv[2]
if (process.argv[1] === fileURLToPath(import.meta.url) && url !== undefined) {
  const stop = new AbortController()
  process.once("message", () => stop.abort())
  const agent = new Agent({ keepAlive: true })
  const times: Array<number> = []
  while (!stop.signal.aborted) {
    times.push(await once(agent, url))
    await new Promise((next) => setTimeout(next, pause))
  }
  agent.destroy()
  process.send?.(times.toSorted((a, b) => a - b))
}
