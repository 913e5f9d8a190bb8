/**
 * The process that `ingest` measures. `rtmp`: our server, and tags as the bytes of a file, which is the least that a node
 * does with them. `bare`: a socket whose bytes are read and dropped. Prints its port; answers each line of input with
 * the seconds of processor time and the bytes of media so far.
 */
import { Effect } from "effect"
import { type AddressInfo, createServer } from "node:net"
import { createInterface } from "node:readline"
import { flvFileHeader, flvTagBytes } from "@kinora/ingest/flv/FlvWriter"
import { listenRtmp } from "@kinora/ingest/rtmp/RtmpServer"

const host = "127.0.0.1"
let bytes = 0

const rtmp = listenRtmp(
  { host, port: 0, limits: { connectionsPerAddress: 100 } },
  {
    publish: () =>
      Effect.sync(() => {
        bytes += flvFileHeader({ audio: true, video: true }).length
        return {
          write: (tag) =>
            Effect.sync(() => {
              bytes += flvTagBytes(tag).length
            }),
          ended: () => Effect.void,
          stopped: Effect.never
        }
      }),
    play: () => Effect.never
  }
)

const bare = Effect.callback<{ readonly port: number }>((resume) => {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.on("data", (read) => (bytes += read.length))
  })
  server.listen(0, host, () => resume(Effect.succeed({ port: (server.address() as AddressInfo).port })))
})

const program = Effect.gen(function* () {
  const { port } = yield* process.argv[2] === "bare" ? bare : rtmp
  yield* Effect.sync(() => {
    process.stdout.write(`${port}\n`)
    createInterface({ input: process.stdin }).on("line", () => {
      const { system, user } = process.cpuUsage()
      process.stdout.write(`${(system + user) / 1e6} ${bytes}\n`)
    })
  })
  return yield* Effect.never
})

Effect.runFork(Effect.scoped(program))
