import { Data, Schema } from "effect"

/** The dump cannot be read, or does not fit this database. `message` says what to do. */
export class DumpUnusable extends Data.TaggedError("DumpUnusable")<{ readonly message: string }> {}

/** A step of the schema as `schema_migration` has it. */
export const SchemaStep = Schema.Struct({ id: Schema.Int, name: Schema.String, checksum: Schema.String })
export type SchemaStep = typeof SchemaStep.Type

/** The second line of a dump: what it is a dump of. */
export const DumpHead = Schema.Struct({
  format: Schema.Literal(1),
  /** Version of the program that wrote it. */
  program: Schema.String,
  /** ISO 8601. */
  createdAt: Schema.String,
  /** Public address of the instance; null as long as it has none. */
  origin: Schema.NullOr(Schema.String),
  /** Steps of the schema in the order of their ids: only a database with exactly these can hold the rows. */
  schema: Schema.Array(SchemaStep)
})
export type DumpHead = typeof DumpHead.Type

/** The first line of every dump. */
export const signature = "-- Kinora database dump"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(DumpHead))
const encode = Schema.encodeSync(Schema.fromJsonString(DumpHead))

/** The line that holds the head. */
export const encodeHead = (head: DumpHead): string => `-- ${encode(head)}`

/** The head in its line; a failure where it is none of this format. */
export const decodeHead = (line: string) => decode(line.replace(/^-- /, ""))
