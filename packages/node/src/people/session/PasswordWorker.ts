import { Effect, Pool, type Scope } from "effect"
import { Worker } from "node:worker_threads"
import { bcryptLibrary } from "./BcryptLibrary.ts"
import type { HashParameters } from "./PasswordHash.ts"

/** One computation: the key of a password. */
export interface HashJob {
  readonly password: string
  readonly salt: Uint8Array
  readonly bytes: number
  readonly parameters: HashParameters
}

type Reply = { readonly key: Uint8Array } | { readonly error: string }

/** Hashes computed at once: uses both cores of a small machine and bounds memory. */
const threads = 2
const idle = "1 minute"

/**
 * The code of a thread, as text since the program is bundled into one file. On Linux a priority belongs to the calling
 * thread: hashing yields to the thread that answers requests, and comes before encoders (which run at 10). If the
 * system refuses the priority, the thread runs without it.
 */
const program = `
const { parentPort } = require("node:worker_threads")
const crypto = require("node:crypto")
const os = require("node:os")
if (process.platform === "linux") {
  try { os.setPriority(0, Math.min(19, os.getPriority(0) + 5)) } catch {}
}
let bcrypt
const bcryptKey = (password, setting, library) => {
  if (bcrypt === undefined) {
    const module = { exports: {} }
    new Function("exports", "module", "require", library)(module.exports, module, require)
    bcrypt = module.exports
  }
  return Buffer.from(bcrypt.hashSync(password, setting).slice(setting.length), "latin1")
}
const derive = ({ password, salt, bytes, parameters, library }) => {
  if (parameters.algorithm === "bcrypt") return bcryptKey(password, parameters.setting, library)
  if (parameters.algorithm === "argon2id") {
    const { memory, passes, parallelism } = parameters
    return crypto.argon2Sync("argon2id", { message: password, nonce: salt, tagLength: bytes, memory, passes, parallelism })
  }
  const { N, r, p } = parameters
  return crypto.scryptSync(password, salt, bytes, { N, r, p, maxmem: 256 * N * r })
}
parentPort.on("message", (job) => {
  try { parentPort.postMessage({ key: new Uint8Array(derive(job)) }) }
  catch (error) { parentPort.postMessage({ error: String(error) }) }
})
`

interface Thread {
  readonly run: (job: HashJob) => Effect.Effect<Uint8Array>
}

const startThread: Effect.Effect<Thread, never, Scope.Scope> = Effect.gen(function* () {
  let ended: Error | undefined
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Worker(program, {
        eval: true,
        name: "passwords",
        resourceLimits: { maxOldGenerationSizeMb: 32 }
      })
      // An idle thread does not keep the process alive.
      made.unref()
      made.on("error", (error) => {
        ended = new Error("a password thread failed", { cause: error })
      })
      made.on("exit", (code) => {
        ended ??= new Error(`a password thread ended with ${code}`)
      })
      return made
    }),
    (made) => Effect.promise(() => made.terminate())
  )
  const run = (job: HashJob) =>
    Effect.callback<Uint8Array>((resume) => {
      const onMessage = (reply: Reply) => {
        worker.off("exit", onExit)
        resume("key" in reply ? Effect.succeed(reply.key) : Effect.die(new Error(reply.error)))
      }
      const onExit = () => {
        worker.off("message", onMessage)
        resume(Effect.die(ended))
      }
      if (ended !== undefined) return onExit()
      worker.once("message", onMessage)
      worker.once("exit", onExit)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(job.parameters.algorithm === "bcrypt" ? { ...job, library: bcryptLibrary() } : job)
    })
  return { run }
})

/**
 * Threads that only compute password hashes, so that neither requests nor file reads wait for them. They start on
 * demand and end after a minute without work.
 */
export const makePasswordWorkers: Effect.Effect<(job: HashJob) => Effect.Effect<Uint8Array>, never, Scope.Scope> =
  Effect.gen(function* () {
    const pool = yield* Pool.makeWithTTL({ acquire: startThread, min: 0, max: threads, timeToLive: idle })
    return (job) =>
      Effect.scoped(
        Effect.flatMap(Pool.get(pool), (thread) =>
          // A started hash is always awaited: if it were interrupted, its thread would stay busy.
          Effect.uninterruptible(thread.run(job)).pipe(Effect.onError(() => Pool.invalidate(pool, thread)))
        )
      )
  })
