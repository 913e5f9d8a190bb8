import type { S3Settings } from "@kinora/storage/platform/objects/s3/S3Settings"
import { Effect, Option, Redacted } from "effect"
import { readFile } from "node:fs/promises"
import type { ConfigTree } from "./Keys.ts"
import { s3Settings } from "./ObjectStorage.ts"

/** How the storage of backups is reached; a text says what is missing. */
export const backupS3Settings = (config: ConfigTree["backup"]["s3"]): S3Settings | string => {
  const { credentials, endpoint, max_request_attempts, max_upload_part, path_style, region } = config
  const { access_key_id, secret_access_key } = credentials
  if (endpoint === "") {
    return "No storage of backups is configured: set backup.s3.endpoint and backup.s3.credentials."
  }
  if (access_key_id === "") return "backup.s3.credentials.access_key_id is empty."
  const keys = { access_key_id, secret_access_key }
  return (
    s3Settings({ endpoint, region, path_style, max_request_attempts, max_upload_part, credentials: keys }) ??
    `backup.s3.endpoint: ${JSON.stringify(endpoint)} is not an address.`
  )
}

/** Fewer characters are guessed by those who have the files. */
const shortest = 12

/** The configured passphrase of backups, none where they are not encrypted; a failure says what is wrong with it. */
export const backupPassphrase = ({
  passphrase,
  passphrase_file
}: ConfigTree["backup"]["encryption"]): Effect.Effect<Option.Option<Redacted.Redacted<string>>, string> =>
  Effect.gen(function* () {
    if (Redacted.value(passphrase) !== "" && passphrase_file !== "") {
      return yield* Effect.fail("Set backup.encryption.passphrase or backup.encryption.passphrase_file, not both.")
    }
    const text =
      passphrase_file === ""
        ? Redacted.value(passphrase)
        : yield* Effect.tryPromise({
            try: async () => (await readFile(passphrase_file, "utf8")).split(/\r?\n/, 1)[0] ?? "",
            catch: (cause) => `The passphrase of backups cannot be read: ${String(cause)}`
          })
    if (text === "" && passphrase_file === "") return Option.none()
    if (text.length < shortest) {
      return yield* Effect.fail(`The passphrase of backups has fewer than ${shortest} characters.`)
    }
    return Option.some(Redacted.make(text))
  })
