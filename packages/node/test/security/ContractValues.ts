import type { ContractField } from "./ContractFacts.ts"

/** A value for a field, and what it is. */
export interface ContractValue {
  readonly what: string
  readonly value: unknown
}

/** Longer ones do not fit into the first line of a request. */
const longest = 3000

const isNumber = (type: string): boolean => /^(?:integer|number)/.test(type)
const isText = (type: string): boolean => type.startsWith("string")
const isList = (type: string): boolean => type.endsWith("[]")

/** Choices that a type names itself, such as `string(name|-createdAt)`. */
const choicesOf = ({ enum: named, type }: ContractField): ReadonlyArray<string | number> => {
  if (named !== undefined) return named
  const [, inside] = /^(?:string|integer)\(([^()]*\|[^()]*)\)/.exec(type) ?? []
  return inside === undefined ? [] : inside.split("|").filter((choice) => choice !== "")
}

/** Types of the contract that are sets of numbers. */
const numbered =
  /^(?:UserRole|UserAdminFlags|VideoPrivacySet|VideoCommentsPolicySet|VideoPlaylist(?:Privacy|Type)Set|VideoEmbedPrivacyPolicyId|NotificationType|NewFeatureInfoType|RunnerJobState|UserRegistrationState|ChangeOwnershipState)/

/** Values that the contract does not let the field have. */
export const refusedValues = (field: ContractField, isJson: boolean): ReadonlyArray<ContractValue> => {
  const { type } = field
  const values: Array<ContractValue> = []
  const add = (what: string, value: unknown) => void values.push({ what, value })
  if (isNumber(type) && !type.includes("|string")) {
    add("no number", "abc")
    if (field.min !== undefined) add("below the least", field.min - 1)
    if (field.max !== undefined) add("above the most", field.max + 1)
  }
  if (type.startsWith("boolean")) add("neither true nor false", "maybe")
  const isClosed = choicesOf(field).length > 0 && !/^(?:NSFWFlag|integer\(0\|1\|2\|4)/.test(type)
  if (isClosed) add("none of the choices", isNumber(type) ? 777 : "no-such")
  if (numbered.test(type)) add("an unknown number", isList(type) && isJson ? [777] : 777)
  if (field.maxLength !== undefined && field.maxLength < longest) add("too long", "y".repeat(field.maxLength + 1))
  if ((field.minLength ?? 0) > 0) add("too short", "y".repeat(field.minLength! - 1))
  if (field.pattern !== undefined) add("beside its pattern", "Ünmö glich/")
  if (field.itemMaxLength !== undefined) add("an item too long", ["y".repeat(field.itemMaxLength + 1)])
  if ((field.itemMinLength ?? 0) > 0) add("an item too short", ["y".repeat(field.itemMinLength! - 1)])
  if (field.maxItems !== undefined) {
    add(
      "too many",
      Array.from({ length: field.maxItems + 1 }, (_, nth) => (isNumber(type) ? nth + 1 : `item${nth}`))
    )
  }
  if (type.includes("date-time")) add("no date", "tomorrow")
  if (type.includes("(email)")) add("no address of mail", "nobody")
  if (type.startsWith("string(uuid)")) add("no UUID", "1234-5")
  if (/\((?:url|uri)\)/.test(type)) add("no address", "no url")
  if (isJson && (isText(type) || isNumber(type)) && !isList(type)) add("an object", { a: 1 })
  return values
}

/** Values that the contract lets a parameter of a query have. */
export const takenValues = (field: ContractField): ReadonlyArray<string | number> => {
  const choices = choicesOf(field)
  if (choices.length > 0) return choices
  if (field.type.startsWith("boolean")) return ["true", "false"]
  if (isNumber(field.type)) return [field.min, field.max].filter((bound) => bound !== undefined)
  return []
}
