import { randomBytes } from "node:crypto"

type Message = Readonly<Record<string, unknown>>

/** A browser at the tracker, as far as messages go. */
export interface TrackerClient {
  readonly peerId: string
  readonly send: (message: Message) => void
  /** The next message that fits; those before are dropped. Fails after ten seconds. */
  readonly next: (fits: (message: Message) => boolean) => Promise<Message>
  readonly close: () => void
}

/** Connects to the tracker of a node. */
export const trackerClient = async (url: string): Promise<TrackerClient> => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/tracker/socket`)
  const received: Array<Message> = []
  let wake = (): void => {}
  socket.addEventListener("message", ({ data }) => {
    received.push(JSON.parse(String(data)) as Message)
    wake()
  })
  await new Promise<void>((opened, failed) => {
    socket.addEventListener("open", () => opened())
    socket.addEventListener("error", () => failed(new Error(`no web socket at ${url}`)))
  })
  return {
    peerId: `-TE0001-${randomBytes(6).toString("hex")}`,
    send: (message) => socket.send(JSON.stringify(message)),
    next: async (fits) => {
      const until = Date.now() + 10_000
      const seen: Array<Message> = []
      for (;;) {
        for (let message = received.shift(); message !== undefined; message = received.shift()) {
          if (fits(message)) return message
          seen.push(message)
        }
        if (Date.now() > until) throw new Error(`no such message, but ${JSON.stringify(seen)}`)
        await new Promise<void>((next) => {
          wake = next
          setTimeout(next, 1000)
        })
      }
    },
    close: () => socket.close()
  }
}
