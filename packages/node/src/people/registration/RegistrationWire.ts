import { constraints } from "@kinora/domain/enums/Constraints"
import { userRegistrationState } from "@kinora/domain/enums/UserRegistrationState"
import type { UserRegistration } from "@kinora/domain/wire/UserRegistration"
import type { RegistrationRow } from "@kinora/storage/people/registration/RegistrationRows"
import type { Configuration } from "../../platform/config/Configuration.ts"

const suffix = "_channel"

/** The default channel name. If it is taken when the user is created, another one is used. */
const usualChannelName = (username: string): string =>
  username.slice(0, constraints.channel.name.max - suffix.length) + suffix

/**
 * A registration as clients read it (contract: UserRegistration). Names that were not chosen are shown as the user
 * would get them now, or did get them if accepted.
 */
export const registrationWire = (row: RegistrationRow, config: Configuration): UserRegistration => ({
  id: row.id,
  state: userRegistrationState(row.state),
  registrationReason: row.reason,
  moderationResponse: row.moderationResponse,
  username: row.username,
  email: row.email,
  emailVerified: row.emailVerified,
  accountDisplayName: row.displayName ?? row.username,
  channelHandle: row.channelName ?? usualChannelName(row.username),
  channelDisplayName: row.channelDisplayName ?? config.user.default_channel_name.replaceAll("$1", () => row.username),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  user: row.userId === null ? null : { id: row.userId }
})
