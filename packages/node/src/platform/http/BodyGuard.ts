import type { IncomingMessage, Server } from "node:http"
import type { HttpOptions } from "./HttpOptions.ts"
import { canonicalPath } from "./RequestPath.ts"

interface Watched {
  readonly source: IncomingMessage
  readonly isUpload: boolean
  /** Start of the running measure, and what the connection had read by then. */
  since: number
  bytes: number
}

/**
 * Ends connections whose request body comes too slowly: a body that is read whole has a total time, one that is
 * streamed must keep up a rate. Node's own `requestTimeout` knows one time for all, which a long upload would exceed.
 * Returns what stops the watch.
 */
export const guardBodies = (
  server: Server,
  options: Pick<HttpOptions, "bodyTimeoutMillis" | "isUpload" | "uploadIdleMillis" | "uploadMinBytesPerSecond">
): (() => void) => {
  const watched = new Set<Watched>()
  const isSlow = (entry: Watched, now: number): boolean => {
    const elapsed = now - entry.since
    if (!entry.isUpload) return elapsed > options.bodyTimeoutMillis
    if (elapsed < options.uploadIdleMillis) return false
    const read = entry.source.socket.bytesRead - entry.bytes
    // A paused request is one that we do not read fast enough.
    if (!entry.source.isPaused() && read * 1000 < options.uploadMinBytesPerSecond * elapsed) return true
    entry.since = now
    entry.bytes = entry.source.socket.bytesRead
    return false
  }
  const sweep = () => {
    const now = performance.now()
    for (const entry of watched) {
      if (entry.source.complete || entry.source.destroyed) watched.delete(entry)
      else if (isSlow(entry, now)) {
        watched.delete(entry)
        entry.source.socket.destroy()
      }
    }
  }
  const timer = setInterval(sweep, Math.min(1000, options.bodyTimeoutMillis / 2))
  timer.unref()
  const onRequest = (source: IncomingMessage) => {
    const headers = source.headers
    if (headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0") return
    watched.add({
      source,
      isUpload: options.isUpload(source.method ?? "", canonicalPath(source.url ?? "")),
      since: performance.now(),
      bytes: source.socket.bytesRead
    })
  }
  server.on("request", onRequest)
  server.on("checkContinue", onRequest)
  return () => {
    clearInterval(timer)
    server.off("request", onRequest)
    server.off("checkContinue", onRequest)
  }
}
