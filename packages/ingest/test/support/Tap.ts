import { Effect, type Scope } from "effect"
import { type AddressInfo, connect, createServer } from "node:net"

/** A port of the loopback that passes everything on to another one, and keeps what clients sent. */
export const tap = (
  target: number
): Effect.Effect<{ readonly port: number; readonly sent: () => Buffer }, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: ReturnType<typeof createServer>; readonly parts: Array<Buffer> }>((resume) => {
        const parts: Array<Buffer> = []
        const server = createServer((client) => {
          const far = connect(target, "127.0.0.1")
          client.on("data", (bytes: Buffer) => parts.push(bytes))
          client.on("error", () => far.destroy())
          far.on("error", () => client.destroy())
          client.pipe(far).pipe(client)
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, parts })))
      }),
      ({ server }) => Effect.sync(() => server.close())
    ),
    ({ parts, server }) => ({ port: (server.address() as AddressInfo).port, sent: () => Buffer.concat(parts) })
  )
