import { Effect } from "effect"
import { baseUrl } from "../../instance/about/TestNode.ts"

type Message = Readonly<Record<string, unknown>>

/** A web socket that keeps what it was told until it is asked for. */
export class SocketClient {
  readonly #socket: WebSocket
  readonly #told: Array<Message> = []
  readonly #waiting: Array<() => void> = []
  readonly opened: Promise<boolean>
  /** The code the connection was closed with. */
  readonly closed: Promise<number>

  constructor(url: string) {
    this.#socket = new WebSocket(url)
    this.#socket.addEventListener("message", (event) => {
      this.#told.push(JSON.parse(String(event.data)))
      for (const wake of this.#waiting.splice(0)) wake()
    })
    this.opened = new Promise((resolve) => {
      this.#socket.addEventListener("open", () => resolve(true))
      this.#socket.addEventListener("error", () => resolve(false))
    })
    this.closed = new Promise((resolve) => this.#socket.addEventListener("close", (event) => resolve(event.code)))
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message))
  }

  close(): void {
    this.#socket.close()
  }

  /** The first message told, now or later, of which this is true; it is taken out. */
  async next(is: (message: Message) => boolean): Promise<Message> {
    while (true) {
      const at = this.#told.findIndex(is)
      if (at !== -1) return this.#told.splice(at, 1)[0]!
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

/** A socket of the suite's tracker, closed with the test. */
export const connect = Effect.fn("connect")(function* () {
  const base = yield* baseUrl
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new SocketClient(`${base.replace("http", "ws")}/tracker/socket`)),
    (socket) => Effect.sync(() => socket.close())
  )
  yield* Effect.promise(() => client.opened)
  return client
})

/** Waits for a message; dies when none comes. */
export const next = (client: SocketClient, is: (message: Message) => boolean) =>
  Effect.promise(() => client.next(is)).pipe(Effect.timeout("20 seconds"), Effect.orDie)
