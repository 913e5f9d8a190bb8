import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { Peers } from "../../platform/cluster/Peers.ts"
import { Placement } from "../../platform/cluster/Placement.ts"

/** What may wait, by count and by bytes of text. */
export interface BacklogBounds {
  readonly hostCount: number
  readonly hostBytes: number
  /** Of a host that nobody here follows and that follows nobody here. */
  readonly strangerCount: number
  readonly strangerBytes: number
  /** Of all together: beyond, no host may have more than its share; far beyond, hosts we do not know and then nobody. */
  readonly count: number
  readonly bytes: number
}

const mebibyte = 1024 * 1024

/** A host's bound is a day of a busy one; all together fit a small disk. */
export const usualBounds: BacklogBounds = {
  hostCount: 50_000,
  hostBytes: 256 * mebibyte,
  strangerCount: 2_000,
  strangerBytes: 16 * mebibyte,
  count: 300_000,
  bytes: 1024 * mebibyte
}

/** Tests that fill an inbox have smaller ones. */
export const InboxBounds = Context.Reference<BacklogBounds>("@kinora/node/inbox/InboxBounds", {
  defaultValue: () => usualBounds
})

/** A share is never less than so many. */
const leastShare = 500
const leastShareBytes = 4 * mebibyte
/** By how much the bound of all may be exceeded by hosts we do not know, and by those we know, as long as each has little. */
const unknownBeyond = 1.25
const beyond = 1.5

/** How long a host is taken for what it was found to be. */
const familiarFor = Duration.toMillis(Duration.minutes(1))
const remembered = 10_000

interface Waiting {
  count: number
  bytes: number
}

/** Changes of hosts that nodes send each other: host, count and bytes, both negative for what was applied. */
const Changes = Schema.Array(Schema.Tuple([Schema.String, Schema.Int, Schema.Int]))
const decodeChanges = Schema.decodeUnknownEffect(Changes)
/** Hosts of one message. */
const mostAtOnce = 4_000

/**
 * How much waits to be applied, in the whole instance: what this node and, as they send it twice a second, other nodes of its
 * cluster took and applied since this one last looked at the table. Bounds are exceeded by what all take in half a second.
 */
export class InboxBacklog extends Context.Service<
  InboxBacklog,
  {
    /** Whether one more of this host has to wait outside. */
    readonly isFull: (host: string) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly add: (host: string, bytes: number) => void
    readonly remove: (host: string, count: number, bytes: number) => void
    /** Counts up with each activity that is taken: while it does, others are being answered. */
    readonly taken: () => number
    /** Sends other nodes what changed here since the last time. */
    readonly broadcast: Effect.Effect<void>
    /** Takes the numbers of the table. */
    readonly look: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/inbox/InboxBacklog") {
  static readonly layer = Layer.effect(
    InboxBacklog,
    Effect.gen(function* () {
      const bounds = yield* InboxBounds
      const upkeep = yield* InboxUpkeep
      let hosts = new Map<string, Waiting>()
      let all: Waiting = { count: 0, bytes: 0 }

      const change = (host: string, count: number, bytes: number) => {
        const of = hosts.get(host) ?? { count: 0, bytes: 0 }
        of.count = Math.max(0, of.count + count)
        of.bytes = Math.max(0, of.bytes + bytes)
        all.count = Math.max(0, all.count + count)
        all.bytes = Math.max(0, all.bytes + bytes)
        if (of.count === 0) hosts.delete(host)
        else hosts.set(host, of)
      }

      const peers = yield* Peers
      const { several } = yield* Placement
      const untold = new Map<string, Waiting>()

      /** A change that happened here. */
      const changeHere = (host: string, count: number, bytes: number) => {
        change(host, count, bytes)
        if (!several) return
        const of = untold.get(host) ?? { count: 0, bytes: 0 }
        untold.set(host, { count: of.count + count, bytes: of.bytes + bytes })
      }

      const broadcast = Effect.suspend(() => {
        if (untold.size === 0) return Effect.void
        const changes: Array<(typeof Changes.Type)[number]> = []
        for (const [host, { bytes, count }] of untold) {
          changes.push([host, count, bytes])
          untold.delete(host)
          if (changes.length === mostAtOnce) break
        }
        return peers.broadcast("inbox-backlog", changes)
      })

      yield* peers.answer("inbox-backlog", (input) =>
        Effect.map(Effect.orDie(decodeChanges(input)), (changes) => {
          for (const [host, count, bytes] of changes) change(host, count, bytes)
        })
      )

      let taken = 0

      const known = new Map<string, { readonly familiar: boolean; readonly until: number }>()

      const isFamiliar = Effect.fnUntraced(function* (host: string) {
        const now = yield* Clock.currentTimeMillis
        const found = known.get(host)
        if (found !== undefined && found.until > now) return found.familiar
        const familiar = yield* upkeep.isFamiliar(host)
        known.delete(host)
        if (known.size >= remembered) known.delete(known.keys().next().value!)
        known.set(host, { familiar, until: now + familiarFor })
        return familiar
      })

      const isFull = (host: string) =>
        Effect.suspend(() => {
          const { bytes, count } = hosts.get(host) ?? { count: 0, bytes: 0 }
          if (count >= bounds.hostCount || bytes >= bounds.hostBytes) return Effect.succeed(true)
          const fill = Math.max(all.count / bounds.count, all.bytes / bounds.bytes)
          if (fill >= beyond) return Effect.succeed(true)
          if (fill >= 1) {
            const others = Math.max(1, hosts.size)
            const share = Math.max(leastShare, bounds.count / others)
            const shareBytes = Math.max(leastShareBytes, bounds.bytes / others)
            if (count >= share || bytes >= shareBytes) return Effect.succeed(true)
          }
          const little = count < bounds.strangerCount && bytes < bounds.strangerBytes
          if (little && fill < unknownBeyond) return Effect.succeed(false)
          return Effect.map(isFamiliar(host), (it) => !it)
        })

      const look = Effect.gen(function* () {
        const rows = yield* upkeep.backlog
        hosts = new Map(rows.map(({ bytes, count, host }) => [host, { count, bytes }]))
        all = { count: 0, bytes: 0 }
        for (const row of rows) {
          all.count += row.count
          all.bytes += row.bytes
        }
      })

      return InboxBacklog.of({
        isFull,
        add: (host, bytes) => {
          taken++
          changeHere(host, 1, bytes)
        },
        taken: () => taken,
        remove: (host, count, bytes) => changeHere(host, -count, -bytes),
        broadcast,
        look
      })
    })
  )
}
