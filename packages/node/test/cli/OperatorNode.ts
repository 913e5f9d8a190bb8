import { NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { RunningNode } from "../security/RunningNode.ts"
import { runCli } from "./RunCli.ts"

/** Runs a command beside the running node, over its database, in the process of the test. */
export const command = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { process } = yield* RunningNode
  const env = {
    KINORA_DATA_DIR: process.dataDir,
    KINORA_LISTEN_PORT: String(process.port),
    KINORA_WEBSERVER_HOSTNAME: "127.0.0.1",
    KINORA_WEBSERVER_PORT: String(process.port),
    ...process.env
  }
  return yield* runCli(args, { env }).pipe(Effect.provide(NodeServices.layer))
})

/** The output of a command that has to succeed. */
export const output = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { code, err, out } = yield* command(...args)
  if (code !== 0) return yield* Effect.die(new Error(`kinora ${args.join(" ")} ended with ${code}: ${err}`))
  return out
})

// oxlint-disable-next-line typescript/no-explicit-any -- facts are compared field by field
export type Facts = any

/** What a command prints with `--json`. */
export const facts = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  return JSON.parse(yield* output(...args, "--json")) as Facts
})

/** The entries of the audit log from here on, the oldest first. */
export const auditedSince = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [last] = yield* sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_entry`
  return sql<{ username: string | null; entry: string; target: unknown }>`
    select username, domain || ' ' || action as entry, target from audit_entry where id > ${last!.id} order by id`
})
