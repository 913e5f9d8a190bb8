import { Conflict } from "@kinora/domain/errors/ActorErrors"
import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import type { ActorNameTaken, EmailTaken, UserInvalid } from "../user/Users.ts"

/** The refusal that names everything somebody else has; undefined when nothing is taken. */
export const taken = (what: {
  readonly username?: string | undefined
  readonly email?: string | undefined
  readonly channelName?: string | undefined
}): Conflict | undefined => {
  const parts = [
    what.username === undefined ? [] : [`the user name ${what.username}`],
    what.email === undefined ? [] : [`the mail address ${what.email}`],
    what.channelName === undefined ? [] : [`the channel name ${what.channelName}`]
  ].flat()
  return parts.length === 0 ? undefined : new Conflict({ reason: `Taken already: ${parts.join(", ")}` })
}

/** Answers to what `Users` and `UserRows` fail with: a name went to somebody else between the checks and the writing. */
export const takenMeanwhile = {
  ActorNameTaken: ({ name }: ActorNameTaken) =>
    Effect.fail(new Conflict({ reason: `Taken already: the name ${name}` })),
  EmailTaken: ({ email }: EmailTaken) =>
    Effect.fail(new Conflict({ reason: `Taken already: the mail address ${email}` })),
  UserInvalid: ({ problem }: UserInvalid) => Effect.fail(new BadRequest({ reason: problem }))
}
