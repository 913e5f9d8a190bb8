import { Context, Effect, Layer } from "effect"
import { SMTPServer } from "smtp-server"
import { type MailParts, mailParts } from "./MailParts.ts"

/** A mail that arrived. `from` and `to` are those of the envelope: where it really goes, whatever its headers say. */
export interface ReceivedMail extends MailParts {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
}

/** What the server says to a recipient instead of taking the mail. */
export interface Refusal {
  readonly code: number
  readonly message: string
}

const hostname = "127.0.0.1"

const patienceMillis = 20_000

/** Real time: under the test clock others would never end. */
const arrival = (
  received: ReadonlyArray<ReceivedMail>,
  waiting: Set<() => void>,
  holds: (mail: ReceivedMail) => boolean,
  what: string
) =>
  new Promise<ReceivedMail>((resolve, reject) => {
    const look = () => {
      const found = received.find(holds)
      if (found === undefined) return
      clearTimeout(limit)
      waiting.delete(look)
      resolve(found)
    }
    const limit = setTimeout(() => {
      waiting.delete(look)
      const seen = received.map((it) => `${it.to.join()}: ${it.subject}`).join("; ")
      reject(new Error(`${what} did not arrive; there is: ${seen || "nothing"}`))
    }, patienceMillis)
    waiting.add(look)
    look()
  })

/** A real SMTP server on loopback that keeps what it gets. */
export class MailServer extends Context.Service<
  MailServer,
  {
    /** Overrides of the configuration with which a node sends its mail here. */
    readonly overrides: { readonly smtp: Record<string, string | number | boolean> }
    /** Everything that arrived, the first first. */
    readonly received: ReadonlyArray<ReceivedMail>
    /** The first mail of which this holds, as soon as it is there. Dies after 20 seconds. */
    readonly waitFor: (holds: (mail: ReceivedMail) => boolean, what?: string) => Effect.Effect<ReceivedMail>
    /** The newest mail to an address, as soon as there is one. */
    readonly waitForMailTo: (address: string) => Effect.Effect<ReceivedMail>
    /** Answers recipients with a refusal from now on, or not at all; undefined takes their mail again. */
    readonly refuse: (decide: (address: string) => Refusal | "silence" | undefined) => Effect.Effect<void>
    /** Recipients that were named so far, refused ones included. */
    readonly asked: ReadonlyArray<string>
    /** Stops listening; `start` listens again on the same port. */
    readonly stop: Effect.Effect<void>
    readonly start: Effect.Effect<void>
  }
>()("test/MailServer") {
  static readonly layer = Layer.effect(
    MailServer,
    Effect.gen(function* () {
      const received: Array<ReceivedMail> = []
      const asked: Array<string> = []
      const waiting = new Set<() => void>()
      let refusal: (address: string) => Refusal | "silence" | undefined = () => undefined
      let port = 0
      let server: SMTPServer | undefined

      const make = () =>
        new SMTPServer({
          disabledCommands: ["AUTH", "STARTTLS"],
          disableReverseLookup: true,
          closeTimeout: 100,
          logger: false,
          onRcptTo: ({ address }, _, callback) => {
            asked.push(address)
            const refused = refusal(address)
            if (refused !== "silence")
              callback(refused && Object.assign(new Error(refused.message), { responseCode: refused.code }))
          },
          onData: (stream, session, callback) => {
            const chunks: Array<Buffer> = []
            stream.on("data", (chunk: Buffer) => chunks.push(chunk))
            stream.once("end", () => {
              const raw = Buffer.concat(chunks).toString("latin1")
              const { mailFrom, rcptTo } = session.envelope
              const from = mailFrom === false ? "" : mailFrom.address
              received.push({ ...mailParts(raw), from, to: rcptTo.map((it) => it.address), raw })
              callback()
              for (const look of waiting) look()
            })
          }
        })

      const start = Effect.callback<void>((resume) => {
        const made = make()
        server = made
        made.on("error", (error) => resume(Effect.die(error)))
        const listener = made.listen(port, hostname, () => {
          const address = listener.address()
          if (address !== null && typeof address === "object") port = address.port
          resume(Effect.void)
        })
      })
      const stop = Effect.callback<void>((resume) => {
        const running = server
        server = undefined
        if (running === undefined) resume(Effect.void)
        else running.close(() => resume(Effect.void))
      })
      yield* Effect.acquireRelease(start, () => stop)

      const waitFor = (holds: (mail: ReceivedMail) => boolean, what = "a mail") =>
        Effect.promise(() => arrival(received, waiting, holds, what))

      return MailServer.of({
        overrides: {
          smtp: { hostname, port, tls: false, disable_starttls: true, from_address: "kinora@instance.test" }
        },
        received,
        asked,
        waitFor,
        waitForMailTo: (address) =>
          Effect.map(
            waitFor((mail) => mail.to.includes(address), `a mail to ${address}`),
            (first) => received.findLast((mail) => mail.to.includes(address)) ?? first
          ),
        refuse: (decide) => Effect.sync(() => void (refusal = decide)),
        start,
        stop
      })
    })
  )
}
