import { clientKey } from "@kinora/domain/network/ClientKey"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { Pace } from "../../platform/http/Pace.ts"

/** Milliseconds of a line that stood idle which are not lost: smooths what timers do. */
const burst = 100

/** Lines that are looked through for idle ones once there are so many. */
const manyLines = 1000

const largestChunk = 64 * 1024
const smallestChunk = 1024

/** A line of so many bytes a second, shared by all that take of it: each waits for what was taken before. */
interface Line {
  readonly bytesPerSecond: number
  /** When everything taken so far is through, in milliseconds. */
  freeAt: number
}

const take = (line: Line, bytes: number, now: number): number => {
  const begins = Math.max(line.freeAt, now - burst)
  line.freeAt = begins + (bytes / line.bytesPerSecond) * 1000
  return begins - now
}

/** Small enough for several to go each second, however slow the line. */
const chunkOf = (lines: ReadonlyArray<Line>): number =>
  Math.max(smallestChunk, Math.min(largestChunk, ...lines.map(({ bytesPerSecond }) => Math.floor(bytesPerSecond / 8))))

/**
 * Throttling of downloads (specification: `download.max_total_bytes_per_second` and `max_bytes_per_ip_per_second`). The
 * downloads of one address share its line, whatever they are and however many; so do all downloads of this node.
 */
export class DownloadPace extends Context.Service<
  DownloadPace,
  {
    /** The pace of a client's downloads; undefined when nothing holds them back. */
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
          // Looked up for each piece: an idle line may have been forgotten meanwhile, and begun anew by another download.
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
