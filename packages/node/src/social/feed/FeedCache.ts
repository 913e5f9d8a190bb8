import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { readAsOfNow } from "@kinora/storage/platform/database/replica/LaggingReads"
import { CurrentReplica } from "@kinora/storage/platform/database/replica/Replica"
import { FeedVersion } from "@kinora/storage/social/feed/FeedVersion"
import { makeFreshRead } from "@kinora/storage/social/feed/FreshReads"
import { Context, Effect, Layer } from "effect"
import type { Coding } from "../../platform/http/Compression.ts"
import { weakEtag } from "../../platform/http/Conditional.ts"

/** Bytes of feeds that are kept, their compressed forms included. */
const mostBytes = 32 * 1024 * 1024
/** What an entry takes beside its texts. */
const overhead = 1024

/** A feed that was read: what it says, and how it is written down. Equal facts are written the same. */
export interface FeedSource {
  readonly facts: string
  readonly write: () => string
}

/** A feed as it is answered. */
export interface FeedText {
  /** UTF-8. */
  readonly body: Uint8Array
  readonly etag: string
  /** It has been the same since then, milliseconds by the database's clock. */
  readonly since: number
  /** Compressed forms that were made. */
  readonly coded: Map<Coding, Uint8Array>
}

interface Kept extends FeedText {
  readonly facts: string
  version: string
  since: number
}

/** The reads of a feed that requests wait for, and the moment that the next read has to reflect. */
interface Turn {
  version: string
  now: number
  waiting: number
  readonly read: Effect.Effect<Kept, unknown>
}

/**
 * Feeds that were written, kept as long as nothing they are made of has changed, and the least recently asked for given up
 * when they take too much room. When something has changed a feed is read again, and written again when it was that which
 * changed. Those who ask for the same at once wait for one reading, however many changes there are between them.
 */
export class FeedCache extends Context.Service<
  FeedCache,
  {
    /**
     * The feed of this key, as of a moment after this was asked for, and that moment. `read` is what the key stands for;
     * its failures are not kept.
     */
    readonly get: <E>(
      key: string,
      read: Effect.Effect<FeedSource, E>
    ) => Effect.Effect<{ readonly feed: FeedText; readonly now: number }, E | DatabaseUnavailable>
    /** Counts a compressed form that was added to a feed, if it is still the one of the key. */
    readonly grown: (key: string, feed: FeedText, bytes: number) => void
  }
>()("@kinora/node/feeds/FeedCache") {
  static readonly layer = Layer.effect(
    FeedCache,
    Effect.gen(function* () {
      const versions = yield* FeedVersion
      const replica = yield* CurrentReplica
      const scope = yield* Effect.scope
      const feeds = new Map<string, Kept>()
      const turns = new Map<string, Turn>()
      let bytes = 0

      const sizeOf = (kept: FeedText) => {
        let size = overhead + kept.body.byteLength
        for (const coded of kept.coded.values()) size += coded.byteLength
        return size
      }
      const drop = (key: string) => {
        const kept = feeds.get(key)
        if (kept === undefined) return
        feeds.delete(key)
        bytes -= sizeOf(kept)
      }
      const makeRoom = () => {
        for (const key of feeds.keys()) {
          if (bytes <= mostBytes) return
          drop(key)
        }
      }
      const keep = (key: string, kept: Kept) => {
        drop(key)
        feeds.set(key, kept)
        bytes += sizeOf(kept)
        makeRoom()
      }

      const made = (key: string, { facts, write }: FeedSource, version: string, now: number): Kept => {
        const former = feeds.get(key)
        if (former !== undefined && former.facts === facts) {
          former.version = version
          // Something else may have come and gone meanwhile: that it is the same is known from now on only.
          former.since = now
          feeds.delete(key)
          feeds.set(key, former)
          return former
        }
        const text = write()
        const body = Buffer.from(text)
        const kept: Kept = {
          body,
          etag: weakEtag(text, body.byteLength),
          since: now,
          coded: new Map(),
          facts,
          version
        }
        keep(key, kept)
        return kept
      }

      const begin = (key: string, read: Effect.Effect<FeedSource, unknown>, version: string, now: number): Turn => {
        const turn: Turn = {
          version,
          now,
          waiting: 0,
          read: makeFreshRead(
            Effect.suspend(() => {
              const kept = feeds.get(key)
              if (kept !== undefined && kept.version === turn.version) return Effect.succeed(kept)
              const as = { version: turn.version, now: turn.now }
              // Kept under a version of the primary: what is read must not be older.
              return Effect.map(readAsOfNow(replica, read), (source) => made(key, source, as.version, as.now))
            }),
            scope
          )
        }
        turns.set(key, turn)
        return turn
      }

      /** One reading of a feed at a time: while things change all the time, each would else be read for every change. */
      const readInTurn = <E>(key: string, read: Effect.Effect<FeedSource, E>, version: string, now: number) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const turn = turns.get(key) ?? begin(key, read, version, now)
            if (Number(version) > Number(turn.version)) Object.assign(turn, { version, now })
            turn.waiting++
            return turn
          }),
          (turn) => turn.read as Effect.Effect<Kept, E>,
          (turn) =>
            Effect.sync(() => {
              if (--turn.waiting === 0) turns.delete(key)
            })
        )

      return FeedCache.of({
        get: <E>(key: string, read: Effect.Effect<FeedSource, E>) =>
          Effect.flatMap(versions.current, ({ now, version }) => {
            const kept = feeds.get(key)
            if (kept === undefined || kept.version !== version) {
              return Effect.map(readInTurn(key, read, version, now), (feed) => ({ feed, now }))
            }
            feeds.delete(key)
            feeds.set(key, kept)
            return Effect.succeed({ feed: kept, now })
          }),
        grown: (key, feed, more) => {
          if (feeds.get(key) !== feed) return
          bytes += more
          makeRoom()
        }
      })
    })
  )
}
