import { NodeServices } from "@effect/platform-node"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { SealedPayloads } from "@kinora/storage/platform/jobs/SealedPayloads"
import { Effect, Layer } from "effect"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { KinoraConfig, type Overrides } from "../../../src/platform/config/Config.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { MailTasks } from "../../../src/platform/mail/MailTasks.ts"
import { MailWorker } from "../../../src/platform/mail/MailWorker.ts"
import { Templates } from "../../../src/platform/mail/Templates.ts"
import { MailTransport } from "../../../src/platform/mail/Transport.ts"
import { SecretBox } from "../../../src/platform/secrets/SecretBox.ts"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"
import { MailServer } from "../../support/MailServer.ts"

/** All that mail needs, over a database of its own; nothing is sent by itself. */
export const mailServices = (overrides: Overrides) => {
  const config = KinoraConfig.layerTest({ secrets: { peertube: "a secret of the tests, long enough" }, ...overrides })
  const base = Layer.mergeAll(config, TestDatabase, Supervisor.layer).pipe(Layer.provideMerge(NodeServices.layer))
  const board = Layer.mergeAll(JobBoard.layer, JobUpkeep.layer, SecretBox.layer, SealedPayloads.layer)
  const services = Mailer.layer.pipe(Layer.provideMerge(board), Layer.provideMerge(base))
  return MailWorker.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Templates.layer, MailTransport.layer)),
    Layer.provideMerge(services)
  )
}

/** The same with the tasks of a node, sending as these overrides say. */
export const mailTasks = (overrides: Overrides) => MailTasks.pipe(Layer.provideMerge(mailServices(overrides)))

/** The same with a mail server that gets everything. */
export const mailWorld = (overrides: Overrides = {}) =>
  Layer.unwrap(Effect.map(MailServer, (server) => mailTasks({ ...server.overrides, ...overrides }))).pipe(
    Layer.provideMerge(MailServer.layer)
  )
