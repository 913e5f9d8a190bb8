import { fork } from "node:child_process"
import { join } from "node:path"
import type { PeerOrder } from "./InboxPeer.ts"

/** Starts the process of other instances. Orders go one after another. */
export const inboxPeer = () => {
  const child = fork(join(import.meta.dirname, "InboxPeer.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  const ask = <A>(order: PeerOrder): Promise<A> =>
    new Promise((done, failed) => {
      child.once("message", (answer: { readonly result: A; readonly error?: string }) =>
        answer.error === undefined ? done(answer.result) : failed(new Error(answer.error))
      )
      child.send(order)
    })
  return { ask, pid: child.pid ?? 0, stop: () => void child.kill() }
}
