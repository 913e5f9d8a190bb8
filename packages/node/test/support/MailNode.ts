import { Effect, Layer } from "effect"
import type { Overrides } from "../../src/platform/config/Config.ts"
import { MailTasks } from "../../src/platform/mail/MailTasks.ts"
import { testNode } from "../instance/about/TestNode.ts"
import { MailServer } from "./MailServer.ts"

/**
 * The node of `testNode` that also sends its mail, to the `MailServer` beside it. With `sending: false` mails are queued
 * and wait.
 */
export const mailNode = (overrides: Overrides = {}, options: { readonly sending?: boolean } = {}) =>
  Layer.unwrap(
    Effect.map(MailServer, (server) => {
      const node = testNode({ ...server.overrides, ...overrides })
      return options.sending === false ? node : MailTasks.pipe(Layer.provideMerge(node))
    })
  ).pipe(Layer.provideMerge(MailServer.layer))
