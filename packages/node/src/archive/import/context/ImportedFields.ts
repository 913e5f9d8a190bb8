import { Option, Schema } from "effect"

/** A URL from an archive. It is compared with URLs we know, and never fetched. */
export const ArchiveUrl = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(2000),
  Schema.isPattern(/^\P{Cc}*$/u)
)

const Uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const ArchiveUuid = Schema.String.check(Schema.isPattern(Uuid))

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const decodeFields = Schema.decodeUnknownOption(Fields)

/** The fields of an entry of an archive; empty if it is not an object. */
export const fieldsOf = (entry: unknown): Readonly<Record<string, unknown>> =>
  Option.getOrElse(decodeFields(entry), () => ({}))

/** Only these fields, without those that are empty or null. */
export const given = (entry: unknown, names: ReadonlyArray<string>): Record<string, unknown> => {
  const fields = fieldsOf(entry)
  return Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(fields, name))
      .map((name) => [name, fields[name]] as const)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
  )
}
