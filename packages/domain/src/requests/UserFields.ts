import { constraints } from "../enums/Constraints.ts"
import { userRoles } from "../enums/UserRole.ts"
import { maxId } from "../ids/Ids.ts"
import { allNsfwFlags } from "../enums/NsfwFlag.ts"
import { optional, type Reader } from "../fields/Field.ts"
import { boolean, idOf, integer, nullable, text } from "../fields/Readers.ts"
import { hasLookAlike, toBoundedText, utf8Bytes } from "../fields/Values.ts"

const { channel, user } = constraints

const between = (what: string, { max, min }: { readonly min: number; readonly max: number }) =>
  `Must be ${what} of ${min} to ${max} characters`

/** Control characters, and those that turn the direction of what follows: they make one name look like another. */
const unfit = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A name people read: any script, no characters that cannot be seen. Given in NFC, without spaces around it. */
export const shownName = (what: string, bounds: { readonly min: number; readonly max: number }): Reader<string> => ({
  message: between(what, bounds),
  documented: { type: "string", minLength: bounds.min, maxLength: bounds.max },
  parse: (input) => {
    if (typeof input !== "string") return undefined
    const name = toBoundedText(input.trim().normalize("NFC"), bounds.min, bounds.max)
    return name === undefined || unfit.test(name) ? undefined : name
  }
})

const emailPattern =
  /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u
const longestEmail = 254

const password: Reader<string> = {
  message:
    `Must be a password of ${user.password.min} to ${user.password.max} characters ` +
    `and at most ${user.password.maxBytes} bytes`,
  documented: {
    type: "string",
    format: "password",
    minLength: user.password.min,
    maxLength: user.password.max
  },
  parse: (input) => {
    const value = toBoundedText(input, user.password.min, user.password.max)
    return value === undefined || utf8Bytes(value) > user.password.maxBytes ? undefined : value
  }
}

/** Bytes, or -1 for no limit. */
const quota = integer({
  min: -1,
  max: Number.MAX_SAFE_INTEGER,
  message: "Must be a number of bytes, or -1 for no limit",
  documented: {}
})

/** Readers of the fields of users and channels (contract: Constraints, RegisterUser, AddUser, UpdateMe). */
export const userFields = {
  username: text({
    ...user.username,
    message: `Must be 1 to ${user.username.max} of the characters a-z, 0-9, dot and underscore`,
    documented: { pattern: user.username.pattern.source }
  }),
  password,
  /** The same, where empty text says that the user sets one by mail. */
  passwordOrNone: {
    ...password,
    documented: { ...password.documented, description: "Empty: the user sets one by mail, when mail is configured" },
    parse: (input: unknown) => (input === "" ? "" : password.parse(input))
  } satisfies Reader<string>,
  /** A password that is compared, not set: whatever could once have been one. */
  givenPassword: text({ min: 0, max: 1000, message: "Must be a password", documented: { format: "password" } }),
  email: {
    message: "Must be a mail address",
    documented: { type: "string", format: "email", maxLength: longestEmail },
    parse: (input: unknown) => {
      const value = toBoundedText(input, 3, longestEmail)
      return value !== undefined && emailPattern.test(value) && !unfit.test(value) && !hasLookAlike(value)
        ? value
        : undefined
    }
  } satisfies Reader<string>,
  displayName: shownName("a display name", user.displayName),
  description: nullable(text({ ...user.description, message: between("a description", user.description) })),
  role: idOf(userRoles, `Must be one of the roles ${userRoles.join(", ")}`),
  adminFlags: idOf([0, 1], "Must be 0 or 1"),
  videoQuota: quota,
  videoQuotaDaily: quota,
  flag: boolean(),
  nsfwFlags: integer({ min: 0, max: allNsfwFlags, message: "Must be a sum of the flags 1, 2 and 4" }),
  channelName: text({
    ...channel.name,
    message: `Must be 1 to ${channel.name.max} letters, digits and the characters - _ . :`,
    documented: { pattern: channel.name.pattern.source }
  }),
  channelDisplayName: shownName("a channel's display name", channel.displayName),
  channelDescription: nullable(
    text({ ...channel.description, message: between("a description", channel.description) })
  ),
  channelSupport: nullable(text({ ...channel.support, message: between("a support text", channel.support) })),
  blockReason: text({ min: 0, max: 500, message: "Must be a reason of at most 500 characters" }),
  reason: text({ min: 2, max: 3000, message: "Must be a text of 2 to 3000 characters" }),
  /** A one-time code, a token of a link: opaque text. */
  token: text({ min: 1, max: 200, message: "Must be the token that was sent" }),
  search: text({ ...constraints.search, message: `Must be a text of at most ${constraints.search.max} characters` })
} as const

/**
 * What an account or channel wants to be found by, of our own: `indexable` by the words of what it publishes (FEP-5feb),
 * `discoverable` in suggestions and directories.
 */
export const consents = { indexable: optional(userFields.flag), discoverable: optional(userFields.flag) }

/** Row ids in paths. */
export const rowId = (what: string) => integer({ min: 1, max: maxId, message: `Must be the id of ${what}` })
