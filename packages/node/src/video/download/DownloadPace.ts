import { clientKey } from "@kinora/domain/network/ClientKey"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { Pace } from "../../platform/http/Pace.ts"

/** Milliseconds of unused bandwidth that carry over. Smooths timer jitter. */
const burst = 100

/** Beyond this many buckets, idle ones are removed. */
const manyLines = 1000

const largestChunk = 64 * 1024
const smallestChunk = 1024

/** A bandwidth limit in bytes per second, shared by its downloads: each waits for the bytes sent before. */
interface Line {
  readonly bytesPerSecond: number
  /** When all bytes so far are sent, in milliseconds. */
  freeAt: number
}

const take = (line: Line, bytes: number, now: number): number => {
  const begins = Math.max(line.freeAt, now - burst)
  line.freeAt = begins + (bytes / line.bytesPerSecond) * 1000
  return begins - now
}

/** Small enough that several chunks fit into each second, however slow the limit. */
const chunkOf = (lines: ReadonlyArray<Line>): number =>
  Math.max(smallestChunk, Math.min(largestChunk, ...lines.map(({ bytesPerSecond }) => Math.floor(bytesPerSecond / 8))))

/**
 * Throttles downloads (specification: `download.max_total_bytes_per_second` and `max_bytes_per_ip_per_second`). All
 * downloads of one address share one limit, and all downloads of this node share another.
 */
export class DownloadPace extends Context.Service<
  DownloadPace,
  {
    /** The throttle for a client's downloads. Undefined if there is no limit. */
    readonly of: (address: string) => Pace | undefined
  }
>()("@kinora/node/downloads/DownloadPace") {
  static readonly layer = Layer.effect(
    DownloadPace,
    Effect.map(KinoraConfig, ({ download }) => {
      const { max_bytes_per_ip_per_second: perClient, max_total_bytes_per_second: total } = download
      const shared: Line | undefined = total === null ? undefined : { bytesPerSecond: total, freeAt: 0 }
      const clients = new Map<string, Line>()

      const lineOf = (client: string, bytesPerSecond: number): Line => {
        const known = clients.get(client)
        if (known !== undefined) return known
        if (clients.size >= manyLines) {
          const now = performance.now()
          for (const [key, { freeAt }] of clients) if (freeAt < now) clients.delete(key)
        }
        const line = { bytesPerSecond, freeAt: 0 }
        clients.set(client, line)
        return line
      }

      return DownloadPace.of({
        of: (address) => {
          if (shared === undefined && perClient === null) return undefined
          const client = clientKey(address)
          // Looked up for each chunk: an idle limit may have been removed meanwhile, and created again by another
          // download.
          const lines = () =>
            [shared, perClient === null ? undefined : lineOf(client, perClient)].filter((line) => line !== undefined)
          return {
            chunk: chunkOf(lines()),
            take: (bytes) => {
              const now = performance.now()
              return Math.max(0, ...lines().map((line) => take(line, bytes, now)))
            }
          }
        }
      })
    })
  )
}
