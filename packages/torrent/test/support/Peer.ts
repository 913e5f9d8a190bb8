import { Effect } from "effect"
import { createServer, type AddressInfo, type Socket } from "node:net"

/** One message of the protocol with its length. */
export const message = (kind: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat([Buffer.from([kind]), ...parts])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}

export const numbers = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, n) => bytes.writeUInt32BE(value, n * 4))
  return bytes
}

export const extended = (id: number, payload: string | Uint8Array): Buffer =>
  message(20, Buffer.from([id]), typeof payload === "string" ? Buffer.from(payload, "latin1") : payload)

/** The handshake with extensions (BEP 10) and the fast messages (BEP 6). */
export const greeting = (infoHash: string): Buffer =>
  Buffer.concat([
    Buffer.from("\x13BitTorrent protocol\0\0\0\0\0\x10\0\x04", "latin1"),
    Buffer.from(infoHash, "hex"),
    Buffer.from("-TS0001-abcdefghijkl")
  ])

export const haveAll = message(14)
export const unchoke = message(1)

/** What a leecher asks for: piece, offset, length. */
export type Asked = readonly [piece: number, offset: number, length: number]

/** A peer whose words are up to the test, on an address of loopback of its own. */
export const peer = Effect.fnUntraced(function* (
  connected: (socket: Socket) => void,
  asked: (socket: Socket, request: Asked) => void = () => {},
  address = "127.0.0.1"
) {
  const sockets = new Set<Socket>()
  const heard: Array<number> = []
  let connections = 0
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((socket) => {
        connections++
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
        let rest = Buffer.alloc(0)
        let greeted = false
        socket.on("data", (bytes: Buffer) => {
          rest = Buffer.concat([rest, bytes])
          if (!greeted && rest.length < 68) return
          if (!greeted) rest = rest.subarray(68)
          greeted = true
          while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
            const one = rest.subarray(4, 4 + rest.readUInt32BE(0))
            rest = rest.subarray(4 + one.length)
            if (one.length > 0) heard.push(one[0] as number)
            if (one[0] === 6) asked(socket, [one.readUInt32BE(1), one.readUInt32BE(5), one.readUInt32BE(9)])
          }
        })
        connected(socket)
      })
      server.listen(0, address, () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `${address}:${port}`,
    /** Kinds of messages that were heard. */
    heard,
    open: () => sockets.size,
    connections: () => connections
  }
})

/** Answers a request with bytes of the torrent. */
export const give = (socket: Socket, all: Uint8Array, pieceLength: number, [piece, offset, length]: Asked): void => {
  const at = piece * pieceLength + offset
  socket.write(message(7, numbers(piece, offset), all.subarray(at, at + length)))
}
