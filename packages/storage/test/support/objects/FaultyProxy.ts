import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What goes wrong with one request. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly code: string }
  /** The answer breaks off after so many bytes of its body. */
  | { readonly kind: "cut answer"; readonly after: number }
  /** The connection breaks before the request was read. */
  | { readonly kind: "cut request" }
  /** The server does what was asked, and the answer is lost. */
  | { readonly kind: "lost answer" }
  | { readonly kind: "wrong etag" }
  /** Nothing comes for so many milliseconds. */
  | { readonly kind: "slow"; readonly millis: number }

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly signed: boolean
  readonly range: string | undefined
  readonly acl: string | undefined
}

export interface FaultyProxy {
  readonly port: number
  /** What was asked so far. */
  readonly seen: Array<SeenRequest>
  /** Bytes of bodies that were sent to clients, by path. */
  readonly sent: Map<string, number>
  /** Says for each request what goes wrong with it. */
  fault: (request: SeenRequest) => Fault | undefined
}

const isSigned = ({ headers, url = "" }: IncomingMessage): boolean =>
  headers.authorization !== undefined || url.includes("X-Amz-Signature")

/**
 * Stands before an S3 server. It also holds ACLs, which the server behind does not know: what was not stored as
 * `public-read` opens to signed requests alone.
 */
export const makeFaultyProxy = (target: number): Effect.Effect<FaultyProxy, never, Scope.Scope> =>
  Effect.gen(function* () {
    const acls = new Map<string, string>()
    const sent = new Map<string, number>()
    const seen: Array<SeenRequest> = []

    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      const { headers, method = "GET", url = "/" } = request
      const [path = "", search] = url.split("?")
      const acl = headers["x-amz-acl"]?.toString()
      const range = headers.range
      const one: SeenRequest = {
        method,
        path,
        query: new URLSearchParams(search),
        signed: isSigned(request),
        range,
        acl
      }
      seen.push(one)
      const fault = proxy.fault(one)
      if (fault?.kind === "cut request") return void request.socket.destroy()
      if (fault?.kind === "status") {
        request.resume()
        response.writeHead(fault.status, { "content-type": "application/xml" })
        return void response.end(
          `<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>by a test</Message></Error>`
        )
      }
      const reads = method === "GET" || method === "HEAD"
      if (reads && !one.signed && acls.get(path) !== "public-read") {
        response.writeHead(403, { "content-type": "application/xml", "access-control-allow-origin": "*" })
        return void response.end("<Error><Code>AccessDenied</Code></Error>")
      }
      const forward = httpRequest({ host: "127.0.0.1", port: target, method, path: url, headers })
      forward.on("error", () => response.destroy())
      forward.on("response", (answer) => {
        const status = answer.statusCode ?? 502
        if ((method === "PUT" || method === "POST") && acl !== undefined && status < 300) acls.set(path, acl)
        if (fault?.kind === "lost answer") {
          answer.resume()
          return void request.socket.destroy()
        }
        const heads = { ...answer.headers }
        if (fault?.kind === "wrong etag") heads["etag"] = `"${"0".repeat(32)}"`
        const start = () => {
          response.writeHead(status, heads)
          let bytes = 0
          answer.on("data", (part: Buffer) => {
            const left = fault?.kind === "cut answer" ? fault.after - bytes : part.length
            const piece = part.subarray(0, Math.max(0, left))
            bytes += piece.length
            sent.set(path, (sent.get(path) ?? 0) + piece.length)
            if (!response.write(piece)) {
              answer.pause()
              response.once("drain", () => answer.resume())
            }
            if (fault?.kind === "cut answer" && bytes >= fault.after) {
              answer.destroy()
              response.socket?.end()
              setImmediate(() => response.socket?.destroy())
            }
          })
          answer.on("end", () => response.end())
        }
        if (fault?.kind === "slow") setTimeout(start, fault.millis)
        else start()
      })
      response.on("close", () => forward.destroy())
      request.pipe(forward)
    }

    const server = createServer(handle)
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.promise(() => {
          server.closeAllConnections()
          return new Promise<void>((resolve) => void server.close(() => resolve()))
        })
    )
    const proxy: FaultyProxy = {
      port: (server.address() as AddressInfo).port,
      seen,
      sent,
      fault: () => undefined
    }
    return proxy
  })
