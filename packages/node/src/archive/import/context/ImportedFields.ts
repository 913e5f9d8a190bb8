import { Option, Schema } from "effect"

/** An address in an archive: text that is compared, and never asked for. */
export const ArchiveUrl = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(2000),
  Schema.isPattern(/^\P{Cc}*$/u)
)

const Uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const ArchiveUuid = Schema.String.check(Schema.isPattern(Uuid))

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const decodeFields = Schema.decodeUnknownOption(Fields)

/** The fields of a thing of an archive; none for what is no object. */
export const fieldsOf = (thing: unknown): Readonly<Record<string, unknown>> =>
  Option.getOrElse(decodeFields(thing), () => ({}))

/** Only these of the fields, and none that says nothing. */
export const given = (thing: unknown, names: ReadonlyArray<string>): Record<string, unknown> => {
  const fields = fieldsOf(thing)
  return Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(fields, name))
      .map((name) => [name, fields[name]] as const)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
  )
}
