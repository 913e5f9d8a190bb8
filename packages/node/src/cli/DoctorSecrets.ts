import { Effect, FileSystem, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../platform/config/Config.ts"
import { checkSetting } from "../platform/secrets/KeyCheck.ts"
import { boxOf } from "../platform/secrets/SecretBox.ts"
import { keyFile, readKeys } from "../platform/secrets/SecretKeys.ts"
import { databaseLayer } from "./DatabaseLayer.ts"
import { failure, type Finding, good, warning } from "./DoctorReport.ts"

const subject = "secret key"
const advice = "Without it second factors are lost: docs/secrets.md says what to do."

/**
 * The sealed text by which the instance recognises its key. Undefined on a new instance. None if the database does not
 * answer.
 */
const storedCheck = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ value: string }>`
    select value #>> '{}' as value from instance_setting where key = ${checkSetting}
  `
  return rows[0]?.value
}).pipe(
  // The table does not exist before the first start.
  Effect.catchTag("SqlError", () => Effect.succeed(undefined)),
  Effect.provide(databaseLayer),
  Effect.timeout("10 seconds"),
  Effect.option
)

const anybodyElse = 0o077

/** Whether others than the node's user can read the file. */
const isOpen = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const stat = yield* Effect.option(fs.stat(file))
  return Option.isSome(stat) && (stat.value.mode & anybodyElse) !== 0
})

/** Whether the secret key exists, belongs to this instance and is private. Never creates one. */
export const checkSecrets = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const file = yield* keyFile
  const keys = yield* Effect.result(readKeys)
  if (keys._tag === "Failure") {
    return [failure(subject, `${file} cannot be read: ${keys.failure.message}`, "Give it to the user Kinora runs as.")]
  }
  const [present, ...former] = keys.success
  const where = Redacted.value(config.secrets.peertube) === "" ? file : "secrets.peertube"
  const findings: Array<Finding> = []
  const stored = yield* storedCheck
  const check = Option.getOrUndefined(stored)
  const opens = (key: Uint8Array) => check === undefined || boxOf(key).open(check, "key check") !== undefined
  if (Option.isNone(stored)) {
    findings.push(warning(subject, `${where} was not tried`, "The database does not answer: ask doctor again."))
  } else if (present === undefined) {
    findings.push(
      check === undefined
        ? good(subject, `${file} is made at the first start: back it up with the database`)
        : failure(subject, `${file} is missing`, `Bring it back from the backup. ${advice}`)
    )
  } else if (opens(present)) findings.push(good(subject, `${where} is the key of this instance`))
  else if (former.some(opens)) {
    findings.push(warning(subject, `${where} is a new key`, "Stored values are sealed with it at the next start."))
  } else {
    findings.push(failure(subject, `${where} is not the key of this instance`, `Bring the right one back. ${advice}`))
  }
  if (yield* isOpen(file)) {
    findings.push(warning(subject, `${file} can be read by others`, `chmod 600 ${file}`))
  }
  return findings
})
