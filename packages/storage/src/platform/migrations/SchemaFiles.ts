import { createHash } from "node:crypto"
import { sqlFiles } from "./SqlFiles.ts"
import type { SqlFile } from "./SqlFolder.ts"

/** One step after the baseline: `changes/0050-name.sql`. */
export interface Change extends SqlFile {
  readonly id: number
  readonly name: string
}

/** What the schema is made of, each list in the order it is applied in. docs/decisions/schema-files.md says why. */
export interface SchemaFiles {
  /** `<domain>/tables/*.sql`: applied to an empty database alone, and frozen. */
  readonly baseline: ReadonlyArray<SqlFile>
  /** `changes/*.sql`: applied once each, and frozen. */
  readonly changes: ReadonlyArray<Change>
  /** `<domain>/{functions,views,triggers}/*.sql`: made anew, all of them, when one has changed. */
  readonly repeatable: ReadonlyArray<SqlFile>
  /** `upgrade-from-48.sql`: makes room for the repeatable files in a database of the last version before the baseline. */
  readonly takeover: ReadonlyArray<SqlFile>
}

/** The version of a database that has the baseline and no change. */
export const baselineVersion = 49

/** The last step of the versions before: where a database has it, its tables are those of the baseline. */
export const beforeBaseline = {
  id: 48,
  checksum: "1b24715dc6fff4277e115b8c4dfe36f93eca7b1c904265579a81cb22fb74a0ed"
} as const

/** Tables of a domain refer to those of the domains before it. */
const domains = ["platform", "people", "video", "social", "runner", "federation", "instance"]

const checksum = (...texts: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const text of texts) hash.update(text)
  return hash.digest("hex")
}

export const checksumOf = (file: SqlFile): string => checksum(file.text)

/** Of all files of the baseline, their paths and order included. */
export const baselineChecksum = (schema: SchemaFiles): string =>
  checksum(...schema.baseline.flatMap((file) => [file.path, "\n", file.text]))

const toChange = (file: SqlFile): Change => {
  const [, id, name] = /^changes\/(\d{4})-([a-z0-9-]+)\.sql$/.exec(file.path) ?? []
  if (id === undefined || name === undefined) throw new Error(`sql/${file.path}: no name of a change`)
  return { ...file, id: Number(id), name }
}

/** Sorts files into the parts of a schema by the folder they are in. */
export const toSchema = (files: ReadonlyArray<SqlFile>): SchemaFiles => {
  const kind = (name: string) =>
    domains.flatMap((domain) => files.filter((file) => file.path.startsWith(`${domain}/${name}/`)))
  return {
    baseline: kind("tables"),
    changes: files.filter((file) => file.path.startsWith("changes/")).map(toChange),
    repeatable: [...kind("functions"), ...kind("views"), ...kind("triggers")],
    takeover: files.filter((file) => file.path === `upgrade-from-${beforeBaseline.id}.sql`)
  }
}

/** The schema of this program. */
export const schemaFiles: SchemaFiles = toSchema(sqlFiles)
