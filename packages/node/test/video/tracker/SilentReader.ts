import { once } from "node:events"
import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"

const frame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  // A mask of zeros changes nothing.
  const head = Buffer.alloc(8)
  head[0] = 0x81
  head[1] = 0x80 | 126
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

/** A web socket that says one thing and never reads what it is told. The text has 126 to 65,535 bytes. */
export const silentReader = async (port: number, text: string): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {})
  await once(socket, "connect")
  socket.write(
    `GET /tracker/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`
  )
  await once(socket, "data")
  socket.pause()
  socket.write(frame(text))
  return socket
}
