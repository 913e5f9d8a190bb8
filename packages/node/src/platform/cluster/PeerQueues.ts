import { Duration, Effect, FiberSet, type Scope } from "effect"
import { Peers } from "./Peers.ts"

/** Characters that wait for one node; what would be more is dropped. */
const mostWaiting = 4 * 1024 * 1024
/** A batch has at most this many messages, and no more characters than this unless it is a single one. */
const largestBatch = { messages: 256, size: 128 * 1024 }
const sendWithin = Duration.seconds(5)

/** Messages to other nodes. */
export interface PeerQueues<A> {
  /** Queues a message of `size` characters for a node. Returns at once; drops it if too much waits for the node. */
  readonly send: (node: string, message: A, size: number) => void
}

interface Waiting<A> {
  messages: Array<{ readonly message: A; readonly size: number }>
  size: number
  isSending: boolean
}

export interface PeerQueueOptions<A> {
  /** What a call has with these messages. Default: the messages. */
  readonly wrap?: ((messages: ReadonlyArray<A>) => unknown) | undefined
  /** Called with messages that did not get through. */
  readonly onFailed: (node: string, messages: ReadonlyArray<A>) => Effect.Effect<void>
}

/**
 * Sends messages to other nodes under a name, to each in order: what comes while a call is on its way goes together in the next.
 * Queues end with the scope.
 */
export const peerQueues = Effect.fnUntraced(function* <A>(
  name: string,
  options: PeerQueueOptions<A>
): Effect.fn.Return<PeerQueues<A>, never, Scope.Scope> {
  const peers = yield* Peers
  const wrap = options.wrap ?? ((messages: ReadonlyArray<A>): unknown => messages)
  const fork = yield* FiberSet.makeRuntime<never, void, never>()
  const nodes = new Map<string, Waiting<A>>()

  const nextBatch = (waiting: Waiting<A>): ReadonlyArray<A> => {
    let count = 0
    let size = 0
    for (const one of waiting.messages) {
      if (count > 0 && (count >= largestBatch.messages || size + one.size > largestBatch.size)) break
      count++
      size += one.size
    }
    waiting.size -= size
    return waiting.messages.splice(0, count).map(({ message }) => message)
  }

  const sendAll = Effect.fnUntraced(function* (node: string, waiting: Waiting<A>) {
    for (;;) {
      const batch = nextBatch(waiting)
      if (batch.length === 0) {
        nodes.delete(node)
        return
      }
      yield* Effect.timeout(peers.call(node, name, wrap(batch)), sendWithin).pipe(
        Effect.catch(() => options.onFailed(node, batch))
      )
    }
  })

  return {
    send: (node, message, size) => {
      const waiting = nodes.get(node) ?? { messages: [], size: 0, isSending: false }
      if (waiting.size + size > mostWaiting) return
      waiting.messages.push({ message, size })
      waiting.size += size
      if (waiting.isSending) return
      waiting.isSending = true
      nodes.set(node, waiting)
      fork(
        sendAll(node, waiting).pipe(
          Effect.catchDefect((defect) => Effect.logError(`Messages to the node ${node} were lost (${name})`, defect)),
          Effect.ensuring(Effect.sync(() => void (nodes.get(node) === waiting && nodes.delete(node))))
        )
      )
    }
  }
})
