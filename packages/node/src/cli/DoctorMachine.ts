import { statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import type { Configuration } from "../platform/config/Configuration.ts"
import { usableFolder } from "../platform/folders/UsableFolder.ts"
import { failure, type Finding, good, warning } from "./DoctorReport.ts"

const gibibyte = 1024 ** 3
const littleDisk = 10 * gibibyte

const inGibibytes = (bytes: number): string => `${(bytes / gibibyte).toFixed(1)} GiB`

/** Bytes that unprivileged programs can use on the disk of a folder. */
const freeBytes = (folder: string) =>
  Effect.option(Effect.tryPromise(() => statfs(folder))).pipe(
    Effect.map(Option.map((stats) => Number(stats.bavail) * Number(stats.bsize)))
  )

/** Whether the folders are writable and their disk has enough space. */
export const checkDisk = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const { dataDir } = config.derived
  const findings: Array<Finding> = []
  for (const folder of new Set([dataDir, ...Object.values(config.storage)])) {
    const usable = yield* Effect.result(usableFolder(folder))
    if (usable._tag === "Failure") {
      const [problem = "", ...advice] = usable.failure.message.split(". ")
      findings.push(failure("disk", problem, advice.join(". ")))
    }
  }
  const free = yield* freeBytes(dataDir)
  if (Option.isNone(free)) return findings
  const room = `${inGibibytes(free.value)} free at ${dataDir}`
  const reserve = config.uploads.reserve_disk
  if (free.value < reserve) {
    findings.push(failure("disk", room, `Uploads are refused below ${inGibibytes(reserve)}: make room.`))
  } else if (free.value < littleDisk) {
    findings.push(warning("disk", room, "An hour of video with all its renditions takes several GiB."))
  } else findings.push(good("disk", room))
  return findings
})

type Listening = "free" | "taken" | { readonly problem: string }

const tryPort = (hostname: string, port: number): Effect.Effect<Listening> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.succeed(error.code === "EADDRINUSE" ? "taken" : { problem: error.message }))
    )
    server.listen({ host: hostname, port, exclusive: true }, () => server.close(() => resume(Effect.succeed("free"))))
    return Effect.sync(() => void server.close())
  })

const checkPort = Effect.fnUntraced(function* (subject: string, hostname: string, port: number, running: boolean) {
  const where = `${hostname}:${port}`
  const state = yield* tryPort(hostname, port)
  if (state === "free") return good(subject, `${where} is free`)
  if (state === "taken") {
    return running
      ? good(subject, `${where} is served by the running instance`)
      : failure(
          subject,
          `${where} is taken by another program`,
          "Stop that program, or set another port (KINORA_LISTEN_PORT)."
        )
  }
  return failure(subject, `${where} cannot be listened on: ${state.problem}`, "Set another address or port.")
})

/** Whether the ports are free, or used by the instance itself. */
export const checkPorts = Effect.fnUntraced(function* (config: Configuration, running: boolean) {
  return [yield* checkPort("port", config.listen.hostname, config.listen.port, running)]
})
