import { Effect } from "effect"
import { createHmac } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { until } from "../../support/KinoraProcess.ts"

/** What a receiver of webhooks got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- messages are compared field by field
  readonly body: any
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** How it answers from here on. */
  readonly answers: (answer: (response: ServerResponse) => void) => void
  /** Waits until it has got so many messages of a type. */
  readonly messages: (type: string, count?: number) => Effect.Effect<ReadonlyArray<Received>>
}

export const accepts = (response: ServerResponse): void => void response.writeHead(204).end()

/** Starts a receiver, which accepts everything at first. It ends with the scope. */
export const receiver = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<Receiver & { readonly close: () => void }>((done) => {
        const received: Array<Received> = []
        let answer = accepts
        const server = createServer((request, response) => {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => chunks.push(chunk))
          request.on("end", () => {
            const text = Buffer.concat(chunks).toString()
            received.push({ path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) })
            answer(response)
          })
        })
        server.listen(0, "127.0.0.1", () =>
          done({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
            received,
            answers: (next) => {
              answer = next
            },
            messages: (type, count = 1) =>
              Effect.promise(() =>
                until(`${count} messages of ${type}`, 60, async () => {
                  const found = received.filter(({ body }) => body.type === type)
                  return found.length >= count ? found : undefined
                })
              ),
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      })
  ),
  ({ close }) => Effect.sync(close)
)

/** Whether a message has the signature that the secret makes, verified as a receiver does. */
export const isSigned = ({ headers, text }: Received, secret: string): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const said = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${text}`
  const wanted = `v1,${createHmac("sha256", key).update(said).digest("base64")}`
  return String(headers["webhook-signature"]).split(" ").includes(wanted)
}
